import type { DenormalizeNullable, SchemaOf, ViewSnapshot } from '../index.js';

/**
 * What hooks return where there is nothing, or for "not now": undefined, or where the schema is an object its shape, so that it can be destructured:
 * records and lists are undefined, plain values of the schema stay.
 */
export type Absent<S> = unknown extends S
  ? undefined
  : S extends { readonly '~value': unknown } | ((...args: never) => unknown) | readonly unknown[]
    ? undefined
    : S extends abstract new (...args: never) => unknown
      ? undefined
      : S extends object
        ? DenormalizeNullable<S>
        : undefined;

/** `Absent` of an endpoint. */
export type AbsentOf<E> = Absent<SchemaOf<E>>;

type Nothing<T> = Extract<ViewSnapshot<T>, { readonly status: 'ready' }>;

const undefinedOnly = snapshot(undefined);
const known = new WeakMap<object, Nothing<unknown>>();

/** A reader's snapshot while it asks nothing, and what it is given while there is nothing; the same for the same schema. */
export function absent<T>(schema: unknown): Nothing<T> {
  if (!isObject(schema)) return undefinedOnly as Nothing<T>;
  let made = known.get(schema);
  if (!made) known.set(schema, (made = snapshot(shapeOf(schema))));
  // The cast: what the schema leaves of a value that is not there.
  return made as Nothing<T>;
}

function snapshot(data: unknown): Nothing<unknown> {
  return Object.freeze({ status: 'ready', data, stale: false });
}

function shapeOf(schema: unknown): unknown {
  if (isObject(schema)) {
    const entries = Object.entries(schema).map(([field, part]) => [field, shapeOf(part)] as const);
    return Object.freeze(Object.fromEntries(entries));
  }
  const isPlain = schema === null || (typeof schema !== 'object' && typeof schema !== 'function');
  return isPlain ? schema : undefined;
}

/** Whether a schema is an object of schemas: not a class, a list, or one of the library's own. */
function isObject(schema: unknown): schema is object {
  return (
    typeof schema === 'object' &&
    schema !== null &&
    (Object.getPrototypeOf(schema) === Object.prototype || Object.getPrototypeOf(schema) === null)
  );
}
