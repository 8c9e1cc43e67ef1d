/** Parsed JSON that only the store references. */
const parsed = new WeakSet<object>();

export function noteParsed(value: unknown): void {
  // A value that is not an object is never looked up.
  parsed.add(Object(value));
}

/** True if the store can keep a value without a copy. Other values may belong to the program. */
// The cast: only objects are ever added.
export const isParsed = (value: unknown): boolean => parsed.has(value as object);
