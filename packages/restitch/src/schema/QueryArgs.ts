import type { AskedWith } from './BoundSchema.js';
import type { Collection } from './Collection.js';
import type { CustomSchema } from './CustomSchema.js';
import type { Lazy } from './Lazy.js';
import type { Query } from './Query.js';
import type { AllSchema } from './AllSchema.js';
import type { Denormalize, EntityClass, Schema } from './Schema.js';
import type { Union } from './Union.js';
import type { Values } from './Values.js';

/** The fields that name a record. Numbers and their texts are equivalent. */
export type RecordFields<T> = {
  readonly [K in keyof T as T[K] extends (...args: never) => unknown ? never : K]?:
    | T[K]
    | (T[K] extends string | number ? string | number : never);
};

/** The value of a schema with keys instead of records: `(string | number)[]` for `[User]`. */
export type KeysOf<S> = S extends abstract new (...args: never) => unknown
  ? string | number
  : S extends Union
    ? string
    : S extends Values<infer M>
      ? Readonly<Record<string, KeysOf<M>>>
      : S extends readonly (infer M)[]
        ? readonly KeysOf<M>[]
        : unknown;

/** For a union, the fields can be those of any of its classes. */
type Naming<T> = string | number | (T extends unknown ? RecordFields<T> : never);

type RecordArgs<S, T> = S extends { queryKey(args: infer A extends readonly unknown[]): unknown }
  ? readonly unknown[] extends A
    ? readonly [named: Naming<T>]
    : A
  : readonly [named: Naming<T>];

/** Searches up to four objects deep. `never` for plain values. */
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
 * The arguments of a query after its schema:
 *
 * - entity or union: the primary key, or the fields of the key or of an index
 * - `Collection`: the arguments of its list. For `getUsers.schema`, the arguments of `getUsers`
 * - `Query`: the arguments of its function
 * - `Lazy`: the keys
 * - `All`: none
 * - object: arguments for one of its parts
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
                : S extends AllSchema<EntityClass | Union>
                  ? readonly []
                  : S extends readonly (infer M)[]
                    ? readonly [items: readonly QueryArgs<M>[0][]]
                    : S extends { readonly '~value': unknown }
                      ? readonly unknown[]
                      : [PartArgs<S, [1, 1, 1, 1]>] extends [never]
                        ? readonly unknown[]
                        : PartArgs<S, [1, 1, 1, 1]>;

/** The value of a queried schema: like `Denormalize`, but a `Lazy` gives its records. */
export type QueryValue<S extends Schema> =
  S extends Lazy<infer I> ? Denormalize<I> : Denormalize<S>;
