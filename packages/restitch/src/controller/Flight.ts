import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { isStalled } from '../store/journal/stalled.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import type { Transaction } from '../store/journal/Transaction.js';
import type { RequestHandle } from './actions.js';
import type { Core } from './Core.js';
import { isCallOf } from './filters.js';
import { type Deferred, deferred } from './trackedPromise.js';

export type Send = (args: readonly unknown[]) => Promise<unknown>;

/** One request in flight. */
export interface Flight extends RequestHandle {
  endpoint: EndpointInterface;
  /** A queue may replace the arguments while the request waits. */
  args: readonly unknown[];
  /** The store at the start of the request. A reset creates another store. */
  readonly store: Store;
  /** Undefined for a mutation. */
  readonly result: Result | undefined;
  readonly wait: Wait;
  readonly abort: AbortController;
  /** True for an automatic repeat, sent because the earlier response is unreadable. */
  readonly isRepeat: boolean;
  /** The `id` that a manager gave to the request. */
  id?: string | undefined;
  /** The `id` of its `Pending` objects, without an `id` from a manager. */
  pendingId?: string;
  transaction?: Transaction | undefined;
  /** Set by `renewFlight`: the pages of a repeated request keep their places in the lists. */
  readonly places?: Transaction['places'];
  /** True for a read that waits for the network. */
  isOffline?: boolean;
  /** Set by a queue. Calls `send` when the request may be sent. */
  turn?: (send: Send) => Promise<unknown>;
  /** `'time'`: waits for the undo delay. `'turn'`: waits until earlier requests have ended. */
  waitsFor?: 'time' | 'turn' | undefined;
  /** For a delete: the record as it was before the request. */
  deleted?: unknown;
  /** The value of `Core.mutated` when the request began. */
  mutated?: number;
}

/**
 * The callers and readers that wait for one response, called waiters. When all waiters have
 * withdrawn, the request is aborted.
 */
export interface Wait {
  readonly outcome: Deferred<unknown>;
  /** Only the response to the last request settles the outcome. */
  flight?: Flight | undefined;
  /** The number of waiters. A waiter without a signal never withdraws. */
  wanted: number;
  /** The signals of the waiting readers. `undefined` stands for all readers without a signal. */
  readonly readers: Set<AbortSignal | undefined>;
  /**
   * If the signal of the endpoint aborts, readers receive an error. Without the error, readers
   * would fetch again, and the same signal would abort each request.
   */
  readonly signal: AbortSignal | undefined;
}

export function flightOf({ flight }: { readonly flight: RequestHandle }): Flight {
  // The cast: the handle is opaque to users, and every handle is a `Flight`.
  return flight as Flight;
}

export function signalOf(
  endpoint: EndpointInterface,
  args: readonly unknown[],
): AbortSignal | undefined {
  const { signal } = endpoint;
  return typeof signal === 'function'
    ? (Reflect.apply(signal, endpoint, args) as AbortSignal | undefined)
    : signal;
}

export function hasReaders({ readers }: Wait): boolean {
  return [...readers].some((signal) => !signal?.aborted);
}

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
  return begun({ endpoint, args, key, store, result, wait, isRepeat });
}

/** Creates the next request for the waiters of a request whose response cannot be used. */
export function renewFlight(flight: Flight, isRepeat = false): Flight {
  const places = flight.transaction?.places;
  return begun({ ...flight, isRepeat, transaction: undefined, places });
}

function begun(flight: Omit<Flight, 'abort'>): Flight {
  return (flight.wait.flight = { ...flight, abort: new AbortController() });
}

/** An explicit call must not join a read that began before the last mutation ended. */
export function joinable(
  { reads, store, mutated }: Core,
  result: Result | undefined,
  isExplicit = false,
): Flight | undefined {
  const flight = reads.get(result);
  if (isExplicit && flight?.mutated !== mutated) {
    return undefined;
  }
  const sentAt = flight?.transaction?.meta.fetchedAt;
  const isJoined = sentAt === undefined || flight?.isOffline || !isStalled(sentAt, store.now());
  return isJoined ? flight : undefined;
}

export function flightsOf({ reads, mutations }: Core): readonly Flight[] {
  return [...reads.values(), ...mutations];
}

export const isInFlight = ({ isOffline, waitsFor }: Flight): boolean =>
  !isOffline && waitsFor !== 'time';

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

export function outcomeOfMutation(
  { mutations }: Core,
  test: (transaction: Transaction) => boolean,
): Promise<unknown> | undefined {
  const found = [...mutations].find(({ transaction }) => transaction && test(transaction));
  return found?.wait.outcome.promise;
}
