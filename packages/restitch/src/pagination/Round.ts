import type { Cell } from '../store/cells/Cell.js';
import { isObject } from '../store/cells/plainValues.js';
import type { Store } from '../store/cells/Store.js';
import type { PageInfo } from './createPagination.js';
import type { PageOperation } from './pageOperation.js';

export interface RoundPage {
  readonly info: PageInfo;
  readonly page: PageOperation;
  readonly isFront?: boolean | undefined;
}

/**
 * One new request for each loaded page. All pages replace the list at once, so the list never mixes
 * rows from before and after a mutation:
 *
 * ```
 *   create      ├──────────┤
 *   page 2         ├───┤          overlaps the create: shown at once, and the list is unsure
 *   round                  ├─ 1 ─┼─ 2 ─┤ replaces the list
 *   or: delete                      ├──────┤ interrupts the round, which then starts again
 * ```
 */
export interface Round {
  readonly pages: Map<string | undefined, RoundPage>;
  /** True if the round failed, or if a mutation began meanwhile. */
  isInterrupted: boolean;
}

/** A first page that leaves rows of other pages outdated. The round that follows uses it. */
export interface Opening {
  page: RoundPage | undefined;
  readonly tick: number;
}

const openings = new WeakMap<Cell, Opening>();

export function noteOpening({ tick }: Store, cell: Cell): Opening {
  const opening = { page: undefined, tick };
  openings.set(cell, opening);
  return opening;
}

/** Undefined if a request has begun or ended since the page arrived. */
export function openingOf({ tick }: Store, cell: Cell | undefined): RoundPage | undefined {
  const opening = cell && openings.get(cell);
  return opening?.tick === tick ? opening.page : undefined;
}

export const membersOf = (pages: readonly RoundPage[]): readonly unknown[] =>
  pages.flatMap(({ page }) => page.members);

/** Maps an argument of a request to its round. A copy, which a view keeps, belongs to no round. */
const rounds = new WeakMap<object, Round>();

export function ofRound(args: readonly unknown[], round: Round): readonly unknown[] {
  return (args.length > 0 ? args : [{}]).map((arg) => {
    if (!isObject(arg)) {
      return arg;
    }
    const own = { ...arg };
    rounds.set(own, round);
    return own;
  });
}

export function roundOf(args: readonly unknown[]): Round | undefined {
  return args.map((arg) => rounds.get(Object(arg) as object)).find(Boolean);
}
