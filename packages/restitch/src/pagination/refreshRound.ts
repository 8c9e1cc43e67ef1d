import { toError } from '../errors/toError.js';
import type { Listing } from '../store/cells/Cell.js';
import type { Positions } from './createPagination.js';
import { totalOf } from './listEnds.js';
import { lastRead } from './markOf.js';
import { FIRST, marksOf, type PageParams } from './PageMark.js';
import type { Round } from './roundNumbers.js';
import { endOf, pageSizeIn } from './serverPositions.js';

export interface RoundHost {
  /** Returns the list without pending changes, or undefined if it is unknown. */
  readonly listing: () => Listing | undefined;
  /** Loads a page. Returns the error if it fails for good. */
  readonly load: (ask: PageParams, round: Round) => Promise<unknown>;
}

/** The number of pages that are loaded at a time. */
const MOST_TOGETHER = 4;

/**
 * Fetches the loaded pages of a list by position, from a mark on, several at a time. A page that
 * fails stays unchanged; its error is thrown at the end.
 */
export async function refreshTogether(
  positions: Positions,
  before: Listing,
  from: number,
  { listing, load }: RoundHost,
): Promise<void> {
  const marks = marksOf(before);
  const size = pageSizeIn(marks);
  const askFor = (index: number): PageParams =>
    (index > 0 ? positions.askAt(endOf(marks[index - 1]), size) : marks[0]?.ask) ?? FIRST;
  // If no page number begins exactly at a mark, the round starts with an earlier page.
  let first = from;
  while (first > 0 && positions.positionOf(askFor(first), size) !== endOf(marks[first - 1])) {
    first -= 1;
  }
  let next = askFor(first);
  const round = { since: lastRead(marks), start: positions.positionOf(next, size) };
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
      error = (await load(ask, round)) ?? error;
      check();
    }
  };
  // Rows that others created may have moved the last loaded rows to a further page.
  while (isLoaded) {
    await Promise.all(Array.from({ length: MOST_TOGETHER }, run));
  }
  if (error !== undefined) {
    throw toError(error);
  }
}

/** Returns the position at which the loaded pages end. A last page without rows counts. */
function reachOf(positions: Positions, listing: Listing | undefined): number {
  const marks = marksOf(listing);
  const last = marks.at(-1);
  const begin = positions.positionOf(last?.ask ?? FIRST, pageSizeIn(marks));
  const reach = Math.max(last ? endOf(last) : 0, begin + 1);
  return Math.min(reach, (listing && totalOf(listing)) ?? Infinity);
}
