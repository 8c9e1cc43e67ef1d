import type { Entity } from './Entity.js';
import type { Indexes } from './Indexes.js';

/** The `static` members of an entity class. Code that accepts any entity class uses this type. */
export interface EntityClass<T extends Entity = Entity> {
  new (): T;
  readonly prototype: T;
  readonly key: string | undefined;
  readonly schema: EntityFields;
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly indexes: Indexes | readonly [];
  readonly partial: boolean;
  /** See `Entity.queryKey`. */
  queryKey(
    args: readonly unknown[],
  ): string | number | Readonly<Record<string, unknown>> | undefined;
  /** See `Entity.process`. */
  process(
    input: unknown,
    parent: unknown,
    key: string | undefined,
    args: readonly unknown[],
  ): unknown;
  /** See `Entity.validate`. */
  validate(value: Readonly<Record<string, unknown>>): string | undefined;
  /** See `Entity.merge`. */
  merge(
    existing: Readonly<Record<string, unknown>>,
    incoming: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>>;
  /** See `Entity.shouldUpdate`. */
  shouldUpdate(
    existingMeta: EntityMeta,
    incomingMeta: EntityMeta,
    existing: Readonly<Record<string, unknown>>,
    incoming: Readonly<Record<string, unknown>>,
  ): boolean;
  /** See `Entity.shouldReorder`. */
  shouldReorder(
    existingMeta: EntityMeta,
    incomingMeta: EntityMeta,
    existing: Readonly<Record<string, unknown>>,
    incoming: Readonly<Record<string, unknown>>,
  ): boolean;
  /** See `Entity.mergeWithStore`. */
  mergeWithStore(
    existingMeta: EntityMeta,
    incomingMeta: EntityMeta,
    existing: Readonly<Record<string, unknown>>,
    incoming: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>>;
  /** See `Entity.fromJS`. */
  fromJS(fields?: Readonly<Record<string, unknown>>): T;
  /** See `Entity.createIfValid`. */
  createIfValid(fields: Readonly<Record<string, unknown>>): T | undefined;
}

/** The times of a record, in milliseconds since 1970. */
export interface EntityMeta {
  /** The time at which the request was sent, or the record was written locally. */
  readonly fetchedAt: number;
  /** The time of the response. For an optimistic update, the time of the update. */
  readonly date: number;
  /** The time until which the record is fresh. `Infinity` for an optimistic update. */
  readonly expiresAt: number;
}

/** The type of `static schema`: for each field a schema, a constructor or a function. */
export interface EntityFields {
  readonly [field: string]: Schema;
}

/**
 * The shape of a response: an entity class, a schema such as a `Collection`, or an array or plain
 * object of these. A constructor or function, such as `Date`, converts a plain value. Any other
 * value in a plain object, such as `''` in `{ nextCursor: '' }`, provides the type of its field. A
 * query has no response, so it returns this `''`.
 * @example
 * ```ts
 * import { Collection, Entity } from 'restitch';
 *
 * class User extends Entity {
 *   id = '';
 *   name = '';
 * }
 *
 * const page = { results: new Collection([User]), nextCursor: '' };
 * ```
 */
// Any value can provide a type, so this is `unknown`. The code that uses a schema checks it.
export type Schema = unknown;

/**
 * The value that readers of a schema receive. Each record in the value is a class instance.
 * @example
 * ```ts
 * import { Entity, type Denormalize } from 'restitch';
 *
 * class User extends Entity {
 *   id = '';
 * }
 *
 * const users: Denormalize<(typeof User)[]> = [];
 * ```
 */
export type Denormalize<S> = S extends { readonly '~value': infer V }
  ? V
  : S extends NumberConstructor
    ? number
    : S extends StringConstructor
      ? string
      : S extends BooleanConstructor
        ? boolean
        : S extends BigIntConstructor
          ? bigint
          : S extends abstract new (...args: any) => infer T
            ? T
            : S extends (...args: any) => infer R
              ? R
              : S extends readonly (infer E)[]
                ? Denormalize<E>[]
                : S extends object
                  ? { -readonly [K in keyof S]: Denormalize<S[K]> }
                  : S;

/** The value of `useCache` or `controller.get`. Parts that the store lacks are undefined. */
export type DenormalizeNullable<S> = S extends { readonly '~value': infer V }
  ? V | undefined
  : S extends
        | (abstract new (...args: any) => unknown)
        | ((...args: any) => unknown)
        | readonly unknown[]
    ? Denormalize<S> | undefined
    : S extends object
      ? { -readonly [K in keyof S]: DenormalizeNullable<S[K]> }
      : S;
