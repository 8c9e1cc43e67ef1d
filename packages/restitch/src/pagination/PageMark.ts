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
   * The parameters that select this page. Undefined if the parameters would now read other rows: if
   * the first page was `a b c` and is now `x y z`, no request reads `a b c` again.
   */
  readonly ask?: PageParams | undefined;
  /** With cursors and links: the next page, or null after the last page. Otherwise null. */
  readonly next: PageParams | null;
  readonly previous: PageParams | null;
  /** True if the server has a further page. If null, `over` decides. */
  readonly more: boolean | null;
  /** The number of rows of a full page that is requested without a size; 0 if unknown. */
  readonly limit: number;
  /** The position of the end in the server's list, minus `end`; see `serverPositions.ts`. */
  readonly skew: number;
  /** For the last mark: the total on the server, minus `members.length`. Null if unknown. */
  readonly over: number | null;
  /** For page numbers: the number of missing rows, for example rows hidden from the user. */
  readonly lack?: number | undefined;
  /** The number of rows that the page sent again, or that `process` skipped. */
  readonly unlisted?: number | undefined;
  /** True if unknown rows may stand between this page and the next mark. */
  readonly gap: boolean;
  /** True if the list ends here because the server repeats its pages. */
  readonly repeats: boolean;
  /** The number of consecutive pages, up to this one, that added no new row. */
  readonly idle: number;
  /** True if `loadPrevious` loaded the page. Its response may contain no `next`. */
  readonly isFront: boolean;
  /**
   * For the first mark: true if rows may be missing or misplaced. For example, a create overlapped
   * the request for a page. A round then loads all pages again.
   */
  readonly unsure: boolean;
  /** For the first mark: the number of dropped rows, minus the rows that `loadPrevious` added. */
  readonly from: number;
  /**
   * For the first mark: the parameters of the pages dropped in front, the nearest page last. Null if
   * the page behind names the dropped page as its previous one, see `dropFirst`.
   */
  readonly dropped: readonly (PageParams | null)[];
}

const NONE: readonly PageMark[] = [];
const checked = new WeakMap<object, readonly PageMark[]>();

/** Returns no marks if hydrated marks are damaged. */
export function marksOf(listing: Pick<Listing, 'marks'> | undefined): readonly PageMark[] {
  const { marks = NONE } = listing ?? {};
  const known = checked.get(marks) ?? (marks.every(isIntact) ? marks : NONE);
  checked.set(marks, known);
  return known;
}

function isIntact(stored: StoredMark): stored is PageMark {
  const mark = stored as PageMark;
  const { ask, next, previous, limit, skew, lack, unlisted, over, idle, from, dropped } = mark;
  return (
    [limit, skew, lack ?? 0, unlisted ?? 0, over ?? 0, idle, from].every(Number.isFinite) &&
    Array.isArray(dropped) &&
    [ask, next, previous, ...dropped].every((params) => isObject(params ?? FIRST))
  );
}

export const textOf = (ask: PageParams | null | undefined): string | undefined =>
  JSON.stringify(ask);

export const isFirst = (ask: PageParams | undefined): boolean => textOf(ask) === textOf(FIRST);
