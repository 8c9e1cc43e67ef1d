import { toError } from '../errors/toError.js';
import type { Listing } from '../store/cells/Cell.js';
import type { Positions } from './createPagination.js';
import { totalOf } from './gaps.js';
import { lastRead } from './markOf.js';
import { FIRST, marksOf, type PageParams } from './PageMark.js';
import { endOf, pageSizeIn } from './serverPositions.js';

/** The members of a loader that a round uses. */
export interface RoundHost {
  /** Returns the list without pending changes, or undefined if it is unknown. */
  readonly listing: () => Listing | undefined;
  /** Loads a page. Returns the error of the last attempt if all attempts fail. */
  readonly load: (ask: PageParams, since: number) => Promise<unknown>;
}

/** The number of pages that are loaded at a time. */
const MOST_TOGETHER = 4;

/**
 * Fetches the loaded pages of a list by position. Each page begins where a full page before it
 * ends. A page that fails stays unchanged; its error is thrown at the end.
 */
export async function refreshTogether(
  positions: Positions,
  before: Listing,
  { listing, load }: RoundHost,
): Promise<void> {
  const since = lastRead(marksOf(before));
  let next = marksOf(before)[0]?.ask ?? FIRST;
  let isLoaded = true;
  let error: unknown;
  const check = (): void => {
    isLoaded =
      positions.positionOf(next, pageSizeIn(marksOf(listing()))) < reachOf(positions, listing());
  };
  const run = async (): Promise<void> => {
    while (isLoaded) {
      const ask = next;
      const limit = pageSizeIn(marksOf(listing()));
      next = positions.askAt(positions.positionOf(ask, limit) + limit, limit);
      check();
      error = (await load(ask, since)) ?? error;
      check();
    }
  };
  // Rows that others created may have moved the last rows behind the pages that were loaded before.
  while (isLoaded) {
    await Promise.all(Array.from({ length: MOST_TOGETHER }, run));
  }
  if (error !== undefined) {
    throw toError(error);
  }
}

/** Returns the position at which the loaded pages end. It counts a last page without rows, too. */
function reachOf(positions: Positions, listing: Listing | undefined): number {
  const marks = marksOf(listing);
  const last = marks.at(-1);
  const begin = positions.positionOf(last?.ask ?? FIRST, pageSizeIn(marks));
  const reach = Math.max(last ? endOf(last) : 0, begin + 1);
  return Math.min(reach, (listing && totalOf(listing)) ?? Infinity);
}
