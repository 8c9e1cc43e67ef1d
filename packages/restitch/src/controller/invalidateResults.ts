import { commit } from '../store/journal/commit.js';
import { endPages } from '../store/lists/endPages.js';
import { expireResult, invalidateResult, resultsIn, resultsOf } from '../store/cells/results.js';
import { isFresh } from '../store/views/queries.js';
import type { Result } from '../store/cells/Result.js';
import type { ExpireAllAction, InvalidateAction, InvalidateAllAction } from './actions.js';
import { batch } from './batch.js';
import type { Core } from './Core.js';
import { type Filtered, isCallOf } from './filters.js';
import { joinable } from './Flight.js';
import { expireContent, expireNamed, resultOf } from './resultOf.js';
import { renew } from './startRequest.js';

export function outdate(
  core: Core,
  action: InvalidateAction | InvalidateAllAction | ExpireAllAction,
): void {
  const { endpoint } = action;
  const how = action.type === 'expireAll' ? 'expire' : 'invalidate';
  // In one commit, so that notified readers find the new requests in flight and join them.
  batch(core, () => {
    const { store } = core;
    let results: readonly Result[];
    if (action.type === 'invalidate') {
      // Before its first response, a result can show a record from the response to a list.
      // `resultOf` creates the result, so that the record can be hidden.
      resultOf(store, endpoint, action.args, action.key);
      results = resultsOf(store, action.key);
    } else {
      // The cast: `Result.endpoint` is a whole endpoint, although its type lists only some members.
      results = [...resultsIn(store)].filter((result) =>
        isCallOf(endpoint, undefined, result as Result & Filtered),
      );
      store.hydrated?.outdate(
        (key) => endpoint.testKey(key),
        how,
        (other) => endpoint.$isKin?.(other) === true,
      );
      expireNamed(store, endpoint);
    }
    outdateResults(core, results, how);
  });
}

export function outdateResults(
  core: Core,
  results: readonly Result[],
  how: 'invalidate' | 'expire',
): void {
  const { store } = core;
  for (const result of results) {
    if (how === 'invalidate') {
      endPages(store, result);
      invalidateResult(store, result);
    } else {
      expireResult(store, result);
    }
    expireContent(store, result);
  }
  renew(core, results);
}

export function expireStale(core: Core): void {
  const { store } = core;
  commit(store, () => {
    for (const result of resultsIn(store)) {
      // A result without a response is needed only while a reader is mounted. If `resume` is set,
      // the reader is paused, for example after a logout, and must not fetch.
      const isUsed = result.status !== 'none' || core.views.isHeld(result);
      if (isUsed && !result.resume && !isFresh(store, result) && !joinable(core, result)) {
        expireResult(store, result);
      }
    }
  });
}
