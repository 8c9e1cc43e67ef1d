import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { isStalled } from '../store/journal/stalled.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import type { Transaction } from '../store/journal/Transaction.js';
import type { RequestHandle } from './actions.js';
import type { Core } from './Core.js';
import { isCallOf } from './filters.js';
import { type Deferred, deferred } from './trackedPromise.js';

/** One request in flight. */
export interface Flight extends RequestHandle {
  endpoint: EndpointInterface;
  /** The arguments. A queue replaces the arguments of a waiting request. */
  args: readonly unknown[];
  /** The store in which the request started. After a reset, no reader uses this store. */
  readonly store: Store;
  /** The result that a read writes to; undefined for a mutation. */
  readonly result: Result | undefined;
  /** The waiting callers and readers. `renewFlight` passes them to the next request. */
  readonly wait: Wait;
  /** Aborts this request after a reset, or when no waiter needs its response any more. */
  readonly abort: AbortController;
  /** True if the request repeats an earlier one automatically, because that data is unreadable. */
  readonly isRepeat: boolean;
  /** The identity of the operation, if its fetch action carries one. */
  id?: string | undefined;
  /** Set when the request starts. */
  transaction?: Transaction | undefined;
  /** For a repeated request: the places that the first request noted for its pages. */
  readonly places?: Transaction['places'];
  /** True for a read that waits for the network. */
  isOffline?: boolean;
  /**
   * Set by a queue. Returns undefined if the request may be sent now; otherwise a promise of its
   * arguments, which resolves when the request may be sent.
   */
  turn?: () => Promise<readonly unknown[]> | undefined;
  /**
   * The reason that a queue holds back the request. `'time'`: it can still be canceled. `'turn'`:
   * the requests before it have not ended.
   */
  waitsFor?: 'time' | 'turn' | undefined;
  /** For a delete: the record as it was before the request. */
  deleted?: unknown;
  /** The number of mutations that had ended when the request began. */
  mutated?: number;
}

/** The waiters for one response. The request is aborted only when all of them have withdrawn. */
export interface Wait {
  readonly outcome: Deferred<unknown>;
  /** The request that settles the outcome with its response: the last one that was sent. */
  flight?: Flight | undefined;
  /**
   * The number of callers and readers that still wait. A waiter without a signal never withdraws.
   */
  wanted: number;
  /** The abort signals of waiting readers. `undefined` stands for all readers without a signal. */
  readonly readers: Set<AbortSignal | undefined>;
  /**
   * The signal of the endpoint that sent the first request. Waiting readers receive its abort as an
   * error; otherwise they would fetch forever.
   */
  readonly signal: AbortSignal | undefined;
}

/** Returns the request of an action. */
export function flightOf({ flight }: { readonly flight: RequestHandle }): Flight {
  // The cast: the handle is opaque to users, and every handle is a `Flight`.
  return flight as Flight;
}

/** Returns the endpoint's own signal for one request. A signal function receives the arguments. */
export function signalOf(
  endpoint: EndpointInterface,
  args: readonly unknown[],
): AbortSignal | undefined {
  const { signal } = endpoint;
  // The cast: the type of a signal function declares its return value only.
  return typeof signal === 'function'
    ? (Reflect.apply(signal, endpoint, args) as AbortSignal | undefined)
    : signal;
}

/** True if a reader waits. Its value must then be kept, even without a lifetime. */
export function hasReaders({ readers }: Wait): boolean {
  return [...readers].some((signal) => !signal?.aborted);
}

/** Creates a request without sending it. */
export function createFlight(
  store: Store,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  key: string,
  result: Result | undefined,
  isRepeat = false,
): Flight {
  const signal = signalOf(endpoint, args);
  const wait: Wait = { outcome: deferred(), wanted: 0, readers: new Set(), signal };
  return of(wait, { endpoint, args, key, store, result, wait, isRepeat });
}

/**
 * Creates the next request for the same waiters, because the previous one brought no usable data.
 */
export function renewFlight(flight: Flight, isRepeat = false): Flight {
  const places = flight.transaction?.places;
  return of(flight.wait, { ...flight, isRepeat, transaction: undefined, places });
}

function of(wait: Wait, flight: Omit<Flight, 'abort'>): Flight {
  return (wait.flight = { ...flight, abort: new AbortController() });
}

/** Returns the read in flight that a new caller joins, or undefined if that read has stalled. */
export function joinable(
  { reads, environment }: Core,
  result: Result | undefined,
): Flight | undefined {
  const flight = result && reads.get(result);
  const sentAt = flight?.transaction?.meta.fetchedAt;
  const isJoined =
    sentAt === undefined || flight?.isOffline || !isStalled(sentAt, environment.now());
  return isJoined ? flight : undefined;
}

/** Returns the mutations in flight and the current read of each result. */
export function flightsOf({ reads, mutations }: Core): readonly Flight[] {
  return [...reads.values(), ...mutations];
}

/** Returns false for a read that waits for the network and for a mutation that can be canceled. */
export const isInFlight = ({ isOffline, waitsFor }: Flight): boolean =>
  !isOffline && waitsFor !== 'time';

/**
 * Returns the number of requests in flight: all, those of an endpoint, or those with one cache key.
 */
export function countFlights(
  core: Core,
  endpoint: EndpointInterface | undefined,
  args: readonly unknown[],
): number {
  const asked = args.length > 0 ? args : undefined;
  return flightsOf(core).filter(
    (flight) => isInFlight(flight) && (!endpoint || isCallOf(endpoint, asked, flight)),
  ).length;
}

/** Returns the outcome of the mutation in flight whose transaction passes `test`. */
export function outcomeOfMutation(
  { mutations }: Core,
  test: (transaction: Transaction) => boolean,
): Promise<unknown> | undefined {
  const found = [...mutations].find(({ transaction }) => transaction && test(transaction));
  return found?.wait.outcome.promise;
}
