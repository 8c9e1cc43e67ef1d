import { canonicalText } from './argText.js';
import type { Identified } from './identityText.js';
import { customSteps, isExtra } from './sameProcessing.js';

/**
 * A result that a server exported is hydrated only if the browser computes the same text. A custom
 * function such as `process` adds only its name, because the bundles contain different source code.
 * Custom options are hashed, because an HTML page contains the text and must not show a token.
 */
export function processingText(endpoint: Identified): string {
  const { $made: made } = endpoint;
  if (!made) {
    return '';
  }
  const valueOf = (name: string): unknown => Reflect.get(endpoint, name);
  const steps = customSteps(endpoint);
  const members =
    steps.length > 0 || made.source
      ? Object.keys({ ...made.options, ...endpoint }).filter(isExtra)
      : [];
  return [
    ...steps.map((name) =>
      typeof valueOf(name) === 'function' ? name : `${name}=${String(valueOf(name))}`,
    ),
    ...members
      .filter((name) => !/function|undefined/.test(typeof valueOf(name)))
      .map((name) => `${name}=${hashOf(valueOf(name))}`)
      .sort(),
  ].join();
}

/** Returns the FNV-1a hash of a value, or `0` for a value without text. */
function hashOf(value: unknown): string {
  let text: string;
  try {
    text = canonicalText(value);
  } catch {
    return '0';
  }
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
