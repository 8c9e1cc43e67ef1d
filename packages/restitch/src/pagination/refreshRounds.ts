import { isObject } from '../store/cells/plainValues.js';

/**
 * Pages by number are refreshed in rounds, four pages at a time. A round is known by the number of
 * the newest page before it: pages with higher numbers are of this round, or newer. The arguments
 * of a request carry the round to the place where its response is read.
 */
const rounds = new WeakMap<object, number>();

/**
 * Records the round of a request. `own` are its arguments; those of the list are shared by others.
 */
export function noteRound(
  own: readonly unknown[],
  shared: readonly unknown[],
  since: number | undefined,
): void {
  const arg = own.find((other) => !shared.includes(other));
  if (since !== undefined && isObject(arg)) {
    rounds.set(arg, since);
  }
}

/** Returns the round of a request, or undefined for any other request. */
export function roundOf(args: readonly unknown[]): number | undefined {
  const arg = args.filter(isObject).find((other) => rounds.has(other));
  return arg && rounds.get(arg);
}
