/**
 * Sets own data properties with any name. A field with the name `__proto__` or the name of a getter
 * is ordinary data.
 */
export function assignFields<T extends object>(target: T, fields: object): T {
  for (const key of Object.keys(fields)) {
    setField(target, key, (fields as Record<string, unknown>)[key]);
  }
  return target;
}

/** Sets one own data property. Optimization: a plain assignment if the name has no accessor. */
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
