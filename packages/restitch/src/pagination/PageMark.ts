import type { Listing, PageMark as StoredMark } from '../store/cells/Cell.js';
import { isObject } from '../store/cells/plainValues.js';

/** Page parameters by name, as in `paginationField`: they choose one page. */
export type PageParams = Readonly<Record<string, unknown>>;

/** The parameters of the first page: none. */
export const FIRST: PageParams = {};

/**
 * One loaded page of a list. A page is a mark on the list, not an array: its members are those
 * between the end of the mark before and its own end. Creates and deletes move the ends.
 *
 * ```
 *   members   x a b │ c d │ e f ║ 9      9 was created at the end; x at the start
 *   ends            3     5     7
 * ```
 */
export interface PageMark extends StoredMark {
  /** The parameters of its request. Undefined if a newer page separated it from its start. */
  readonly ask?: PageParams | undefined;
  /** The parameters of the following page. Pages by number compute them instead. */
  readonly next: PageParams | null;
  /** The parameters of the page before. */
  readonly previous: PageParams | null;
  /** True if the server has a further page; null if only the total says so. */
  readonly more: boolean | null;
  /** The number of rows that a full page has; 0 if unknown. */
  readonly limit: number;
  /** The position of its end in the server's list, less `end`. */
  readonly skew: number;
  /** True if its position or its total is uncertain: see `overlaps.ts`. */
  readonly unsure: boolean;
  /** For the last mark: the number of rows in the server's list, less `end`. */
  readonly over: number | null;
  /** True if unknown rows follow. */
  readonly gap: boolean;
  /** True if the list ends here because the server repeats its pages. */
  readonly repeats: boolean;
  /** The number of pages up to this one that had rows, but no new ones. */
  readonly idle: number;
  /** True if the page was put before the others: its response may name no next page. */
  readonly isFront: boolean;
  /** Pages that arrived later have higher numbers. */
  readonly read: number;
  /** The `since` of its round, or 0: see `refreshRounds.ts`. */
  readonly round: number;
  /**
   * For the first mark: the number of rows that were dropped before it, less those put before it.
   */
  readonly from: number;
  /** For the first mark: the pages that were dropped before it, the nearest last. */
  readonly dropped: readonly PageParams[];
  /** For the first mark: the members that followed the pages when a page arrived last. */
  readonly pushed: readonly unknown[];
  /** For the first mark: pages with higher numbers were requested after the last of them came. */
  readonly pushedAt: number;
}

const NONE: readonly PageMark[] = [];
/** Optimization: marks are checked once. */
const checked = new WeakMap<object, readonly PageMark[]>();

/**
 * The pages of a list; empty if they are unknown. Damaged marks of hydrated state are unknown, too.
 */
export function marksOf(listing: Pick<Listing, 'marks'> | undefined): readonly PageMark[] {
  const { marks = NONE } = listing ?? {};
  const known = checked.get(marks) ?? (marks.every(isIntact) ? marks : NONE);
  checked.set(marks, known);
  return known;
}

/** Returns true if a mark has the fields that this folder reads. */
function isIntact(stored: StoredMark): stored is PageMark {
  // The cast: other fields are checked here.
  const mark = stored as PageMark;
  const { ask, next, previous, limit, skew, over, idle, read, from, dropped, pushed } = mark;
  return (
    [limit, skew, over ?? 0, idle, read, from, mark.pushedAt].every(Number.isFinite) &&
    Array.isArray(dropped) &&
    Array.isArray(pushed) &&
    [ask ?? FIRST, next ?? FIRST, previous ?? FIRST, ...dropped].every(isObject)
  );
}

/** Page parameters as text, for comparison. */
export const textOf = (ask: PageParams | undefined): string | undefined => JSON.stringify(ask);

/** Returns true for the parameters of the first page. */
export const isFirst = (ask: PageParams | undefined): boolean => textOf(ask) === textOf(FIRST);
