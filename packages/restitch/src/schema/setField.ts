/** A field named `__proto__` or like a getter becomes ordinary data. */
export function assignFields<T extends object>(target: T, fields: object): T {
  for (const key of Object.keys(fields)) {
    setField(target, key, (fields as Record<string, unknown>)[key]);
  }
  return target;
}

/** Optimization: a plain assignment if the name has no accessor. */
export function setField(target: object, key: string, value: unknown): void {
  if (key in target && !Object.hasOwn(target, key)) {
    Object.defineProperty(target, key, {
      configurable: true,
      enumerable: true,
      writable: true,
      value,
    });
  } else {
    (target as Record<string, unknown>)[key] = value;
  }
}
