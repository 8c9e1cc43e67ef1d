import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import type { Result, Store, Transaction } from '../store/state.js';
import { type Deferred, deferred } from './tracked.js';

/** One request under way. */
export interface Flight {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
  /** The store it started in: after a reset its answer falls into what nobody reads any more. */
  readonly store: Store;
  /** Of a read: the register that its answer goes to. */
  readonly result: Result | undefined;
  /** Who waits; handed on to the request that takes this one's place. */
  readonly wait: Wait;
  /** Set when it starts. */
  transaction: Transaction | undefined;
  /** Of a delete: the record as it was before the request. */
  deleted: unknown;
}

/**
 * Those who wait for one answer. Whoever asks for the same joins them; the request is aborted only when everybody who
 * wanted it has withdrawn.
 */
export interface Wait {
  readonly outcome: Deferred<unknown>;
  /** The request whose answer counts: the last one sent for those who wait. */
  flight: Flight | undefined;
  abort: AbortController;
  /** How many still want the answer; whoever has no signal never withdraws. */
  wanted: number;
  /** A reader waits: the value must be kept for it, whatever its lifetime. */
  hasReaders: boolean;
  /** The signal of the endpoint that asked first: its abort is the endpoint's outcome, not somebody's change of mind. */
  readonly signal: AbortSignal | undefined;
}

/** A request that is not sent yet. */
export function createFlight(
  store: Store,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  key: string,
  result: Result | undefined,
): Flight {
  const { signal } = endpoint;
  const wait: Wait = {
    outcome: deferred(),
    flight: undefined,
    abort: new AbortController(),
    wanted: 0,
    hasReaders: false,
    signal: typeof signal === 'function' ? signal.call(endpoint) : signal,
  };
  const flight: Flight = {
    endpoint,
    args,
    key,
    store,
    result,
    wait,
    transaction: undefined,
    deleted: undefined,
  };
  wait.flight = flight;
  return flight;
}

/** The same request again, for those who wait for the first: its answer would come too late to count. */
export function renewFlight(flight: Flight): Flight {
  const { wait } = flight;
  const renewed: Flight = { ...flight, transaction: undefined };
  wait.flight = renewed;
  wait.abort = new AbortController();
  return renewed;
}

/**
 * Waits as somebody who withdraws when `signal` aborts: the wait then rejects with the signal's reason, and the request is
 * aborted if nobody else wants it.
 */
export function join(wait: Wait, signal: AbortSignal | undefined): Promise<unknown> {
  wait.wanted += 1;
  const { promise } = wait.outcome;
  if (!signal) {
    return promise;
  }
  return new Promise((resolve, reject) => {
    const withdraw = (): void => {
      reject(signal.reason as Error);
      wait.wanted -= 1;
      if (wait.wanted === 0) {
        wait.abort.abort(signal.reason);
      }
    };
    if (signal.aborted) {
      withdraw();
      return;
    }
    signal.addEventListener('abort', withdraw, { once: true });
    void promise.finally(() => signal.removeEventListener('abort', withdraw)).then(resolve, reject);
  });
}
