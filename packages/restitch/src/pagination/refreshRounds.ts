import { isObject } from '../store/cells/plainValues.js';

/**
 * The rounds by an argument of their requests. Pages by position are refreshed in rounds, four
 * pages at a time. The `read` number of the newest page before a round identifies the round. Pages
 * with higher numbers belong to this round or are newer. The code that places a response finds its
 * round by the arguments of the request.
 */
const rounds = new WeakMap<object, number>();

/**
 * Records the round of a request. `own` are its arguments; `shared` are the arguments of the list,
 * which other requests share.
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
