import { commit } from '../store/commit.js';
import { normalize } from '../store/normalize.js';
import type { Normalized } from '../store/normalized.js';
import {
  expireResult,
  invalidateResult,
  type Lifetime,
  registerError,
  registerValue,
  resultFor,
  resultsMatching,
} from '../store/results.js';
import type { Result, Store } from '../store/state.js';
import { begin as beginRequest, confirm, confirmLocal, fail } from '../store/transaction.js';
import { shapeOf } from '../schema/shape.js';
import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import type { FailAction, ReceiveAction, SetErrorAction, SetResponseAction } from './actions.js';
import type { Flight } from './Flight.js';

/** Lifetimes that hold where an endpoint sets none, in milliseconds. */
export interface Lifetimes {
  readonly dataExpiryLength: number;
  readonly errorExpiryLength: number;
}

/** Starts a request's transaction: from here on it has its rank. */
export function begin(flight: Flight): void {
  const { kind } = shapeOf(flight.endpoint.schema);
  const writes = kind !== 'leaf';
  flight.transaction = beginRequest(flight.store, flight.result ? 'read' : 'mutation', writes);
}

/** Places an answer. Throws what the schema's classes threw; nothing of the answer is then stored. */
export function receive(
  { flight, endpoint, args, response }: ReceiveAction,
  lifetime: Lifetime,
): Normalized | undefined {
  const { store, transaction, result } = flight;
  if (!transaction) {
    return undefined;
  }
  const shape = shapeOf(endpoint.schema);
  const answer =
    response === null || response === undefined
      ? undefined
      : normalize(shape, response, { source: endpoint.name, args, copy: false });
  commit(store, () => {
    confirm(store, transaction, answer, lifetime.expiresAt);
    const kept = lifetimeFor(lifetime, flight.wait.hasReaders);
    if (result && kept) {
      registerValue(store, result, transaction.start, answer ? answer.root : response, kept);
    }
  });
  return answer;
}

/** Milliseconds for which an answer without a lifetime counts as fresh to the readers that waited for it. */
const READERS_GRACE = 1_000;

/** An answer without a lifetime is only kept for readers that waited for it; their view drops it when they leave. */
function lifetimeFor(lifetime: Lifetime, hasReaders: boolean): Lifetime | undefined {
  if (lifetime.expiresAt > lifetime.fetchedAt) {
    return lifetime;
  }
  return hasReaders ? { ...lifetime, expiresAt: lifetime.fetchedAt + READERS_GRACE } : undefined;
}

/** Takes a failed request's guess back and registers its error, if readers should see it. */
export function failRequest({ flight, endpoint, error }: FailAction, lifetime: Lifetime): void {
  const { store, transaction, result, wait } = flight;
  if (!transaction) {
    return;
  }
  commit(store, () => {
    fail(store, transaction);
    const withdrawn = wait.abort.signal.aborted && !wait.signal?.aborted;
    if (!result || withdrawn) {
      return;
    }
    const hasData = result.status === 'value';
    const isSoft = endpoint.errorPolicy?.(error) === 'soft' || isAbort(error);
    if (hasData && isSoft) {
      // Readers keep their data; for as long as an error lives they do not ask again.
      result.expiresAt = Math.max(result.expiresAt, lifetime.expiresAt);
    } else {
      registerError(store, result, transaction.start, error, lifetime);
    }
  });
}

function isAbort({ name }: Error): boolean {
  return name === 'AbortError';
}

/** Stores a value as if the endpoint had just answered it. */
export function setResponse(
  store: Store,
  { endpoint, args, key, response }: SetResponseAction,
  lifetime: Lifetime,
): void {
  const options = { source: endpoint.name, args, copy: true };
  const answer = normalize(shapeOf(endpoint.schema), response, options);
  commit(store, () => {
    const { start } = confirmLocal(store, answer, lifetime.expiresAt);
    const result = resultFor(store, key, endpoint.schema);
    registerValue(store, result, start, answer.root, lifetime);
  });
}

/** Stores an error as if the endpoint had just failed. */
export function setError(
  store: Store,
  { endpoint, key, error }: SetErrorAction,
  lifetime: Lifetime,
): void {
  commit(store, () => {
    store.tick += 1;
    registerError(store, resultFor(store, key, endpoint.schema), store.tick, error, lifetime);
  });
}

/** Invalidates one question, or expires or invalidates every question of an endpoint; returns what was touched. */
export function outdate(
  store: Store,
  endpoint: EndpointInterface,
  key: string | undefined,
  how: 'invalidate' | 'expire',
): Result[] {
  const results =
    key === undefined
      ? [...resultsMatching(store, (candidate) => endpoint.testKey(candidate))]
      : [
          ...new Set([
            resultFor(store, key, endpoint.schema),
            ...resultsMatching(store, (k) => k === key),
          ]),
        ];
  commit(store, () => {
    for (const result of results) {
      (how === 'invalidate' ? invalidateResult : expireResult)(store, result);
    }
  });
  return results;
}
