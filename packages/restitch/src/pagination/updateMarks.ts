import type { Listing } from '../store/cells/Cell.js';
import type { PageInfo } from './createPagination.js';
import { totalOf } from './listEnds.js';
import { isFirst, marksOf, type PageMark, textOf } from './PageMark.js';

export type Edge = Pick<PageMark, 'unsure' | 'from' | 'dropped'>;

export function finished(
  list: Listing,
  marks: readonly PageMark[],
  { total: given, isOverlapped = false }: Pick<PageInfo, 'total' | 'isOverlapped'>,
  before: Listing | undefined,
  edge: Edge | undefined = marksOf(before)[0],
): Listing {
  const total = given ?? (before && totalOf(before));
  const over = total === undefined ? null : total - list.members.length;
  const { from, dropped, unsure } = edge ?? NO_EDGE;
  const own = { from, dropped, unsure: unsure || isOverlapped };
  const all = marks.map((mark, index) => ({
    ...mark,
    ...(index === 0 ? own : NO_EDGE),
    over: index === marks.length - 1 ? over : null,
  }));
  return {
    ...list,
    head: all[0]?.end ?? 0,
    tail: all.at(-1)?.end ?? 0,
    isPaged: all.length > 1 || !isFirst(all[0]?.ask),
    marks: all,
  };
}

/** A round then loads all pages of the list again. */
export function madeUnsure(list: Listing): Listing {
  return finished(list, marksOf(list), { isOverlapped: true }, list);
}

export const NO_EDGE: Edge = { unsure: false, from: 0, dropped: [] };

/**
 * Ends the list if the server repeats its pages. Otherwise, loading would never end. A page repeats
 * if its next page is already loaded, or if more than `MOST_IDLE` consecutive pages add no row. One
 * page without a new row is normal: creates of other clients shift rows into the next page. With
 * cursors and links, empty pages do not count: servers that filter rows may send any number of them.
 * `added` is the number of new rows among the `size` rows of the page.
 */
export function withoutRepeat(
  page: PageMark,
  ahead: readonly PageMark[],
  { isNumbered }: PageInfo,
  size: number,
  added: number,
): PageMark {
  const isIdle = (size > 0 || (isNumbered && !page.unlisted)) && added === 0;
  const mark = { ...page, idle: isIdle ? (ahead.at(-1)?.idle ?? 0) + 1 : 0 };
  const next = mark.next && textOf(mark.next);
  const isKnown = next !== null && [...ahead, mark].some(({ ask }) => textOf(ask) === next);
  return isKnown || mark.idle > MOST_IDLE
    ? { ...mark, next: null, more: false, repeats: true }
    : mark;
}

export const MOST_IDLE = 3;

/**
 * The parameters of a dropped page are null if only the page behind names the page. If other clients
 * move rows, a new response of the page behind names another previous page. The old parameters would
 * then skip rows:
 *
 * ```
 *   list      1 2 │ 3 4     3 4 is the opening page and names `?before=3`; 1 2 is dropped
 *   refresh   7 8           the opening page is now 7 8 and names `?before=7`: 5 6
 * ```
 */
export function dropFirst(list: Listing, count: number = Infinity): Listing {
  const marks = marksOf(list);
  const far = marks.slice(0, Math.max(0, marks.length - count));
  const rows = far.at(-1)?.end ?? 0;
  if (far.length === 0) {
    return list;
  }
  const { from, dropped, ...others } = marks[0] ?? NO_EDGE;
  const asks = far.flatMap(({ ask, next, isFront }, index) => {
    const { ask: other, previous } = marks[index + 1] ?? {};
    const isNamed = isFront && other && previous && textOf(next) !== textOf(other);
    return ask ? [isNamed ? null : ask] : [];
  });
  const edge = { ...others, from: from + rows, dropped: [...dropped, ...asks] };
  const members = list.members.slice(rows);
  const kept = marks
    .slice(far.length)
    .map((mark) => ({ ...mark, end: mark.end - rows, skew: mark.skew + rows }));
  return finished({ ...list, members }, kept, {}, list, edge);
}

/**
 * Keeps all pages if the new last page names no next page: `loadNext` could not load the dropped
 * pages again. For example, the response to `loadPrevious` may name only a previous page.
 */
export function dropLast(list: Listing, count: number = Infinity): Listing {
  const marks = marksOf(list);
  const kept = marks.slice(0, count);
  const last = kept.at(-1);
  const end = last?.end ?? 0;
  if (kept.length === marks.length || last?.more === false) {
    return list;
  }
  const members = [...list.members.slice(0, end), ...list.members.slice(list.tail)];
  return finished({ ...list, members, end: members[end - 1] }, kept, {}, list);
}
