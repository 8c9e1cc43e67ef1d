import type { EndpointInterface, SchemaOf, ValueOf } from '../endpoint/EndpointInterface.js';
import type { Pagination } from '../endpoint/Pagination.js';
import type { CollectionIn, MemberIn } from '../endpoint/ListEdits.js';
import type { View } from '../controller/View.js';
import type { Collection } from '../schema/Collection.js';

/** An endpoint that reads a list in pages. */
export interface PagedEndpoint extends EndpointInterface {
  readonly sideEffect?: false | undefined;
  readonly pagination: Pagination;
}

/** A member of the list that an endpoint reads. */
export type InfiniteMember<E> =
  CollectionIn<SchemaOf<E>> extends infer C extends Collection ? MemberIn<C> : never;

/** The page fields of an endpoint: the fields next to its list. */
export type BesideOf<E> =
  ValueOf<E> extends infer V
    ? V extends readonly unknown[]
      ? {}
      : { readonly [K in keyof V as K extends ListField<SchemaOf<E>> ? never : K]: V[K] }
    : never;

type ListField<S> = {
  [K in keyof S]: S[K] extends Collection ? K : never;
}[keyof S];

/** The calls that change which pages of a list are loaded. */
export interface InfiniteActions {
  /**
   * Loads the page after the last one, or the rows of a gap between two pages (see `onGap`). Calls
   * during the request return the same promise. The promise never rejects; `nextError` contains a
   * failure.
   *
   * @remarks If only the end of a create or delete in flight can show more rows, the promise waits
   * for it, but at most two minutes.
   */
  readonly loadNext: () => Promise<void>;
  /** Loads the page before the first loaded page. `previousError` contains a failure. */
  readonly loadPrevious: () => Promise<void>;
  /**
   * Fetches the first page again (the default) or all loaded pages. While the document is hidden,
   * fetches only the first page. The rows stay until the responses arrive. The promise never
   * rejects.
   */
  readonly refresh: (what?: 'first' | 'loaded') => Promise<void>;
}

/**
 * The loaded pages of a list as one array, and their state. The object stays the same while nothing
 * changes.
 */
export interface InfiniteList<E> extends InfiniteActions {
  /** All loaded rows in order, each once. The array stays the same while no row changes. */
  readonly items: readonly InfiniteMember<E>[];
  /** The page fields of the last page, such as a count. */
  readonly beside: BesideOf<E>;
  /** The number of rows in the whole list, if the pagination has a `total`. */
  readonly total: number | undefined;
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
  readonly isLoadingNext: boolean;
  readonly isLoadingPrevious: boolean;
  /**
   * True while `refresh` runs, or while pages load again because a create or delete overlapped
   * their requests.
   */
  readonly isRefreshing: boolean;
  /**
   * The error of the last `loadNext`, or else of the last refresh. The error of `refresh('first')`
   * is in the snapshot instead, unless `loadPrevious` or `maxPages` has replaced the first page.
   * The error is removed when the same call is repeated, when `refresh('loaded')` succeeds, or when
   * the list is invalidated. `loadNext` and `loadPrevious` also remove the error of a refresh.
   */
  readonly nextError: Error | undefined;
  /**
   * The error of the last `loadPrevious`. It is removed when `loadPrevious` is called again, when
   * `refresh('loaded')` succeeds, or when the list is invalidated.
   */
  readonly previousError: Error | undefined;
  /**
   * The index of the first row, for virtual lists. If `loadPrevious` puts 20 rows in front, the
   * index falls by 20. If `maxPages` drops 20 rows there, it rises by 20.
   */
  readonly firstIndex: number;
  /** The index of the last row before a gap, which `loadNext` fills. See `onGap`. */
  readonly gapAfter: number | undefined;
}

/** The live view of an infinite list. */
export interface InfiniteView<E> extends View<InfiniteList<E>>, InfiniteActions {}
