/** Parsed JSON that only the store references. */
const parsed = new WeakSet<object>();

export function noteParsed(value: unknown): void {
  // `Object` wraps a primitive value, for which `add` would throw.
  parsed.add(Object(value));
}

/** True if the store can keep a value without a copy. Other values may belong to the program. */
// The cast: `has` returns false for a primitive value.
export const isParsed = (value: unknown): boolean => parsed.has(value as object);
