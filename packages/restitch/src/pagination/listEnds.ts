import type { Listing } from '../store/cells/Cell.js';
import type { InfinitePagination } from './createPagination.js';
import { marksOf, type PageParams, textOf } from './PageMark.js';
import { endOf } from './serverPositions.js';

/** The index of the mark after which `loadNext` loads: the first gap, or else the last mark. */
export function nextIndex(listing: Listing): number | undefined {
  const marks = marksOf(listing);
  const gap = marks.findIndex((mark) => mark.gap);
  return gap >= 0 ? gap : isEnded(listing) ? undefined : marks.length - 1;
}

function isEnded(listing: Listing): boolean {
  const last = marksOf(listing).at(-1);
  const more = last ? (last.more ?? endOf(last) < (totalOf(listing) ?? Infinity)) : true;
  return !more;
}

export function gapAfter(listing: Listing): number | undefined {
  const gap = marksOf(listing).find((mark) => mark.gap);
  return gap && gap.end - 1;
}

export function hasNext(listing: Listing): boolean {
  return nextIndex(listing) !== undefined || isUnsure(listing);
}

export function isUnsure(listing: Listing): boolean {
  return marksOf(listing)[0]?.unsure === true;
}

/**
 * With cursors and links, prefers the page that was dropped last. Never returns a loaded page: a
 * page that names itself as the previous one would load without end.
 */
export function askBefore(
  { style }: InfinitePagination,
  listing: Listing,
  limit?: number,
): PageParams | null {
  const previous = style.previous(listing, limit);
  if (style.positions) {
    return previous;
  }
  const marks = marksOf(listing);
  const loaded = marks.map(({ ask }) => textOf(ask));
  const before = [null, ...(marks[0]?.dropped ?? [])].map((ask) => ask ?? previous);
  return before.findLast((ask) => ask && !loaded.includes(textOf(ask))) ?? null;
}

export function totalOf(listing: Listing): number | undefined {
  const over = marksOf(listing).at(-1)?.over ?? undefined;
  return over === undefined ? undefined : over + listing.members.length;
}
