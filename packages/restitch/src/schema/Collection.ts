import { isDevelopment } from '../errors/development.js';
import { hasNames } from './argText.js';
import { setField } from './fields.js';
import { fitOf } from './fit.js';
import { warnOptions } from './misspeltOptions.js';
import type { Denormalize, Schema } from './Schema.js';
import {
  type SharedField,
  type Union,
  type UnionChoice,
  type UnionDefinition,
  unionOf,
} from './Union.js';
import { Values } from './Values.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

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

/** What an answer does to lists: see the members of `Collection` with these names. */
export type CollectionAction = 'push' | 'unshift' | 'assign' | 'remove' | 'move' | 'page';

/**
 * Says which page is meant: a member of the first argument (`page`, or `page[number]` in an object of it), one of the body
 * (`body.page`), or a function that gives the arguments of the list without it.
 */
export type PageCursor = string | ((...args: any[]) => readonly unknown[]);

/** How an edit of a list differs from the usual one of its action. */
export interface CollectionEditOptions {
  /** Of a page: what in the arguments of a call says which page. */
  readonly cursor?: PageCursor;
  /** Where members are put. */
  readonly merge?: CollectionMerge;
  /** Which lists are meant, in place of the collection's own rule. */
  readonly createCollectionFilter?: ((...args: any[]) => CollectionFilter) | undefined;
}

/** The schema of an answer that holds a record, or several, and changes which lists they are in. */
export class CollectionEdit<
  S extends CollectionSchema = CollectionSchema,
  V = Denormalize<MemberOf<S>>,
> {
  declare readonly '~value': V;
  readonly collection: Collection<S>;
  readonly action: CollectionAction;
  readonly options: CollectionEditOptions;

  constructor(
    collection: Collection<S>,
    action: CollectionAction,
    options: CollectionEditOptions = {},
  ) {
    this.collection = collection;
    this.action = action;
    this.options = options;
  }
}

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
// As for `Values`: a map of classes gives another type of instance.
export const Collection: CollectionConstructor = class<S extends CollectionSchema> {
  declare readonly '~value': Denormalize<S>;
  readonly schema: S;
  readonly options: CollectionOptions;
  readonly name: string | undefined;
  readonly push: CollectionEdit<S>;
  readonly unshift: CollectionEdit<S>;
  readonly assign: CollectionEdit<S, Denormalize<S>>;
  readonly remove: CollectionEdit<S>;
  readonly move: CollectionEdit<S>;
  readonly getPage: CollectionEdit<S, Denormalize<S>>;

  constructor(
    schema: S,
    options: CollectionOptions & { readonly schemaAttribute?: string | UnionChoice } = {},
  ) {
    if (!(schema instanceof Values) && (!Array.isArray(schema) || schema.length !== 1)) {
      throw new TypeError(
        isDevelopment
          ? '`new Collection(schema)` needs an array with exactly one member schema, or a `Values`.'
          : 'Collection',
      );
    }
    if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
      warnOptions('Collection', options);
    }
    const { schemaAttribute } = options;
    // The cast: the signatures say which schema comes of which arguments.
    this.schema = (
      schemaAttribute && Array.isArray(schema) ? [unionOf(schema[0], schemaAttribute)] : schema
    ) as S;
    this.options = options;
    this.name = options.name;
    const edits = editsOf<S>(this);
    this.push = edits.push;
    this.unshift = edits.unshift;
    this.assign = edits.assign;
    this.remove = edits.remove;
    this.move = edits.move;
    this.getPage = edits.getPage;
  }

  paginated(cursor: PageCursor): CollectionEdit<S, Denormalize<S>> {
    return edit(this, 'page', { cursor });
  }

  addWith(
    merge: CollectionMerge,
    createCollectionFilter?: (...args: any[]) => CollectionFilter,
  ): CollectionEdit<S> {
    return edit(this, 'push', { merge, createCollectionFilter });
  }

  moveWith(merge: CollectionMerge): CollectionEdit<S> {
    return edit(this, 'move', { merge });
  }

  argsKey(...args: any[]): unknown {
    const { argsKey } = this.options;
    return argsKey ? argsKey(...args) : joinedArgs(args);
  }

  nestKey(parent: unknown, key: string): Readonly<Record<string, unknown>> | undefined {
    return this.options.nestKey?.(parent, key);
  }

  nonFilterArgumentKeys(key: string): boolean {
    const { nonFilterArgumentKeys: names } = this.options;
    if (names === undefined) {
      return false;
    }
    if (typeof names === 'function') {
      return names(key);
    }
    // `search` rather than `test`: a pattern with the flag `g` remembers where it stopped.
    return names instanceof RegExp ? key.search(names) >= 0 : names.includes(key);
  }

  createCollectionFilter(...args: any[]): CollectionFilter {
    const own = this.options.createCollectionFilter;
    return own
      ? own(...args)
      : (wanted, record) =>
          fitOf((key) => this.nonFilterArgumentKeys(key), wanted, record, args) === 'matches';
  }
} as CollectionConstructor;

function edit<S extends CollectionSchema, V>(
  collection: object,
  action: CollectionAction,
  options?: CollectionEditOptions,
): CollectionEdit<S, V> {
  // An edit only needs the members' schema and the options, whatever arguments the list takes.
  return new CollectionEdit(collection as Collection<S>, action, options);
}

/** The edits that a collection has as members. */
type Edits<S extends CollectionSchema> = Pick<
  Collection<S>,
  'push' | 'unshift' | 'assign' | 'remove' | 'move' | 'getPage'
>;

/** The edits of a list: each changes the lists of the very collection that it was taken from. */
export function editsOf<S extends CollectionSchema>(collection: Collection<S>): Edits<S> {
  return {
    push: edit(collection, 'push'),
    unshift: edit(collection, 'unshift'),
    assign: edit(collection, 'assign'),
    remove: edit(collection, 'remove'),
    move: edit(collection, 'move'),
    getPage: edit(collection, 'page'),
  };
}

/**
 * Under this name of its arguments, a list tells which of them are no members of the first argument of a call: `({ a }, { b })` is
 * another question than `({ a, b }, {})`. It decides no membership, and no rule of a user's own is given it.
 */
export const LATER = '@';

/** All arguments of a call as one: the members of the first, and what further ones add. Names that stand twice stay apart. */
function joinedArgs([first, ...rest]: readonly unknown[]): unknown {
  if (rest.every((arg) => arg === undefined)) {
    return first;
  }
  const joined: Record<string, unknown> = {};
  const later: string[] = [];
  for (const [index, arg] of [first, ...rest].entries()) {
    for (const [name, value] of hasNames(arg)
      ? Object.entries(arg)
      : [[`@${index}`, arg] as const]) {
      setField(joined, Object.hasOwn(joined, name) ? `@${index}.${name}` : name, value);
      if (index > 0 && value !== undefined && hasNames(arg)) {
        later.push(JSON.stringify([index, name]));
      }
    }
  }
  return later.length > 0 ? { ...joined, [LATER]: later.sort().join() } : joined;
}
