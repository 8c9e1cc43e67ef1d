import type { Listing, PageMark as StoredMark } from '../store/cells/Cell.js';
import { isObject } from '../store/cells/plainValues.js';

/** The parameters that choose one page, by name, as in `paginationField`. */
export type PageParams = Readonly<Record<string, unknown>>;

/** The parameters of the first page: none. */
export const FIRST: PageParams = {};

/**
 * One loaded page of a list. A page is a mark on the list, not an array. Its members stand between
 * the end of the previous mark and its own end. Creates and deletes move the ends.
 *
 * ```
 *   members   x a b │ c d │ e f ║ 9      9 was created at the end; x at the start
 *   ends            3     5     7
 * ```
 */
export interface PageMark extends StoredMark {
  /**
   * The parameters of the request. Undefined if the rows do not begin at the start of a page, for
   * example behind a gap.
   */
  readonly ask?: PageParams | undefined;
  /** The parameters of the following page. Null for pages by position, which compute them. */
  readonly next: PageParams | null;
  /** The parameters of the page before this one. */
  readonly previous: PageParams | null;
  /** True if the server has a further page; null if the total decides. */
  readonly more: boolean | null;
  /** The number of rows that a full page has; 0 if unknown. */
  readonly limit: number;
  /** The position of the end in the server's list, minus `end`; see `serverPositions.ts`. */
  readonly skew: number;
  /**
   * The number of rows in the server's list, minus the members of the list. Only the last mark has
   * it.
   */
  readonly over: number | null;
  /** True if unknown rows may stand between this page and the next mark. */
  readonly gap: boolean;
  /** True if the list ends here because the server repeats its pages. */
  readonly repeats: boolean;
  /** The number of consecutive pages without a new row, up to this page. */
  readonly idle: number;
  /** True if the page was put before the others. Its response may not name the next page. */
  readonly isFront: boolean;
  /**
   * For the first mark: true if the request of a page overlapped a mutation, see `overlaps.ts`. The
   * rows and their order are uncertain until a round replaces the list.
   */
  readonly unsure: boolean;
  /**
   * For the first mark: the number of rows that were dropped in front, minus those that were put
   * there.
   */
  readonly from: number;
  /**
   * For the first mark: the parameters of the pages that were dropped in front, the nearest page
   * last.
   */
  readonly dropped: readonly PageParams[];
}

const NONE: readonly PageMark[] = [];
/** Optimization: the marks of a list are checked once. */
const checked = new WeakMap<object, readonly PageMark[]>();

/** Returns the pages of a list. Empty if they are unknown, or if hydrated marks are damaged. */
export function marksOf(listing: Pick<Listing, 'marks'> | undefined): readonly PageMark[] {
  const { marks = NONE } = listing ?? {};
  const known = checked.get(marks) ?? (marks.every(isIntact) ? marks : NONE);
  checked.set(marks, known);
  return known;
}

function isIntact(stored: StoredMark): stored is PageMark {
  // The cast: other fields are checked here.
  const mark = stored as PageMark;
  const { ask, next, previous, limit, skew, over, idle, from, dropped } = mark;
  return (
    [limit, skew, over ?? 0, idle, from].every(Number.isFinite) &&
    Array.isArray(dropped) &&
    [ask ?? FIRST, next ?? FIRST, previous ?? FIRST, ...dropped].every(isObject)
  );
}

/** Returns page parameters as text, for comparison. */
export const textOf = (ask: PageParams | undefined): string | undefined => JSON.stringify(ask);

export const isFirst = (ask: PageParams | undefined): boolean => textOf(ask) === textOf(FIRST);
