import type {
  Collection,
  CollectionFilter,
  CollectionMerge,
  CollectionSchema,
  MemberOf,
} from './Collection.js';
import type { Denormalize } from './Schema.js';

/**
 * The effect of a response on lists. Each action is also the name of a property of `Collection`,
 * except `page`: its property is `getPage`.
 */
export type CollectionAction = 'push' | 'unshift' | 'assign' | 'remove' | 'move' | 'page';

export type EditAction = Exclude<CollectionAction, 'page'>;

export const EDIT_ACTIONS: readonly EditAction[] = ['push', 'unshift', 'assign', 'remove', 'move'];

/**
 * Selects the page parameter of a call. A string names a member of the first argument (`page`), a
 * nested member (`page[number]`) or a member of the body (`body.page`). A function returns the
 * arguments without the page parameter.
 */
export type PageCursor = string | ((...args: any[]) => readonly unknown[]);

/** Options of `paginated`, `addWith` and `moveWith` of a `Collection`. */
export interface CollectionEditOptions {
  /** Set by `paginated`. The other arguments of a call identify the list. */
  readonly cursor?: PageCursor;
  /** Set by `addWith` and `moveWith`: places the new members in the list. */
  readonly merge?: CollectionMerge;
  /** Returns the rule that selects the lists to edit. Replaces the rule of the collection. */
  readonly createCollectionFilter?: ((...args: any[]) => CollectionFilter) | undefined;
}

/** The schema of a response whose records are added to, moved between or removed from lists. */
export class CollectionEdit<
  S extends CollectionSchema = CollectionSchema,
  V = Denormalize<MemberOf<S>>,
> {
  declare readonly '~value': V;
  declare readonly collection: Collection<S>;
  declare readonly action: CollectionAction;
  declare readonly options: CollectionEditOptions;

  constructor(collection: object, action: CollectionAction, options: CollectionEditOptions = {}) {
    // The cast: every caller passes a collection with the schema `S`.
    this.collection = collection as Collection<S>;
    this.action = action;
    this.options = options;
  }
}

export function setEdits(collection: object): void {
  for (const action of EDIT_ACTIONS) {
    Object.assign(collection, { [action]: new CollectionEdit(collection, action) });
  }
  Object.assign(collection, { getPage: new CollectionEdit(collection, 'page') });
}
