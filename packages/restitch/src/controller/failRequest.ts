import type { ErrorPolicy } from '../endpoint/EndpointInterface.js';
import { commit } from '../store/journal/commit.js';
import { fail } from '../store/journal/transactions.js';
import { callbackFailed } from '../store/normalize/normalizeErrors.js';
import { notifyReaders, storeError, storeFailure } from '../store/cells/results.js';
import type { FailAction } from './actions.js';
import type { Core } from './Core.js';
import { end, settle } from './endRequest.js';
import { type Flight, flightOf, hasReaders } from './Flight.js';
import { errorLifetimeOf } from './lifetimes.js';
import { errorsOf, expireContent, resultOf } from './resultOf.js';
import { noteFailedCreates } from './temporaryKeys.js';

export function failRequest(core: Core, action: FailAction): void {
  const flight = flightOf(action);
  noteFailedCreates(core, flight, action.error);
  end(core, flight);
  const { store, transaction } = flight;
  if (transaction) {
    const isSoft = policyOf(flight, action.error) === 'soft';
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
  { error }: FailAction,
  flight: Flight,
  start: number,
  isSoft: boolean,
): void {
  const { endpoint, store, result, wait, abort, args, key } = flight;
  const lifetime = errorLifetimeOf(core, endpoint);
  const isAbort = error.name === 'AbortError';
  const isAborted = abort.signal.aborted;
  // True if all callers and readers withdrew. If the endpoint's own signal aborted, waiting readers
  // still need the error.
  const { signal, readers } = wait;
  const isWithdrawn = isAborted && !(signal?.aborted && (readers.has(signal) || hasReaders(wait)));
  const isIgnored = result
    ? isWithdrawn || core.reads.has(result) || wait.flight !== flight
    : isAborted || isAbort;
  if (isIgnored) {
    return;
  }
  if (result && isAborted && signal === endpoint.signal) {
    // Only the readers with this signal have the error: their views return it.
    notifyReaders(store, result);
    return;
  }
  const hasData = (): boolean => {
    const { status, ...more } = core.views.ofEndpoint(endpoint, args).getSnapshot();
    // With `invalidIfStale`, the data is hidden, but other readers can show it.
    return status === 'ready' || (status === 'pending' && !isAbort && 'previous' in more);
  };
  if (result && (isSoft || isAbort) && hasData()) {
    // For readers that have data, an abort is no failure.
    storeFailure(store, result, start, isAbort ? undefined : error, lifetime);
  } else {
    // A mutation has no data, only an error, which `useError` reads.
    const register = result ?? resultOf(store, errorsOf(endpoint), args, key);
    storeError(store, register, start, error, lifetime);
    expireContent(store, register);
  }
}

function policyOf({ store, endpoint }: Flight, error: Error): ErrorPolicy {
  try {
    return endpoint.$isPoll ? 'soft' : endpoint.errorPolicy?.(error);
  } catch (mistake) {
    store.report(callbackFailed('errorPolicy', mistake, endpoint.name));
    return undefined;
  }
}
