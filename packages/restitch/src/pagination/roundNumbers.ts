import { isObject } from '../store/cells/plainValues.js';
import { isFirst, type PageMark } from './PageMark.js';

/**
 * Pages by number are refreshed in rounds, four pages at a time. The round of a request is stored
 * by the arguments of the request, so that it is found when the response arrives.
 */
export interface Round {
  /** The `read` of the newest page before the round. */
  readonly since: number;
  /** The position of the first page of the round. */
  readonly start: number;
}

const rounds = new WeakMap<object, Round>();

/**
 * Records the round of a request. `own` are its arguments; `shared` are the arguments of the list,
 * which other requests share.
 */
export function noteRound(
  own: readonly unknown[],
  shared: readonly unknown[],
  round: Round | undefined,
): void {
  const arg = own.find((other) => !shared.includes(other));
  if (round && isObject(arg)) {
    rounds.set(arg, round);
  }
}

/** Returns the round of a request, or undefined for any other request. */
export function roundOf(args: readonly unknown[]): Round | undefined {
  const arg = args.filter(isObject).find((other) => rounds.has(other));
  return arg && rounds.get(arg);
}

/** The first page is fetched without a round, so its `read` decides. */
export function isOfRound({ since }: Round, { ask, read, round }: PageMark): boolean {
  return round === since || (read > since && isFirst(ask));
}
