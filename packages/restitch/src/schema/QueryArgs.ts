import type { AskedWith } from './BoundSchema.js';
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

/** What names a record: its primary key, or fields; of several classes those of any. */
type Naming<T> = string | number | (T extends unknown ? RecordFields<T> : never);

/** The arguments of a question for a record, as a `queryKey` of its own declares them. */
type RecordArgs<S, T> = S extends { queryKey(args: infer A extends readonly unknown[]): unknown }
  ? readonly unknown[] extends A
    ? readonly [named: Naming<T>]
    : A
  : readonly [named: Naming<T>];

/** What the parts of an object take, up to four objects deep; never for plain values. */
type PartArgs<S, Depth extends readonly unknown[]> = S extends
  | (abstract new (...args: never) => unknown)
  | { readonly '~value': unknown }
  ? QueryArgs<S>
  : S extends ((...args: never) => unknown) | readonly unknown[]
    ? never
    : S extends object
      ? Depth extends readonly [unknown, ...infer Rest]
        ? { [K in keyof S]: PartArgs<S[K], Rest> }[keyof S]
        : never
      : never;

/**
 * What a question to the store takes after a schema: of an entity or union the fields of its key or of an index, of a
 * `Collection` the arguments of its list, of a `Query` those of its function, of a `Lazy` the keys, of `All` nothing; of an
 * object what one of its parts takes. The schema of an endpoint takes the arguments of that endpoint for its lists.
 */
export type QueryArgs<S> = ArgsFor<S> extends infer A extends readonly unknown[] ? A : never;

type ArgsFor<S> = 0 extends 1 & S
  ? readonly unknown[]
  : S extends abstract new (...args: never) => infer T
    ? RecordArgs<S, T>
    : S extends AskedWith<unknown, infer A extends readonly unknown[]>
      ? A
      : S extends Union
        ? readonly [named: Naming<Denormalize<S>>]
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
                  : S extends readonly (infer M)[]
                    ? readonly [items: readonly QueryArgs<M>[0][]]
                    : S extends { readonly '~value': unknown }
                      ? readonly unknown[]
                      : [PartArgs<S, [1, 1, 1, 1]>] extends [never]
                        ? readonly unknown[]
                        : PartArgs<S, [1, 1, 1, 1]>;

/** What a schema reads as when it is asked for by itself: as elsewhere, but the keys of a `Lazy` are resolved. */
export type QueryValue<S extends Schema> =
  S extends Lazy<infer I> ? Denormalize<I> : Denormalize<S>;
