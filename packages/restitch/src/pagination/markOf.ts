import type { PageInfo } from './createPagination.js';
import type { PageMark } from './PageMark.js';

/** Returns the number of rows that a full page has: as asked for, or as the first page had. */
export function limitOf({ limit }: PageInfo, marks: readonly PageMark[], size = 0): number {
  return limit ?? marks[0]?.limit ?? size;
}

/**
 * Returns the mark of a page of `size` rows that ends at `end`. The page may or may not reflect
 * `lag` changes. The next page is asked from a position that is low enough in either case: it may
 * repeat rows, but skips none.
 */
export function markOf(
  info: PageInfo,
  marks: readonly PageMark[],
  size: number,
  end: number,
  lag: number,
): PageMark {
  const { ask, next, previous, total, more } = info;
  const limit = limitOf(info, marks, size);
  const at = info.at?.(limit);
  const isFull = size > 0 && size >= limit;
  return {
    end,
    ask,
    next,
    previous,
    // With a total, only its comparison with the position tells.
    more: more ?? (total === undefined ? isFull : size > 0 ? null : false),
    limit,
    skew: at === undefined ? 0 : at + Math.max(Math.min(size, 1), size - lag) - end,
    over: null,
    gap: false,
    repeats: false,
    from: 0,
    dropped: [],
  };
}
