import type {
  Collection,
  CollectionFilter,
  CollectionMerge,
  CollectionSchema,
  MemberOf,
} from './Collection.js';
import type { Denormalize } from './Schema.js';

/** What an answer does to lists: see the members of `Collection` with these names. */
export type CollectionAction = 'push' | 'unshift' | 'assign' | 'remove' | 'move' | 'page';

/** The actions that an endpoint of its own sends. */
export type EditAction = Exclude<CollectionAction, 'page'>;

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

/** An edit only needs the members' schema and the options, whatever arguments the list takes. */
export function editOf<S extends CollectionSchema, V>(
  collection: object,
  action: CollectionAction,
  options?: CollectionEditOptions,
): CollectionEdit<S, V> {
  return new CollectionEdit(collection as Collection<S>, action, options);
}

/** Gives a list its edits: each changes the lists of the very collection that it was taken from. */
export function setEdits(collection: object): void {
  for (const action of ['push', 'unshift', 'assign', 'remove', 'move', 'page'] as const) {
    Object.assign(collection, {
      [action === 'page' ? 'getPage' : action]: editOf(collection, action),
    });
  }
}
