import type { Listing, PageMark as StoredMark } from '../store/cells/Cell.js';
import { isObject } from '../store/cells/plainValues.js';

/**
 * The parameters that select one page, such as `{ cursor: 'x1' }`. Names have the format of
 * `paginationField`, such as `page[number]` or `body.cursor`.
 */
export type PageParams = Readonly<Record<string, unknown>>;

export const FIRST: PageParams = {};

/**
 * One loaded page of a list. The rows of a page begin at the end of the previous mark. Creates and
 * deletes move the ends.
 *
 * ```
 *   members   x a b │ c d │ e f │ z      x was created at the start, z behind the last page
 *   ends            3     5     7
 * ```
 */
export interface PageMark extends StoredMark {
  /**
   * The parameters of the request for this page. Undefined if they would now read other rows: if
   * the first page was `a b c` and is now `x y z`, no request reads `a b c` again.
   */
  readonly ask?: PageParams | undefined;
  /**
   * The parameters of the following page; null if there is none. Also null for pages by position,
   * which compute the parameters from `end` and `skew`.
   */
  readonly next: PageParams | null;
  /** The parameters of the page before this one; null if there is none. */
  readonly previous: PageParams | null;
  /** True if the server has a further page. If null, `over` decides. */
  readonly more: boolean | null;
  /** The number of rows that a full page has; 0 if unknown. */
  readonly limit: number;
  /** The position of the end in the server's list, minus `end`; see `serverPositions.ts`. */
  readonly skew: number;
  /**
   * The number of rows in the server's list, minus the members of the list. Null if it is unknown,
   * and for all marks but the last.
   */
  readonly over: number | null;
  /**
   * For page numbers: the number of rows that a short page lacks, although another page follows.
   * For example, the server has left out rows that the user may not see.
   */
  readonly lack?: number | undefined;
  /** True if unknown rows may stand between this page and the next mark. */
  readonly gap: boolean;
  /** True if the list ends here because the server repeats its pages. */
  readonly repeats: boolean;
  /** The number of consecutive pages, up to this one, with rows that all are in earlier pages. */
  readonly idle: number;
  /**
   * True if `loadPrevious` put the page before the others. Its response may name no next page,
   * although pages follow.
   */
  readonly isFront: boolean;
  /**
   * For the first mark: true if the request of any page overlapped a mutation, see `overlaps.ts`.
   * The rows are then uncertain until a round replaces the list, see `Round.ts`.
   */
  readonly unsure: boolean;
  /**
   * For the first mark: the number of rows that were dropped in front, minus the number of rows
   * that `loadPrevious` put there.
   */
  readonly from: number;
  /**
   * For the first mark: the parameters of the pages that were dropped in front, the nearest page
   * last.
   */
  readonly dropped: readonly PageParams[];
}

const NONE: readonly PageMark[] = [];
/** Optimization: each list of marks is checked once. */
const checked = new WeakMap<object, readonly PageMark[]>();

/** Returns no marks if hydrated marks are damaged. */
export function marksOf(listing: Pick<Listing, 'marks'> | undefined): readonly PageMark[] {
  const { marks = NONE } = listing ?? {};
  const known = checked.get(marks) ?? (marks.every(isIntact) ? marks : NONE);
  checked.set(marks, known);
  return known;
}

function isIntact(stored: StoredMark): stored is PageMark {
  // The cast: the fields are checked here.
  const mark = stored as PageMark;
  const { ask, next, previous, limit, skew, lack, over, idle, from, dropped } = mark;
  return (
    [limit, skew, lack ?? 0, over ?? 0, idle, from].every(Number.isFinite) &&
    Array.isArray(dropped) &&
    [ask ?? FIRST, next ?? FIRST, previous ?? FIRST, ...dropped].every(isObject)
  );
}

export const textOf = (ask: PageParams | null | undefined): string | undefined =>
  JSON.stringify(ask);

export const isFirst = (ask: PageParams | undefined): boolean => textOf(ask) === textOf(FIRST);
