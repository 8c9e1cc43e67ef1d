const CALLED = new Set<unknown>([Number, String, Boolean, BigInt]);

/**
 * Returns the function that deserializes a raw value by a constructor or function in `static
 * schema`. It is not called for null and undefined.
 */
export function deserializer(schema: Function): (raw: unknown) => unknown {
  // Called with `new`: classes, whose `prototype` is not writable, like that of built-in
  // constructors such as `Date`. Also old-style constructor functions, whose prototype has methods.
  // Arrow functions and methods have no prototype; plain functions have an empty one.
  const prototype = Object.getOwnPropertyDescriptor(schema, 'prototype');
  const construct =
    prototype !== undefined &&
    !CALLED.has(schema) &&
    (prototype.writable === false || Object.getOwnPropertyNames(prototype.value).length > 1);
  return construct
    ? (raw) => Reflect.construct(schema, [raw])
    : (raw) => Reflect.apply(schema, undefined, [raw]);
}
