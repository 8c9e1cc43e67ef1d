import type { PageInfo } from './createPagination.js';
import { type PageMark, type PageParams, textOf } from './PageMark.js';
import { endOf } from './serverPositions.js';
import { type PageOperation, sizeOf } from './pageOperation.js';

/** Without a requested page size, the longest such page so far counts as full. */
export function limitOf({ limit }: PageInfo, marks: readonly PageMark[], size = 0): number {
  return limit ?? Math.max(size, ...marks.map((mark) => mark.limit));
}

/** The first known fact decides: `more`, the total, or a full page. */
export function moreOf(info: PageInfo, marks: readonly PageMark[], size: number): boolean {
  const limit = limitOf(info, marks, size);
  const { more, total } = info;
  const at = info.at?.(limit) ?? 0;
  const isFull =
    total === undefined ? size >= limit : at + size < total || isBehindShort(info, marks, at);
  return more ?? (size > 0 && isFull);
}

/**
 * If a page before this one was short, the total may or may not count the missing rows. So only an
 * empty page ends the list.
 */
function isBehindShort({ isNumbered }: PageInfo, marks: readonly PageMark[], at: number): boolean {
  const ahead = isNumbered ? marks.findLast((mark) => endOf(mark) <= at) : undefined;
  return ahead !== undefined && (ahead.more === true || endOf(ahead) < at);
}

export function lackOf(info: PageInfo, marks: readonly PageMark[], size: number): number {
  const isShort = info.isNumbered && moreOf(info, marks, size);
  return isShort ? Math.max(0, limitOf(info, marks, size) - size) : 0;
}

export function markOf(
  info: PageInfo,
  marks: readonly PageMark[],
  page: PageOperation,
  end: number,
): PageMark {
  const { ask, next, previous } = info;
  const size = sizeOf(page);
  const at = info.at?.(limitOf(info, marks, size));
  const isMore = moreOf(info, marks, size);
  const lack = lackOf(info, marks, size);
  const isByTotal =
    info.more === undefined && info.total !== undefined && !isBehindShort(info, marks, at ?? 0);
  // The next page would have the position of this empty page again, so the list ends here.
  const isSame = at !== undefined && isMore && size === 0 && lack === 0;
  return {
    end,
    ask,
    next,
    previous,
    more: isMore && !isSame && (isByTotal ? null : true),
    limit: info.limit === undefined ? limitOf(info, marks, size) : 0,
    skew: at === undefined ? 0 : at + size - end,
    lack,
    unlisted: size - page.members.length,
    unsure: false,
    over: null,
    gap: false,
    repeats: isSame,
    idle: 0,
    isFront: isFrontPage(marks, ask),
    from: 0,
    dropped: [],
  };
}

export function isFrontPage(marks: readonly PageMark[], ask: PageParams): boolean {
  return marks.some((mark) => mark.isFront && textOf(mark.ask) === textOf(ask));
}

/** Returns the page behind a page of `loadPrevious`. Undefined at a gap, and for other pages. */
export function behindFront(marks: readonly PageMark[], ask: PageParams): PageParams | undefined {
  const at = marks.findIndex((mark) => mark.isFront && textOf(mark.ask) === textOf(ask));
  return marks[at]?.gap === false ? marks[at + 1]?.ask : undefined;
}
