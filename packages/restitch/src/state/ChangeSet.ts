import type { ListState, ResultState, RowState } from '../store/cells/StoreState.js';

/**
 * The changes of one commit to the confirmed data of a store, as plain data that can be cloned. The
 * values are shared with the store, so do not change them.
 */
export interface ChangeSet {
  /** The number of the change, counted from 1 without gaps. */
  readonly seq: number;
  /** The time of the change, in milliseconds since 1970. */
  readonly at: number;
  /**
   * The reason for the change. `'response'`: a response or a failed request. `'local'`: a write of
   * the program or of a manager, or a batch with several reasons. `'hydrate'`: state from
   * elsewhere. `'reset'`: the store was emptied; rows, lists and results are empty.
   */
  readonly cause: 'response' | 'local' | 'hydrate' | 'reset';
  readonly rows: readonly RowChange[];
  readonly lists: readonly ListChange[];
  readonly results: readonly ResultChange[];
}

/** A record that was added, changed or deleted. */
export interface RowChange extends RowState {
  /** The `key` of the record's class. */
  readonly entity: string;
  /**
   * The time of the value, in milliseconds since 1970: the start of the request that read the
   * record, or the time of the response to its last mutation. The greater value is newer.
   */
  readonly rankedAt: number;
  /** The temporary key until now, if the server has just returned the real key. */
  readonly renamedFrom?: string;
}

/** A list that was added or changed. */
export interface ListChange extends ListState {
  /** The kind of the members, as in `StoreState.lists`. */
  readonly kind: string;
}

/** A result that was stored. With `gone`, a result that was invalidated or replaced by an error. */
export type ResultChange =
  | (ResultState & { readonly gone?: never })
  | Pick<ResultState & { readonly gone: true }, 'key' | 'schema' | 'gone'>;
