import type { Listing } from '../store/cells/Cell.js';
import type { AppendPage } from '../store/journal/operations.js';
import type { InfinitePagination, PageInfo } from './createPagination.js';
import { askBefore } from './facts.js';
import { firstPage, insertPage, type Spot } from './insertPage.js';
import { limitOf } from './markOf.js';
import { isFirst, marksOf, type PageMark, textOf } from './PageMark.js';
import type { PageOperation } from './pageOperation.js';
import { prependPage } from './prependPage.js';

/**
 * Places a page in an infinite list. It belongs behind the mark whose next page it is; a page that
 * was loaded before replaces itself; a page before the first one goes to the start.
 *
 * ```
 *   list          a b c │ d e f              two pages
 *   page a x b    a x b │ c d e f            what followed b still follows it
 *   page b d      b │ d │ e f                a is gone, and so is c, which stood between b and d
 *   page x y z    x y z ⋮ a b c │ d e f      no row in common: unknown rows may stand between
 * ```
 *
 * A page whose place is gone changes nothing; the view asks again.
 */
export function arrangePage(
  pagination: InfinitePagination,
  info: PageInfo,
  before: Listing | undefined,
  page: PageOperation,
): Listing | undefined {
  const [first, second] = marksOf(before);
  if (page.type === 'replace') {
    if (!before?.isPaged || !first) {
      return firstPage(info, before, page);
    }
    // Pages may stand before it. If it was dropped, a refetch only updates its rows.
    const marks = marksOf(before);
    const index = marks.findIndex(({ ask }) => isFirst(ask));
    const spot = { start: marks[index - 1]?.end ?? 0, index, overlap: 0 };
    return index < 0 ? before : insertPage(pagination, info, before, page, spot);
  }
  // After an invalidation, the pages end with the next response.
  if (!before || !first || (second && !before.isPaged)) {
    return before;
  }
  const { positions } = pagination.style;
  if (positions && info.since !== undefined) {
    return positions.place(pagination, info, before, page);
  }
  const isBefore = textOf(askBefore(pagination, before)) === textOf(info.ask);
  // By position: a page that was loaded under the same number, but began behind it, stays behind it.
  const spot = isBefore && positions ? undefined : spotOf(pagination, info, before, page);
  if (spot) {
    return insertPage(pagination, info, before, page, spot);
  }
  return isBefore ? prependPage(pagination, info, before, page) : before;
}

const START: Spot = { start: 0, index: 0, overlap: 0 };

/** Returns the place of a page, or undefined if it is gone. */
function spotOf(
  { style }: InfinitePagination,
  info: PageInfo,
  before: Listing,
  { behind = before }: AppendPage,
): Spot | undefined {
  const marks = marksOf(before);
  const text = textOf(info.ask);
  if (text === textOf(marks[0]?.ask)) {
    return START;
  }
  if (isFirst(info.ask)) {
    return undefined;
  }
  const isAsked = ({ ask }: PageMark): boolean => textOf(ask) === text;
  const same = marks.findIndex(isAsked);
  const again = { start: marks[same - 1]?.end ?? 0, index: same, overlap: 0 };
  // Positions move with creates and deletes, so the list counts as it was at the request.
  const asked = style.positions ? behind : before;
  const askedMarks = marksOf(asked);
  if (same >= 0 && !askedMarks.some(isAsked)) {
    // Another response of the same page arrived since.
    return again;
  }
  const found = askedMarks.findIndex(
    (_, at) => textOf(style.next(asked, at) ?? undefined) === text,
  );
  const position = info.at?.(limitOf(info, askedMarks));
  const { mark = found, back = 0 } =
    position === undefined ? {} : placeBack(askedMarks, found, position);
  const after = marks.findIndex(({ ask }) => textOf(ask) === textOf(askedMarks[mark]?.ask));
  const { end } = marks[after] ?? {};
  if (found >= 0 && end !== undefined) {
    const start = Math.max(0, end - back);
    const overlap = (askedMarks[found]?.end ?? 0) - (askedMarks[mark]?.end ?? 0) + back;
    const inside = marks.findIndex((other) => other.end > start);
    const divided = overlap > 0 ? marks[inside] : undefined;
    // The list changed so much since the request that the page would take the place of the first one.
    if (divided && inside === 0 && start === 0) {
      // If nothing has changed, asking again would not help: its position was estimated wrongly.
      const isSame = JSON.stringify(askedMarks) === JSON.stringify(marks);
      return isSame ? { start: end, index: after + 1, overlap: 0 } : undefined;
    }
    // A page that fills a gap stands there, even if it was loaded before at the same position.
    const isThere = same >= 0 && marks[same]?.end === start && !marks[after]?.gap;
    const behind = isThere ? same : after + 1;
    return { start, index: divided ? inside : behind, overlap };
  }
  return same < 0 ? undefined : again;
}

/**
 * Returns the place of a position at or before the end of a mark: the mark that contains it, and the
 * number of its rows from there. Between marks, rows of the server may be unknown.
 */
function placeBack(
  marks: readonly PageMark[],
  from: number,
  position: number,
): { readonly mark: number; readonly back: number } {
  let mark = from;
  const beginOf = (index: number): number => marks[index - 1]?.end ?? 0;
  while (mark > 0 && position - (marks[mark]?.skew ?? 0) < beginOf(mark)) {
    mark -= 1;
  }
  const { end = 0, skew = 0 } = marks[mark] ?? {};
  return { mark, back: end - Math.min(end, Math.max(beginOf(mark), position - skew)) };
}
