import { CollectionClass } from './collectionClass.js';
import type { CollectionEdit, PageCursor } from './CollectionEdit.js';
import { allowMaps } from './maps.js';
import type { Denormalize, Schema } from './Schema.js';
import {
  type SharedField,
  type Union,
  type UnionChoice,
  type UnionDefinition,
  unionOf,
} from './Union.js';
import type { Values } from './Values.js';

/** The arguments that identify one list, as text. */
export type ListArgs = Readonly<Record<string, string>>;

/** Says whether a member belongs to the list with these arguments. `record` holds its fields, relations as primary keys. */
export type CollectionFilter = (
  listArgs: ListArgs,
  record: Readonly<Record<string, unknown>>,
) => boolean;

/** Places a member: gets the keys in the list and, as an array too, those of the new members, and gives the keys in their new order. Must be pure. */
export type CollectionMerge = (
  existing: readonly string[],
  incoming: readonly string[],
) => readonly string[];

/** Settings of a `Collection`. A subclass may override the methods of the same names instead. */
// oxlint-disable-next-line typescript/no-explicit-any -- public generic default: a collection of whatever arguments
export interface CollectionOptions<Args extends readonly any[] = any> {
  /** Makes lists of these members one kind of list wherever they stand, whatever the endpoint's path. Default: none. */
  readonly name?: string | undefined;
  /** Chooses from a call's arguments, default search parameters included, what identifies the list. Default: every member of theirs. */
  readonly argsKey?: ((...args: Args) => Readonly<Record<string, unknown>>) | undefined;
  /** For a list nested in a record, which is given: what identifies it. Give the same names as the top-level list has, and they are one list. */
  readonly nestKey?: // oxlint-disable-next-line typescript/no-explicit-any -- users annotate the parent with its own type
    ((parent: any, key: string) => Readonly<Record<string, unknown>>) | undefined;
  /** Arguments that do not decide membership, such as a sort order. Default: none. */
  readonly nonFilterArgumentKeys?:
    | readonly string[]
    | RegExp
    | ((key: string) => boolean)
    | undefined;
  /** Replaces the rule by which members enter lists: called with the arguments of the create. */
  readonly createCollectionFilter?: ((...args: any[]) => CollectionFilter) | undefined;
}

/** What a collection holds: an array of one schema, or a `Values` of one. */
export type CollectionSchema = readonly Schema[] | Values<Schema>;

/** The schema of one member. */
export type MemberOf<S> =
  S extends Values<infer M> ? M : S extends readonly (infer M)[] ? M : never;

/**
 * A list that changes: it has an identity (the arguments it was asked with), so creates can add to it and deletes take from
 * it without fetching it again. Its members are an ordered set by primary key; over a `Values`, a map of records.
 *
 * @remarks What decides where members go can be given as an option, or overridden in a subclass: `argsKey`, `nestKey`,
 * `nonFilterArgumentKeys` and `createCollectionFilter`.
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
  /** Lists of one name are one kind of list wherever they stand. */
  readonly name: string | undefined;
  /** For a created member: it goes to the end of every list that it matches. */
  readonly push: CollectionEdit<S>;
  /** For a created member: it goes to the start of every list that it matches. */
  readonly unshift: CollectionEdit<S>;
  /** Over a `Values`, for created or replaced members: each goes under its key into every map that it matches. */
  readonly assign: CollectionEdit<S, Denormalize<S>>;
  /** For a member that leaves the lists that the call's arguments match. The record itself stays and is updated. */
  readonly remove: CollectionEdit<S>;
  /** For a changed member: it leaves the lists that its fields contradict, and goes to the end of those that they match. */
  readonly move: CollectionEdit<S>;
  /** For a further page of the list that the arguments name: its members go to the end, those that are there stay. */
  readonly getPage: CollectionEdit<S, Denormalize<S>>;

  /** As `getPage`, where the arguments also say which page. */
  paginated(cursor: PageCursor): CollectionEdit<S, Denormalize<S>>;

  /**
   * As `push`, with a place of your own for the new member, and if given with another rule for which lists it enters.
   *
   * @example
   * ```ts
   * import { Collection, Entity } from 'restitch';
   *
   * class Post extends Entity {
   *   id = '';
   * }
   *
   * // The first one stays pinned.
   * const posts = new Collection([Post]);
   * const second = posts.addWith(([first = [], ...rest], added) => [first, added, rest].flat());
   * ```
   */
  addWith(
    merge: CollectionMerge,
    createCollectionFilter?: (...args: any[]) => CollectionFilter,
  ): CollectionEdit<S>;

  /** As `move`, with a place of your own in the lists that the member enters. */
  moveWith(merge: CollectionMerge): CollectionEdit<S>;

  /** What identifies a list that is asked for with these arguments: every member of theirs, a body included. */
  argsKey(...args: any[]): unknown;

  /** What identifies a list that is nested in a record, below plain objects too; undefined: it is that record's own. */
  nestKey(parent: unknown, key: string): Readonly<Record<string, unknown>> | undefined;

  /** Whether an argument does not decide membership. */
  nonFilterArgumentKeys(key: string): boolean;

  /**
   * Makes, of the arguments of a create, the rule that says which lists the new member enters: by default those whose every
   * argument that filters equals, as text, its field of that name, else the parameter or body of that name.
   */
  createCollectionFilter(...args: any[]): CollectionFilter;
}

/** The class `Collection` as a value. */
// `extends` clauses pick by the number of type parameters: the first signature takes three, which nobody writes.
export interface CollectionConstructor {
  /** Of classes by discriminator, and the field or function that chooses: short for a list of a `Union` of them. */
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

/** The class `Collection` as a value; see the interface of the same name. */
export const Collection: CollectionConstructor = allowMaps(CollectionClass, unionOf);
