const CALLED = new Set<unknown>([Number, String, Boolean, BigInt]);

/** What a constructor or function in `static schema` makes of a raw value; null and undefined pass through. */
export function deserializer(schema: Function): (raw: unknown) => unknown {
  // Constructed: classes (their `prototype` is not writable, as of built-in constructors such as `Date`), and constructor
  // functions of old (their prototype has methods). Arrow functions and methods have no prototype; plain functions an empty one.
  const prototype = Object.getOwnPropertyDescriptor(schema, 'prototype');
  const construct =
    prototype !== undefined &&
    !CALLED.has(schema) &&
    (prototype.writable === false || Object.getOwnPropertyNames(prototype.value).length > 1);
  const call = construct
    ? (raw: unknown) => Reflect.construct(schema, [raw])
    : (raw: unknown) => Reflect.apply(schema, undefined, [raw]);
  return (raw) => (raw === null || raw === undefined ? raw : call(raw));
}
