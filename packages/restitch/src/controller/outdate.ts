import { commit } from '../store/journal/commit.js';
import { endPages } from '../store/lists/endPages.js';
import {
  expireResult,
  invalidateResult,
  isWithin,
  resultsIn,
  resultsOf,
} from '../store/cells/results.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import type { ExpireAllAction, InvalidateAction, InvalidateAllAction } from './actions.js';
import type { Core } from './Core.js';
import { joinable } from './Flight.js';
import { resultOf } from './resultOf.js';

/** Invalidates one cache key, or outdates all results of an endpoint. Returns these results. */
export function outdate(
  { store }: Core,
  action: InvalidateAction | InvalidateAllAction | ExpireAllAction,
): readonly Result[] {
  const { endpoint } = action;
  const how = action.type === 'expireAll' ? 'expire' : 'invalidate';
  let results: Result[];
  if (action.type === 'invalidate') {
    // The result is created if it was never fetched; otherwise data of other responses would fill
    // it.
    resultOf(store, endpoint, action.args, action.key);
    results = [...resultsOf(store, action.key)];
  } else {
    const matches = (key: string): boolean => endpoint.testKey(key);
    const isKin = (other: object): boolean => endpoint['~isKin']?.(other) === true;
    results = [...resultsIn(store)].filter(
      (result) => matches(result.key) || isKin(result.endpoint),
    );
    store.hydrated?.outdate(matches, how, isKin);
  }
  return outdateResults(store, results, how);
}

/** Invalidates or expires results, and returns them. */
export function outdateResults(
  store: Store,
  results: readonly Result[],
  how: 'invalidate' | 'expire',
): readonly Result[] {
  for (const result of results) {
    if (how === 'invalidate') {
      endPages(store, result);
      invalidateResult(store, result);
    } else {
      expireResult(store, result);
    }
  }
  return results;
}

/** Expires every result and error past its lifetime, except those with a request in flight. */
export function expireStale(core: Core): void {
  const { store } = core;
  const now = core.environment.now();
  commit(store, () => {
    for (const result of resultsIn(store)) {
      if (result.status !== 'none' && !isWithin(result, now) && !joinable(core, result)) {
        expireResult(store, result);
      }
    }
  });
}
