import type { Listing } from '../store/cells/Cell.js';
import type { AppendPage } from '../store/journal/operations.js';
import type { InfinitePagination, PageInfo } from './createPagination.js';
import { askBefore } from './facts.js';
import { firstPage, insertPage, type Spot } from './insertPage.js';
import { limitOf } from './markOf.js';
import { marksOf, textOf } from './PageMark.js';
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
    // If the first page was dropped, a refetch only updates its rows.
    return first.ask === null
      ? insertPage(pagination, info, before, page, { start: 0, index: 0, overlap: 0 })
      : before;
  }
  // After an invalidation, the pages end with the next response.
  if (!before || !first || (second && !before.isPaged)) {
    return before;
  }
  const spot = spotOf(pagination, info, before, page);
  if (spot) {
    return insertPage(pagination, info, before, page, spot);
  }
  return textOf(askBefore(pagination, before)) === textOf(info.ask)
    ? prependPage(pagination, info, before, page)
    : before;
}

/** Returns the place of a page, or undefined if it is gone. */
function spotOf(
  { style }: InfinitePagination,
  info: PageInfo,
  before: Listing,
  { behind = before }: AppendPage,
): Spot | undefined {
  const marks = marksOf(before);
  const text = textOf(info.ask);
  // Positions move with creates and deletes, so the list counts as it was at the request.
  const asked = style.isNumeric ? behind : before;
  const found = marksOf(asked).findLast((_, at) => textOf(style.next(asked, at)) === text);
  const after = found ? marks.findIndex(({ ask }) => textOf(ask) === textOf(found.ask)) : -1;
  const mark = marks[after];
  if (mark && found) {
    const position = info.at?.(limitOf(info, marks));
    const overlap = position === undefined ? 0 : Math.max(0, found.end + found.skew - position);
    const start = Math.max(0, mark.end - overlap);
    const inside = marks.findIndex(({ end }) => end > start);
    return { start, index: overlap > 0 && inside >= 0 ? inside : after + 1, overlap };
  }
  const same = marks.findIndex(({ ask }) => textOf(ask) === text);
  return same < 0 ? undefined : { start: marks[same - 1]?.end ?? 0, index: same, overlap: 0 };
}
