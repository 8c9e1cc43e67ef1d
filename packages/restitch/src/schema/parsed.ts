import { isObject } from './same.js';

/** JSON that was parsed for one answer: no code but the store's holds it. */
const parsed = new WeakSet<object>();

/** Notes that a value was parsed just now, and handed to nobody. */
export function noteParsed(value: unknown): void {
  if (isObject(value)) parsed.add(value);
}

/** Whether the store may adopt a value. What anything else gave may be the program's own, and is copied. */
// The cast: nothing else is ever added.
export const isParsed = (value: unknown): boolean => parsed.has(value as object);
