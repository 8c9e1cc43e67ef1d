import { withOptions } from './collectionClass.js';
import type { CollectionEdit, PageCursor } from './CollectionEdit.js';
import type { Denormalize, Schema } from './Schema.js';
import type { SharedField, Union, UnionChoice, UnionDefinition } from './Union.js';
import type { Values } from './Values.js';

/** The arguments that identify one list, as text. */
export type ListArgs = Readonly<Record<string, string>>;

/** Returns true if a record belongs to a list. Relations in `record` are primary keys. */
export type CollectionFilter = (
  listArgs: ListArgs,
  record: Readonly<Record<string, unknown>>,
) => boolean;

/**
 * Orders the members of a list. Receives the keys in the list and the keys of the new members.
 * Returns all keys in their new order. Must be pure.
 */
export type CollectionMerge = (
  existing: readonly string[],
  incoming: readonly string[],
) => readonly string[];

/** Options of a `Collection`. A subclass may override the methods with these names instead. */
// oxlint-disable-next-line typescript/no-explicit-any -- public generic default: a collection with any arguments
export interface CollectionOptions<Args extends readonly any[] = any> {
  /**
   * Two lists with the same name, entity class and arguments are one list, even if different
   * endpoints read them. Default: none, so lists of different paths stay separate.
   */
  readonly name?: string | undefined;
  /**
   * Returns the part of a call's arguments that identifies the list. The arguments include default
   * search parameters. Default: all arguments.
   */
  readonly argsKey?: ((...args: Args) => Readonly<Record<string, unknown>>) | undefined;
  /**
   * Returns the fields of a record that identify a list nested in it, such as `(user) => ({ userId:
   * user.id })`. If an endpoint reads this collection with equal arguments, it reads the nested
   * list. If a value is undefined, null, `''` or NaN, the list belongs to the record alone.
   */
  readonly nestKey?: // oxlint-disable-next-line typescript/no-explicit-any -- users annotate the parent with its own type
    ((parent: any, key: string) => Readonly<Record<string, unknown>>) | undefined;
  /** The arguments that do not decide membership, such as a sort order. Default: none. */
  readonly nonFilterArgumentKeys?:
    | readonly string[]
    | RegExp
    | ((key: string) => boolean)
    | undefined;
  /** Receives the arguments of a create. Returns the filter that selects the member's lists. */
  readonly createCollectionFilter?: ((...args: any[]) => CollectionFilter) | undefined;
}

/** The schema in a collection: an array with one member schema, such as `[User]`, or a `Values`. */
export type CollectionSchema = readonly Schema[] | Values<Schema>;

/** The schema of one member. */
export type MemberOf<S> =
  S extends Values<infer M> ? M : S extends readonly (infer M)[] ? M : never;

/**
 * A list that is identified by the arguments of its request. A create adds a member to the list,
 * and a delete removes one, without a refetch.
 *
 * @remarks The members are an ordered set of records. With a `Values` as schema, they are a map of
 * records.
 *
 * Four rules decide which lists a member is in: `argsKey`, `nestKey`, `nonFilterArgumentKeys` and
 * `createCollectionFilter`. An option or a subclass can replace each of them.
 *
 * @example
 * ```ts
 * import { Collection, Entity, RestEndpoint } from 'restitch';
 *
 * class Todo extends Entity {
 *   id = '';
 *   userId = '';
 * }
 *
 * const getTodos = new RestEndpoint({
 *   path: '/todos',
 *   searchParams: {} as { userId?: string; sort?: string },
 *   schema: new Collection([Todo], { nonFilterArgumentKeys: ['sort'] }),
 * });
 * ```
 */
export interface Collection<
  S extends CollectionSchema = CollectionSchema,
  // oxlint-disable-next-line typescript/no-explicit-any -- public generic default, as above
  Args extends readonly any[] = any,
> {
  readonly '~value': Denormalize<S>;
  readonly schema: S;
  readonly options: CollectionOptions<Args>;
  /** The `name` option: lists with the same name are shared. */
  readonly name: string | undefined;
  /** The schema of a created member, which is added to the end of every list that it matches. */
  readonly push: CollectionEdit<S>;
  /** The schema of a created member, which is added to the start of every list that it matches. */
  readonly unshift: CollectionEdit<S>;
  /** For a `Values`: the schema of members that are set under their keys in all matching maps. */
  readonly assign: CollectionEdit<S, Denormalize<S>>;
  /**
   * The schema of a removed member. The member leaves the lists that match the arguments of the
   * call, also those with further arguments, but not the list without arguments. The record itself
   * stays in the store and is updated.
   */
  readonly remove: CollectionEdit<S>;
  /**
   * The schema of a changed member. The member leaves the lists that it no longer matches. It is
   * added to the end of the lists that it matches. Example: if its `status` changes, it moves from
   * `{ status: 'open' }` to `{ status: 'done' }`.
   */
  readonly move: CollectionEdit<S>;
  /** The schema of a further page. New members are added to the end of the list. */
  readonly getPage: CollectionEdit<S, Denormalize<S>>;

  /**
   * Like `getPage`, but the page parameter is not part of the list's identity. So `{ page: 2 }` and
   * `{ page: 3 }` are pages of one list. `cursor` selects the page parameter, such as `page`.
   */
  paginated(cursor: PageCursor): CollectionEdit<S, Denormalize<S>>;

  /**
   * Like `push`, but `merge` places the new member. `createCollectionFilter` replaces the rule that
   * decides which lists the member enters.
   * @example
   * ```ts
   * import { Collection, Entity } from 'restitch';
   *
   * class Post extends Entity {
   *   id = '';
   * }
   *
   * // The first post stays pinned.
   * const posts = new Collection([Post]);
   * const second = posts.addWith(([first = [], ...rest], added) => [first, added, rest].flat());
   * ```
   */
  addWith(
    merge: CollectionMerge,
    createCollectionFilter?: (...args: any[]) => CollectionFilter,
  ): CollectionEdit<S>;

  /** Like `move`, but `merge` places the member in the lists that it enters. */
  moveWith(merge: CollectionMerge): CollectionEdit<S>;

  /** Returns the arguments that identify a list. Default: all fields of the call and its body. */
  argsKey(...args: any[]): unknown;

  /**
   * Returns the fields that identify a list nested in a record. `parent` is the record, also if a
   * plain object in the record contains the list. By default, returns undefined: the list belongs
   * to that record alone. So does a list whose fields are all undefined.
   */
  nestKey(parent: unknown, key: string): Readonly<Record<string, unknown>> | undefined;

  /** Returns true if an argument does not decide membership. */
  nonFilterArgumentKeys(key: string): boolean;

  /**
   * Returns the rule that decides which lists a new member enters. Receives the arguments of the
   * create.
   *
   * @remarks By default, the list `{ userId: '1' }` accepts the member `{ userId: 1 }`: each
   * argument that decides membership must equal the field of that name, as text. An array argument
   * must contain the field. If the member lacks the field, the arguments of the create are compared
   * instead, including the body. If the field is null, the body is not compared, because the null
   * is newer than the body.
   */
  createCollectionFilter(...args: any[]): CollectionFilter;
}

/** The type of the class `Collection`, for functions that receive the class itself. */
// `class A extends Collection<S, Args>` selects the signature with two type parameters.
export interface CollectionConstructor {
  /** A shorthand for a list of `new Union(definition, schemaAttribute)`. */
  new <
    D extends UnionDefinition,
    A extends SharedField<D> | UnionChoice,
    // oxlint-disable-next-line typescript/no-explicit-any -- as above
    Args extends readonly any[],
  >(
    schema: readonly [definition: D],
    options: CollectionOptions<Args> & { readonly schemaAttribute: A },
  ): Collection<Union<D, A>[], Args>;
  // oxlint-disable-next-line typescript/no-explicit-any -- public generic default, as above
  new <S extends CollectionSchema = CollectionSchema, Args extends readonly any[] = any>(
    schema: S,
    options?: CollectionOptions<Args>,
  ): Collection<S, Args>;
  readonly prototype: Collection;
}

/** Instances have the type of the interface with the same name. */
export const Collection: CollectionConstructor = /* @__PURE__ */ withOptions();
