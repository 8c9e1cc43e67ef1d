import type { Collection } from './Collection.js';
import type { CustomSchema } from './CustomSchema.js';
import type { Lazy } from './Lazy.js';
import type { Query } from './Query.js';
import type { All } from './All.js';
import type { Denormalize, EntityClass, Schema } from './Schema.js';
import type { Union } from './Union.js';
import type { Values } from './Values.js';

/** What names a record: some of its fields. Numbers and their texts are the same. */
export type RecordFields<T> = {
  readonly [K in keyof T as T[K] extends (...args: never) => unknown ? never : K]?:
    | T[K]
    | (T[K] extends string | number ? string | number : never);
};

/** What stands for the records of a schema in a question: primary keys as a `Lazy` field holds them, numbers too. */
export type KeysOf<S> = S extends abstract new (...args: never) => unknown
  ? string | number
  : S extends Union
    ? string
    : S extends Values<infer M>
      ? Readonly<Record<string, KeysOf<M>>>
      : S extends readonly (infer M)[]
        ? readonly KeysOf<M>[]
        : unknown;

/**
 * What a question to the store takes after a schema: of an entity or union the fields of its key or of an index, of a
 * `Collection` the arguments of its list, of a `Query` those of its function, of a `Lazy` the keys, of `All` nothing.
 */
export type QueryArgs<S> = S extends abstract new (...args: never) => infer T
  ? readonly [fields: RecordFields<T>]
  : S extends Union
    ? readonly [fields: RecordFields<Denormalize<S>>]
    : S extends Collection<infer _Members, infer Args>
      ? Args
      : S extends Query<infer I, infer Args, unknown>
        ? Args extends readonly []
          ? QueryArgs<I>
          : Args
        : S extends CustomSchema<infer I>
          ? QueryArgs<I>
          : S extends Lazy<infer I>
            ? readonly [keys: KeysOf<I>]
            : S extends All<EntityClass | Union>
              ? readonly []
              : readonly unknown[];

/** What a schema reads as when it is asked for by itself: as elsewhere, but the keys of a `Lazy` are resolved. */
export type QueryValue<S extends Schema> =
  S extends Lazy<infer I> ? Denormalize<I> : Denormalize<S>;
