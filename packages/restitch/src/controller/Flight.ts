import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { isStalled } from '../store/journal/stalled.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import type { Transaction } from '../store/journal/Transaction.js';
import type { RequestHandle } from './actions.js';
import type { Core } from './Core.js';
import { type Deferred, deferred } from './tracked.js';

/** One request under way. */
export interface Flight extends RequestHandle {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  /** The store it started in: after a reset its answer falls into what nobody reads any more. */
  readonly store: Store;
  /** Of a read: the register that its answer goes to. */
  readonly result: Result | undefined;
  /** Who waits; handed on to the request that takes this one's place. */
  readonly wait: Wait;
  /** Aborts this request; of one that another took the place of, only a reset does. */
  readonly abort: AbortController;
  /** It is sent because what the response before had brought was lost: an automatic repeat. */
  readonly isRepeat: boolean;
  /** Set when it starts. */
  transaction?: Transaction | undefined;
  /** Of a request that is sent again: behind what its pages were first asked for. */
  readonly places?: Transaction['places'];
  /** Of a delete: the record as it was before the request. */
  deleted?: unknown;
  /** How many mutations had ended when it began. */
  mutated?: number;
}

/**
 * Those who wait for one answer. Whoever asks for the same joins them; the request is aborted only when everybody who
 * wanted it has withdrawn.
 */
export interface Wait {
  readonly outcome: Deferred<unknown>;
  /** The request whose answer counts: the last one sent for those who wait. */
  flight?: Flight | undefined;
  /** How many still want the answer; whoever has no signal never withdraws. */
  wanted: number;
  /** The readers that wait, each by the signal that withdraws it: undefined stands for all that never withdraw. */
  readonly readers: Set<AbortSignal | undefined>;
  /** The signal of the endpoint that asked first. A reader that waits for it shows its abort, or it would ask for ever. */
  readonly signal: AbortSignal | undefined;
}

/** The request of an action. */
export function flightOf({ flight }: { readonly flight: RequestHandle }): Flight {
  // The cast: to users a handle is opaque, and every one is made here.
  return flight as Flight;
}

/** The endpoint's own signal for one request; a function is told its arguments. */
export function signalOf(
  endpoint: EndpointInterface,
  args: readonly unknown[],
): AbortSignal | undefined {
  const { signal } = endpoint;
  // The cast: what such a function returns, whatever it takes.
  return typeof signal === 'function'
    ? (Reflect.apply(signal, endpoint, args) as AbortSignal | undefined)
    : signal;
}

/** Whether a reader waits: the value must be kept for it, whatever its lifetime. */
export function hasReaders({ readers }: Wait): boolean {
  return [...readers].some((signal) => !signal?.aborted);
}

/** A request that is not sent yet. */
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

/** The same request again, for those who wait for the first: its answer would come too late to count. */
export function renewFlight(flight: Flight, isRepeat = false): Flight {
  const places = flight.transaction?.places;
  return of(flight.wait, { ...flight, isRepeat, transaction: undefined, places });
}

function of(wait: Wait, flight: Omit<Flight, 'abort'>): Flight {
  return (wait.flight = { ...flight, abort: new AbortController() });
}

/** The read under way that whoever asks joins; not one that will probably never be answered. */
export function joinable(
  { reads, environment }: Core,
  result: Result | undefined,
): Flight | undefined {
  const flight = result && reads.get(result);
  const sentAt = flight?.transaction?.meta.fetchedAt;
  return sentAt === undefined || !isStalled(sentAt, environment.now()) ? flight : undefined;
}

/** The requests under way whose outcome readers see, and mutations. */
export function flightsOf({ reads, mutations }: Core): readonly Flight[] {
  return [...reads.values(), ...mutations];
}

/** How many requests are of an endpoint, or with arguments for one key; without an endpoint all are. */
export function countFlights(
  core: Core,
  endpoint: EndpointInterface | undefined,
  args: readonly unknown[],
): number {
  const key = endpoint && args.length > 0 ? endpoint.key(...args) : undefined;
  return flightsOf(core).filter(
    (flight) =>
      !endpoint ||
      (key === undefined
        ? endpoint.testKey(flight.key) || endpoint['~isKin']?.(flight.endpoint)
        : flight.key === key),
  ).length;
}

/** The outcome of the mutation in flight whose transaction passes a test. */
export function outcomeOfMutation(
  { mutations }: Core,
  test: (transaction: Transaction) => boolean,
): Promise<unknown> | undefined {
  const found = [...mutations].find(({ transaction }) => transaction && test(transaction));
  return found?.wait.outcome.promise;
}
