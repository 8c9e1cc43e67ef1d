const CALLED = new Set<unknown>([Number, String, Boolean, BigInt]);

/** What a constructor or function in `static schema` makes of a raw value; null and undefined are not asked about. */
export function deserializer(schema: Function): (raw: unknown) => unknown {
  // Constructed: classes (their `prototype` is not writable, as of built-in constructors such as `Date`), and constructor
  // functions of old (their prototype has methods). Arrow functions and methods have no prototype; plain functions an empty one.
  const prototype = Object.getOwnPropertyDescriptor(schema, 'prototype');
  const construct =
    prototype !== undefined &&
    !CALLED.has(schema) &&
    (prototype.writable === false || Object.getOwnPropertyNames(prototype.value).length > 1);
  return construct
    ? (raw) => Reflect.construct(schema, [raw])
    : (raw) => Reflect.apply(schema, undefined, [raw]);
}
