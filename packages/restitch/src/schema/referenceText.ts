import type { UnionRef } from './unionRef.js';

/** The formats of primary keys and of references to rows. No other module builds or parses one. */

/**
 * Returns a primary key as text, or undefined if a value cannot be a key. `5` and `'5'` are the
 * same key.
 */
export function pkText(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value === '' ? undefined : value;
  }
  // A number that is not finite results from a faulty calculation.
  return Number.isFinite(value) || typeof value === 'bigint' ? String(value) : undefined;
}

/** Returns true if a stored value is the key of a row. */
export function isKey(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/**
 * Returns the reference to a row: its primary key. In a union, the reference is a text of the
 * discriminators and the key. It starts with `\0`, so that it differs from texts of a server.
 */
export function rowRef(path: readonly string[], pk: string): string {
  return path.length === 0 ? pk : `\0${JSON.stringify([...path, pk])}`;
}

/**
 * Reads union references. It is undefined until a program loads `Union`, because there are no such
 * references before.
 */
export const unionRefs: { parse?: (value: unknown) => UnionRef | undefined } = {};
