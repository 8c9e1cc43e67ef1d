import { isObject } from '../store/cells/plainValues.js';
import type { PageInfo } from './createPagination.js';
import type { PageOperation } from './pageOperation.js';

/** A page of a round. */
export interface RoundPage {
  readonly info: PageInfo;
  readonly page: PageOperation;
}

/**
 * One reading of all loaded pages. The list does not change until the round is complete. Then, its
 * pages replace the whole list. So all rows are of the same moment:
 *
 * ```
 *   create      ├──────────┤
 *   page 2         ├───┤          overlaps the create: shown at once, and the list is unsure
 *   round                  ├─ 1 ─┼─ 2 ─┤ replaces the list
 *   delete                          ├──────┤ would interrupt the round, which then starts again
 * ```
 */
export interface Round {
  /** The pages that have arrived, by their parameters as text. */
  readonly pages: Map<string | undefined, RoundPage>;
  /** True if the pages may lack the change of a mutation. */
  isInterrupted: boolean;
}

/** The rounds of requests, by an object in their arguments. */
const rounds = new WeakMap<object, Round>();

/** Returns the arguments of a request that belongs to a round. */
export function ofRound(args: readonly unknown[], round: Round): readonly unknown[] {
  // Copies, because other requests can have the same objects.
  const own = (args.length > 0 ? args : [{}]).map((arg) => (isObject(arg) ? { ...arg } : arg));
  own.filter(isObject).forEach((arg) => rounds.set(arg, round));
  return own;
}

export function roundOf(args: readonly unknown[]): Round | undefined {
  const arg = args.filter(isObject).find((other) => rounds.has(other));
  return arg && rounds.get(arg);
}
