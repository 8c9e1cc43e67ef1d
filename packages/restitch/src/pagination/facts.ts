import type { Listing } from '../store/cells/Cell.js';
import type { InfinitePagination } from './createPagination.js';
import { type Ask, marksOf } from './PageMark.js';

/** Returns the index of the mark behind which the next page belongs: at the first gap, otherwise at the end. */
export function nextIndex(listing: Listing): number {
  const marks = marksOf(listing);
  const gap = marks.findIndex((mark) => mark.gap);
  return gap < 0 ? marks.length - 1 : gap;
}

/** Returns the index of the last member before the first gap. */
export function gapAfter(listing: Listing): number | undefined {
  const gap = marksOf(listing).find((mark) => mark.gap);
  return gap && gap.end - 1;
}

/** Returns true if the server has rows that belong behind a loaded page. */
export function hasNext(listing: Listing): boolean {
  const marks = marksOf(listing);
  const last = marks.at(-1);
  return (
    // Until a response told, another page is assumed.
    !last ||
    marks.some((mark) => mark.gap) ||
    last.back > 0 ||
    (last.more ?? last.end + last.skew < (totalOf(listing) ?? Infinity))
  );
}

/**
 * Returns the parameters of the page before a list, or undefined if there is none: the page that
 * was dropped last, or the one that its first page names.
 */
export function askBefore({ style }: InfinitePagination, listing: Listing): Ask | undefined {
  const dropped = marksOf(listing)[0]?.dropped ?? [];
  return dropped.length > 0 ? dropped.at(-1) : (style.previous(listing) ?? undefined);
}

/** Returns the number of rows in the server's list, with the changes of this client. */
export function totalOf(listing: Listing): number | undefined {
  const over = marksOf(listing).at(-1)?.over ?? undefined;
  return over === undefined ? undefined : over + listing.members.length;
}
