/** Only this module and `unionRef.ts` build or parse primary keys and references to rows. */

import type { UnionRef } from './unionRef.js';

/** Returns undefined if a value cannot be a key. `5` and `'5'` are the same key. */
/** Different integers above 2^53 can be one JavaScript number, so such a number is no key. */
export function pkText(value: unknown): string | undefined {
  if (isKey(value)) {
    return value;
  }
  const isExact = typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return isExact || typeof value === 'bigint' ? String(value) : undefined;
}

/** An indexed field can be empty, unlike a primary key. */
export function indexText(value: unknown): string | undefined {
  return value === '' ? value : pkText(value);
}

export function isKey(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/**
 * A reference is the primary key. In a union, it also contains the discriminators:
 * `\0["post","7"]`. The `\0` distinguishes it from the texts of a server.
 */
export function rowRef(path: readonly string[], pk: string): string {
  return path.length === 0 ? pk : `\0${JSON.stringify([...path, pk])}`;
}

/** Set by `Union`: without this class, there are no union references. */
export const unionRefs: {
  parse?: (value: unknown) => UnionRef | undefined;
  occursIn?: (value: unknown) => boolean;
} = {};
