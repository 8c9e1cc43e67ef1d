import type { PageInfo } from './createPagination.js';
import type { PageMark } from './PageMark.js';
import type { PageOperation } from './pageOperation.js';

/**
 * Returns the number of rows in a full page: the requested number, or the length of the longest
 * page so far.
 */
export function limitOf({ limit }: PageInfo, marks: readonly PageMark[], size = 0): number {
  return limit ?? Math.max(size, ...marks.map((mark) => mark.limit));
}

/**
 * Returns true if a page follows a page of `size` rows. The response decides, otherwise the total
 * or the size.
 */
export function moreOf(info: PageInfo, marks: readonly PageMark[], size: number): boolean {
  const limit = limitOf(info, marks, size);
  const { more, total } = info;
  const isFull = total === undefined ? size >= limit : (info.at?.(limit) ?? 0) + size < total;
  return more ?? (size > 0 && isFull);
}

export function markOf(
  info: PageInfo,
  marks: readonly PageMark[],
  { members, above }: PageOperation,
  end: number,
): PageMark {
  const { ask, next, previous, isOverlapped = false } = info;
  const size = members.length;
  const at = info.at?.(limitOf(info, marks, size));
  // Rows in `above` were created since. They move the page when their patches apply.
  const created = members.filter((member) => above?.has(member)).length;
  const isByTotal = info.more === undefined && info.total !== undefined;
  return {
    end,
    ask,
    next,
    previous,
    more: moreOf(info, marks, size) && (isByTotal ? null : true),
    limit: limitOf(info, marks, size),
    skew: at === undefined ? 0 : at + size - end - created,
    unsure: isOverlapped && (at ?? info.total) !== undefined,
    over: null,
    gap: false,
    repeats: false,
    idle: 0,
    isFront: false,
    read: 1 + lastRead(marks),
    round: info.round?.since ?? 0,
    from: 0,
    dropped: [],
    pushed: [],
    pushedAt: 0,
  };
}

/** Returns the `read` of the newest page. */
export function lastRead(marks: readonly PageMark[]): number {
  return Math.max(0, ...marks.map(({ read }) => read));
}
