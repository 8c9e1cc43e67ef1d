import { entryOf } from '../host/entryOf.js';
import { isPlain } from '../schema/same.js';
import type { DenormalizeNullable, SchemaOf, ViewSnapshot } from '../index.js';

/**
 * The value that a hook returns for a skipped request, or while it has no data. The value is
 * undefined, unless the schema is a plain object.
 *
 * For a plain object, the value has the same fields, so that it can be destructured. For example,
 * `{ users: [User], nextCursor: '' }` gives `{ users: undefined, nextCursor: '' }`.
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

/** `Absent` for the schema of an endpoint. */
export type AbsentOf<E> = Absent<SchemaOf<E>>;

type Nothing<T> = Extract<ViewSnapshot<T>, { readonly status: 'ready' }>;

const undefinedOnly = snapshot(undefined);
const known = new WeakMap<object, Nothing<unknown>>();

/** Returns the same object for the same schema. */
export function absent<T>(schema: unknown): Nothing<T> {
  if (!isPlain(schema)) return undefinedOnly as Nothing<T>;
  // The cast: `T` is the value of an endpoint with this schema.
  return entryOf(known, schema, () => snapshot(shapeOf(schema))) as Nothing<T>;
}

function snapshot(data: unknown): Nothing<unknown> {
  return Object.freeze({ status: 'ready', data, stale: false });
}

/** A schema that contains itself ends at its second level, with undefined. */
function shapeOf(schema: unknown, outer: readonly unknown[] = []): unknown {
  if (isPlain(schema) && !outer.includes(schema)) {
    const entries = Object.entries(schema).map(
      ([field, part]) => [field, shapeOf(part, [...outer, schema])] as const,
    );
    return Object.freeze(Object.fromEntries(entries));
  }
  // A plain value in a schema, such as `nextCursor: ''`, is returned unchanged.
  return Object(schema) === schema ? undefined : schema;
}
