/** A field named `__proto__`, or named like a getter of the class, becomes ordinary data. */
export function assignFields<T extends object>(target: T, fields: object): T {
  for (const key of Object.keys(fields)) {
    setField(target, key, (fields as Record<string, unknown>)[key]);
  }
  return target;
}

/** Optimization: a plain assignment is faster than a definition. */
export function setField(target: object, key: string, value: unknown): void {
  if (key in target && !Object.hasOwn(target, key)) {
    defineMember(target, key, value, true);
  } else {
    (target as Record<string, unknown>)[key] = value;
  }
}

/** An assignment would fail for a read-only member of the prototype, such as `name` of a class. */
export function defineMember(
  target: object,
  key: PropertyKey,
  value: unknown,
  writable: boolean,
): void {
  Object.defineProperty(target, key, {
    value,
    writable,
    enumerable: true,
    configurable: true,
  });
}
