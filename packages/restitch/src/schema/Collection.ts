import type { Denormalize, Schema } from './Schema.js';

/** The arguments that identify one list, as text. */
export type ListArgs = Readonly<Record<string, string>>;

/** Says, for the arguments of a create, which lists the new member belongs to. */
export type CollectionFilter = (listArgs: ListArgs) => boolean;

/** Settings of a `Collection`. */
// oxlint-disable-next-line typescript/no-explicit-any -- public generic default: a collection of whatever arguments
export interface CollectionOptions<Args extends readonly any[] = any> {
  /** Chooses from a call's arguments what identifies the list. Default: every member of the first argument. */
  readonly argsKey?: (...args: Args) => Readonly<Record<string, unknown>>;
  /** For a list nested in a record: what identifies it. Give the same names as the top-level list has, and they are one list. */
  // oxlint-disable-next-line typescript/no-explicit-any -- users annotate the parent with its own type
  readonly nestKey?: (parent: any, key: string) => Readonly<Record<string, unknown>>;
  /** Arguments that do not decide membership, such as a sort order. Default: none. */
  readonly nonFilterArgumentKeys?: readonly string[] | RegExp | ((key: string) => boolean);
  /** Replaces the rule by which a created member enters lists: called with the create's arguments. */
  readonly createCollectionFilter?: (...args: any[]) => CollectionFilter;
}

/** What an answer does to lists: see the members of `Collection` with these names. */
export type CollectionAction = 'push' | 'unshift' | 'remove' | 'move' | 'page';

/** The schema of an answer that holds a record, or several, and changes which lists they are in. */
export class CollectionEdit<
  S extends readonly Schema[] = readonly Schema[],
  V = Denormalize<S[number]>,
> {
  declare readonly '~value': V;
  readonly collection: Collection<S>;
  readonly action: CollectionAction;
  /** Of a page: what in the arguments of a call says which page. */
  readonly cursor: PageCursor | undefined;

  constructor(collection: Collection<S>, action: CollectionAction, cursor?: PageCursor) {
    this.collection = collection;
    this.action = action;
    this.cursor = cursor;
  }
}

/** Says which page is meant: a member of the first argument, or a function that gives the arguments of the list without it. */
// oxlint-disable-next-line typescript/no-explicit-any -- users annotate the arguments with their own types
export type PageCursor = string | ((...args: any[]) => readonly unknown[]);

/**
 * A list that changes: it has an identity (the arguments it was asked with), so creates can add to it and deletes take from
 * it without fetching it again. Its members are an ordered set by primary key.
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
export class Collection<
  S extends readonly Schema[] = readonly Schema[],
  // oxlint-disable-next-line typescript/no-explicit-any -- public generic default, as above
  Args extends readonly any[] = any,
> {
  declare readonly '~value': Denormalize<S>;
  readonly schema: S;
  readonly options: CollectionOptions<Args>;
  /** For a created member: it goes to the end of every list that it matches. */
  readonly push: CollectionEdit<S>;
  /** For a created member: it goes to the start of every list that it matches. */
  readonly unshift: CollectionEdit<S>;
  /** For a member that leaves the lists that the call's arguments match. The record itself stays and is updated. */
  readonly remove: CollectionEdit<S>;
  /** For a changed member: it leaves the lists that its fields contradict, and goes to the end of those that they match. */
  readonly move: CollectionEdit<S>;

  /** For a further page of the list that the arguments name: its members go to the end, those that are there stay. */
  readonly getPage: CollectionEdit<S, Denormalize<S>>;

  constructor(schema: S, options: CollectionOptions<Args> = {}) {
    if (!Array.isArray(schema) || schema.length !== 1) {
      throw new TypeError(
        '`new Collection(schema)` needs an array with exactly one member schema.',
      );
    }
    this.schema = schema;
    this.options = options;
    // An edit only needs the members' schema and the options, whatever arguments the list takes.
    const self = this as unknown as Collection<S>;
    this.push = new CollectionEdit(self, 'push');
    this.unshift = new CollectionEdit(self, 'unshift');
    this.remove = new CollectionEdit(self, 'remove');
    this.move = new CollectionEdit(self, 'move');
    this.getPage = new CollectionEdit<S, Denormalize<S>>(self, 'page');
  }

  /** As `getPage`, where the arguments also say which page. */
  paginated(cursor: PageCursor): CollectionEdit<S, Denormalize<S>> {
    // As above.
    return new CollectionEdit(this as unknown as Collection<S>, 'page', cursor);
  }
}

/** What identifies a list that is asked for with these arguments. */
export function identityOf({ options }: Collection, args: readonly unknown[]): unknown {
  return options.argsKey ? options.argsKey(...args) : args[0];
}

/** What identifies the list that a page belongs to. */
export function identityOfPage(
  { collection, cursor }: CollectionEdit,
  args: readonly unknown[],
): unknown {
  if (typeof cursor === 'function') {
    return identityOf(collection, cursor(...args));
  }
  const [params, ...rest] = args;
  if (cursor === undefined || typeof params !== 'object' || params === null) {
    return identityOf(collection, args);
  }
  const { [cursor]: _, ...remaining }: Readonly<Record<string, unknown>> = { ...params };
  return identityOf(collection, [remaining, ...rest]);
}

/** Finds the collection in a schema that is one, or is a plain object that holds one. */
export function collectionOf(schema: Schema): Collection | undefined {
  if (schema instanceof Collection) {
    return schema;
  }
  return isPlainSchema(schema)
    ? Object.values(schema).find((part) => part instanceof Collection)
    : undefined;
}

/** The schema of a further page: as that of the list, with its collection replaced by `page`. */
export function pageSchema(
  schema: Schema,
  collection: Collection,
  page: CollectionEdit<readonly Schema[], unknown>,
): Schema {
  return isPlainSchema(schema)
    ? Object.fromEntries(
        Object.entries(schema).map(([field, part]) => [field, part === collection ? page : part]),
      )
    : page;
}

function isPlainSchema(schema: Schema): schema is Readonly<Record<string, Schema>> {
  return (
    typeof schema === 'object' &&
    schema !== null &&
    Object.getPrototypeOf(schema) === Object.prototype
  );
}
