import { canonicalText } from './argText.js';
import type { Identified } from './identityText.js';
import { isExtra, READING } from './sameProcessing.js';

/**
 * Returns how an endpoint processes responses, as text that another program can compare. Empty for
 * an endpoint without custom processing.
 *
 * A function has no text there, because each bundle contains other source code. So the text contains
 * only the names of functions. Members that such a function can read are contained as hashes: state
 * in a page must not show a token.
 */
export function processingText(endpoint: Identified): string {
  const { '~made': made } = endpoint;
  if (!made) {
    return '';
  }
  const base = Object(Reflect.get(endpoint, '~base')) as object;
  const steps = READING.filter((name) => Reflect.get(endpoint, name) !== Reflect.get(base, name));
  const members =
    steps.length > 0 || made.source ? Object.keys(made.options).filter(isExtra).sort() : [];
  return [
    ...steps.map((name) => memberText(name, Reflect.get(endpoint, name), String)),
    ...members
      .filter((name) => !/function|undefined/.test(typeof Reflect.get(endpoint, name)))
      .map((name) => memberText(name, Reflect.get(endpoint, name), hashOf)),
  ].join();
}

function memberText(name: string, value: unknown, textOf: (value: unknown) => string): string {
  return typeof value === 'function' ? name : `${name}=${textOf(value)}`;
}

/** Returns the FNV-1a hash of a value; 0 if the value is no data. */
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
