import { commit } from '../store/journal/commit.js';
import { fail } from '../store/journal/transactions.js';
import { callbackFailed } from '../store/normalize/refusals.js';
import { storeError, storeFailure } from '../store/cells/results.js';
import type { FailAction } from './actions.js';
import type { Core } from './Core.js';
import { end, settle } from './ending.js';
import { type Flight, flightOf, hasReaders } from './Flight.js';
import { errorLifetimeOf } from './lifetimes.js';
import { errorsOf, resultOf } from './resultOf.js';

/** Removes the optimistic layer of a failed request, stores its error and rejects its waiters. */
export function failRequest(core: Core, action: FailAction): void {
  const flight = flightOf(action);
  core.unnamed.noteFailure(flight, action.error);
  end(core, flight);
  const { store, transaction } = flight;
  if (transaction) {
    const isSoft = policyOf(core, action) === 'soft';
    commit(store, () => {
      fail(store, transaction);
      registerFailed(core, action, flight, transaction.start, isSoft);
    });
  }
  settle(core, flight, 'reject', action.error);
  if (!action.aborted) {
    core.failures.notify(action.error, action);
  }
}

function registerFailed(
  core: Core,
  { error, endpoint }: FailAction,
  flight: Flight,
  start: number,
  isSoft: boolean,
): void {
  const { store, result, wait, abort, args, key } = flight;
  const lifetime = errorLifetimeOf(core, endpoint);
  const isAbort = error.name === 'AbortError';
  const isAborted = abort.signal.aborted;
  if (!result) {
    if (!isAborted && !isAbort) {
      // `useError` reads the error of this call; readers use nothing else of a mutation.
      const register = resultOf(store, errorsOf(flight.endpoint), args, key);
      storeError(store, register, start, error, lifetime);
    }
    return;
  }
  // All waiters withdrew, or a newer request replaced this one. A reader still needs the error if
  // the endpoint's own signal aborted.
  const isWithdrawn = isAborted && !(hasReaders(wait) && wait.signal?.aborted);
  if (isWithdrawn || core.reads.has(result) || wait.flight !== flight) {
    return;
  }
  const hasData = (): boolean =>
    core.views.ofEndpoint(flight.endpoint, args).getSnapshot().status === 'ready';
  if ((isSoft || isAbort) && hasData()) {
    // An abort is no failure for readers that have data.
    storeFailure(store, result, start, isAbort ? undefined : error, lifetime);
  } else {
    storeError(store, result, start, error, lifetime);
  }
}

/** Returns the endpoint's error policy for an error; undefined if the policy throws. */
function policyOf(
  { environment }: Core,
  { endpoint, error }: FailAction,
): 'soft' | 'hard' | undefined {
  try {
    return endpoint.errorPolicy?.(error);
  } catch (mistake) {
    environment.report(callbackFailed('errorPolicy', mistake, endpoint.name));
    return undefined;
  }
}
