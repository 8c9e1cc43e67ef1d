import { isObject } from '../store/cells/plainValues.js';
import type { PageInfo } from './createPagination.js';
import type { PageOperation } from './pageOperation.js';

export interface RoundPage {
  readonly info: PageInfo;
  readonly page: PageOperation;
  /** See `PageMark.isFront`. */
  readonly isFront?: boolean | undefined;
}

/**
 * One new request for each loaded page. The list does not change until all these pages have
 * arrived. Then, they replace the whole list. So the list never mixes rows from before and after a
 * mutation:
 *
 * ```
 *   create      ├──────────┤
 *   page 2         ├───┤          overlaps the create: shown at once, and the list is unsure
 *   round                  ├─ 1 ─┼─ 2 ─┤ replaces the list
 *   or: delete                      ├──────┤ interrupts the round, which then starts again
 * ```
 */
export interface Round {
  /** The pages that have arrived, by their parameters as text. */
  readonly pages: Map<string | undefined, RoundPage>;
  /**
   * True if a mutation began during the round, so that the pages may lack its change. Also true if
   * the round failed.
   */
  isInterrupted: boolean;
}

export const membersOf = (pages: readonly RoundPage[]): readonly unknown[] =>
  pages.flatMap(({ page }) => page.members);

/** The round of a request. A symbol, so that it is part of no URL and of no cache key. */
const ROUND: unique symbol = Symbol('restitch.round');

/** Returns a copy of the arguments for a request of a round. `roundOf` recognizes the copy. */
export function ofRound(args: readonly unknown[], round: Round): readonly unknown[] {
  return (args.length > 0 ? args : [{}]).map((arg) =>
    isObject(arg) ? { ...arg, [ROUND]: round } : arg,
  );
}

export function roundOf(args: readonly unknown[]): Round | undefined {
  // The cast: only `ofRound` sets the symbol.
  return args.map((arg) => (Object(arg) as { readonly [ROUND]?: Round })[ROUND]).find(Boolean);
}
