import type { PageInfo } from './createPagination.js';
import type { PageMark } from './PageMark.js';

/** Returns the number of rows that a full page has: as asked for, or as the first page had. */
export function limitOf({ limit }: PageInfo, marks: readonly PageMark[], size = 0): number {
  return limit ?? marks[0]?.limit ?? size;
}

/** What a page may not reflect. */
export interface Lag {
  /** The number of mutations that were under way together with the request of the page. */
  readonly count: number;
  /** True if no row before the page can be missing: it repeats one that stands there. */
  readonly isJoined: boolean;
}

/**
 * Returns the mark of a page of `size` rows that ends at `end`. If the server may have run a mutation
 * before or after it read the page, the next page is asked from the lower position: it may repeat
 * rows, but skips none.
 */
export function markOf(
  info: PageInfo,
  marks: readonly PageMark[],
  size: number,
  end: number,
  { count, isJoined }: Lag = SURE,
): PageMark {
  const { ask, next, previous, total, more } = info;
  const limit = limitOf(info, marks, size);
  const at = info.at?.(limit);
  const isFull = size > 0 && size >= limit;
  const until = at === undefined ? end : at + Math.max(Math.min(size, 1), size - count);
  const isSure = at === undefined || isJoined || count === 0;
  return {
    end,
    ask,
    next,
    previous,
    // With a total, only its comparison with the position tells.
    more: more ?? (total === undefined ? isFull : size > 0 ? null : false),
    limit,
    skew: until - end,
    back: isSure ? 0 : until - Math.max(0, at - count - 1),
    over: null,
    gap: false,
    repeats: false,
    idle: 0,
    from: 0,
    dropped: [],
  };
}

const SURE: Lag = { count: 0, isJoined: true };
