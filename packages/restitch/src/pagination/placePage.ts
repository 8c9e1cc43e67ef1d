import type { Listing } from '../store/cells/Cell.js';
import type { InfinitePagination, PageInfo } from './createPagination.js';
import { askBefore, nextIndex } from './listEnds.js';
import { firstPage, insertPage } from './insertPage.js';
import { limitOf } from './markOf.js';
import { isFirst, marksOf, textOf } from './PageMark.js';
import { type PageOperation, sizeOf } from './pageOperation.js';
import { prependPage } from './prependPage.js';
import { beginOf, pageSizeIn, type Spot, spotAt, UNKNOWN_SIZE } from './serverPositions.js';
import { madeUnsure } from './updateMarks.js';

/**
 * A page that was loaded before replaces its old rows. A new page is placed behind the page that it
 * follows, or at the start. In these examples, the first page is loaded again. `│` ends a page; `⋮`
 * is a gap:
 *
 * ```
 *   list          a b c │ d e f              two pages
 *   page a x b    a x b │ c │ d e f          c stays, because it is behind the shared row b
 *   page b d      b d │ e f                  a and c are removed: they are before the shared row d
 *   page x y z    x y z ⋮ a b c │ d e f      no shared row: unknown rows may stand between
 * ```
 *
 * If the list no longer contains the page that a new page follows, the new page is ignored.
 * `PageLoader` then computes the parameters of the page again, and repeats the request.
 */
export function placePage(
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
    // If `maxPages` dropped the first page, `index` is -1. The response of this page then updates
    // only records, except in a chat: see below.
    const marks = marksOf(before);
    const index = marks.findIndex(({ ask }) => isFirst(ask));
    const begin = beginOf(marks, index);
    const { previous = null, dropped = [] } = marks[index] ?? {};
    const isBehind = marks[index - 1]?.isFront ?? dropped.at(-1) === null;
    let start = begin;
    if (isBehind && textOf(info.previous) !== textOf(previous)) {
      // The response names another previous page than before. So other clients created or deleted
      // rows between these two pages. The rows before the first shared row stay.
      const named = new Set(page.members);
      start = before.members.slice(0, before.tail).findIndex((member) => named.has(member));
      if (start < 0) {
        return madeUnsure(before);
      }
    }
    if (index < 0) {
      // A chat opens with its last page, which `maxPages` may drop. A later poll of this page may
      // contain new messages at unknown positions. Then all pages are loaded again.
      const isChat = info.previous && !info.next && nextIndex(before) === undefined;
      const isNew = page.members.some((member) => !before.members.includes(member));
      const isUnsure = info.isOverlapped || !first.ask || (isChat && isNew);
      return isUnsure ? madeUnsure(before) : before;
    }
    const spot = { start: Math.max(begin, start), index };
    // The rows that stay keep the previous page that they follow.
    const own = start > begin ? { ...info, previous } : info;
    return insertPage(pagination, own, before, page, spot);
  }
  // Only a response of the first page may change an invalidated list, which is not `isPaged`.
  if (!before || !first || (second && !before.isPaged)) {
    return before;
  }
  const limit = pageSizeIn(marksOf(before), info.limit);
  if (info.isNumbered && limit === UNKNOWN_SIZE && !isFirst(info.ask)) {
    // Another reader has loaded all pages with its own size. The first page reveals the size.
    return before;
  }
  const isBefore = textOf(askBefore(pagination, before, info.limit)) === textOf(info.ask);
  const spot = info.at
    ? (spotAt(marksOf(before), info.at(limitOf(info, marksOf(before), sizeOf(page)))) ??
      spotBehindShort(pagination, info, before))
    : spotByCursorOrLink(pagination, info, before);
  if (isBefore && info.at) {
    return prependPage(pagination, info, before, page);
  }
  if (spot) {
    return insertPage(pagination, info, before, page, spot);
  }
  return isBefore ? prependPage(pagination, info, before, page) : before;
}

/** A page with missing rows leaves positions empty. The next page is placed directly behind it. */
function spotBehindShort(
  { style }: InfinitePagination,
  info: PageInfo,
  before: Listing,
): Spot | undefined {
  const last = nextIndex(before) ?? -1;
  const isNext =
    info.isNumbered &&
    textOf(style.next(before, last, info.limit) ?? undefined) === textOf(info.ask);
  return isNext ? { start: beginOf(marksOf(before), last + 1), index: last + 1 } : undefined;
}

const START: Spot = { start: 0, index: 0 };

function spotByCursorOrLink(
  { style }: InfinitePagination,
  info: PageInfo,
  before: Listing,
): Spot | undefined {
  const marks = marksOf(before);
  const text = textOf(info.ask);
  if (text === textOf(marks[0]?.ask)) {
    return START;
  }
  if (isFirst(info.ask)) {
    return undefined;
  }
  const same = marks.findIndex(({ ask }) => textOf(ask) === text);
  const found = marks.findIndex((_, at) => textOf(style.next(before, at) ?? undefined) === text);
  const { end } = marks[found] ?? {};
  if (end !== undefined) {
    // A page that fills a gap is placed in the gap, even if it was loaded before.
    const isThere = same >= 0 && marks[same]?.end === end && !marks[found]?.gap;
    return { start: end, index: isThere ? same : found + 1 };
  }
  return same < 0 ? undefined : { start: beginOf(marks, same), index: same };
}
