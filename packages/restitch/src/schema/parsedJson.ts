import { isObject } from './same.js';

/** JSON that was parsed for one response. Only the store references it. */
const parsed = new WeakSet<object>();

/** After this call, only the store may keep a reference to the value. */
export function noteParsed(value: unknown): void {
  if (isObject(value)) parsed.add(value);
}

/**
 * Returns true if the store can keep a value without copying it. Other values may belong to the
 * program.
 */
// The cast: only objects are ever added.
export const isParsed = (value: unknown): boolean => parsed.has(value as object);
