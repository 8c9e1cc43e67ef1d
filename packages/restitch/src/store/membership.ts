import { argText } from './keys.js';
import type { Cell, Fields } from './state.js';

/** How a row fits a list: every argument that filters is matched, one is contradicted, or nothing is known of one. */
export type Fit = 'matches' | 'contradicts' | 'unknown';

/**
 * Whether a row belongs to a list: by the list's own rule, or by comparing each argument that filters with the row's field of
 * that name, else with the call's parameters and body. Values compare as text.
 */
export function fitOf({ args: wanted, list }: Cell, fields: Fields, args: readonly unknown[]): Fit {
  if (!wanted || !list) {
    return 'unknown';
  }
  const { createCollectionFilter, nonFilterArgumentKeys } = list.collection.options;
  if (createCollectionFilter) {
    return createCollectionFilter(...args)(wanted) ? 'matches' : 'contradicts';
  }
  let fit: Fit = 'matches';
  for (const [key, text] of Object.entries(wanted)) {
    if (isNonFilter(nonFilterArgumentKeys, key)) {
      continue;
    }
    const value = valueOf(key, fields, args);
    if (value === undefined) {
      fit = 'unknown';
    } else if (!hasText(value, text)) {
      return 'contradicts';
    }
  }
  return fit;
}

function isNonFilter(
  names: readonly string[] | RegExp | ((key: string) => boolean) | undefined,
  key: string,
): boolean {
  if (names === undefined) {
    return false;
  }
  if (typeof names === 'function') {
    return names(key);
  }
  // `search` rather than `test`: a pattern with the flag `g` remembers where it stopped.
  return names instanceof RegExp ? key.search(names) >= 0 : names.includes(key);
}

function hasText(value: unknown, text: string): boolean {
  return Array.isArray(value)
    ? value.some((item) => argText(item) === text)
    : argText(value) === text;
}

function valueOf(key: string, fields: Fields, args: readonly unknown[]): unknown {
  for (const source of [fields, ...args]) {
    const value = fieldOf(source, key);
    if (value !== undefined && value !== null) {
      return value;
    }
  }
  return undefined;
}

function fieldOf(source: unknown, key: string): unknown {
  if (typeof FormData === 'function' && source instanceof FormData) {
    return source.get(key);
  }
  return typeof source === 'object' && source !== null && Object.hasOwn(source, key)
    ? (source as Record<string, unknown>)[key]
    : undefined;
}
