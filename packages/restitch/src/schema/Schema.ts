import type { Entity } from './Entity.js';

/**
 * A class of records: what `static` members an entity class offers to the store.
 *
 * @remarks Write `class User extends Entity { id = ''; name = '' }`; this interface exists so that code can ask for
 * "any entity class" without naming one.
 */
export interface EntityClass<T extends Entity = Entity> {
  new (): T;
  readonly prototype: T;
  readonly key: string | undefined;
  readonly schema: EntityFields;
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly indexes: readonly string[];
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

/** When a record was asked for and answered, in milliseconds since 1970. */
export interface EntityMeta {
  /** When its request was sent, or it was written locally. */
  readonly fetchedAt: number;
  /** When it was answered; of a guess, when it was made. */
  readonly date: number;
  /** Until when it counts as fresh; of a guess, Infinity. */
  readonly expiresAt: number;
}

/** What `static schema` of an entity holds: for each field a schema, a constructor or a function. */
export interface EntityFields {
  readonly [field: string]: Schema;
}

/**
 * Anything that describes the shape of a response: an entity class, a `Collection`, `Invalidate`, an array of one schema,
 * a plain object of schemas, or a deserializer. Other values inside a plain object are samples that only give a type.
 *
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
// A sample may be any value; the useful checks happen where a schema is used.
export type Schema = unknown;

/**
 * What a schema reads as: class instances where the response had records.
 *
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

/** As `Denormalize`, for readers that may find nothing: `useCache`, `useQuery`, `controller.get`. */
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
