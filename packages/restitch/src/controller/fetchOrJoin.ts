import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { strayHook } from '../schema/tooManyEndpointsHook.js';
import type { Core } from './Core.js';
import type { EndpointView } from './EndpointView.js';
import { createFlight, type Flight, flightsOf, joinable, signalOf } from './Flight.js';
import { join, joinAsReader } from './joinRequest.js';
import { startForReaders } from './readerRequests.js';
import { resultOf } from './resultOf.js';
import { start } from './startRequest.js';
import type { TrackedPromise } from './View.js';

/** After `await save()`, the caller expects the change, which an older read in flight may lack. */
export function fetchFor(
  core: Core,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): Promise<unknown> {
  const { store } = core;
  const key = endpoint.key(...args);
  const result = endpoint.sideEffect ? undefined : resultOf(store, endpoint, args, key);
  const current = joinable(core, result, true);
  if (current) {
    return join(core, current.wait, signalOf(endpoint, args));
  }
  const flight = createFlight(store, endpoint, args, key, result);
  const waiting = join(core, flight.wait, flight.wait.signal);
  if (!flight.abort.signal.aborted) {
    start(core, flight);
  }
  return waiting;
}

export function loadFor(
  core: Core,
  view: EndpointView<unknown>,
  signal: AbortSignal | undefined,
  isExplicit: boolean,
): TrackedPromise<unknown> {
  const { endpoint, args, result } = view;
  const current = joinable(core, result, isExplicit);
  if (current) {
    const { wait } = current;
    const own = endpoint.signal;
    // Without a signal of its own, the reader keeps waiting when that of the request aborts.
    joinAsReader(core, wait, signal ?? (typeof own === 'function' ? wait.signal : own));
    return wait.outcome.promise;
  }
  strayHook.detector?.begin(core, endpoint, result);
  const isRepeat = result.status === 'value' && !view.isComplete;
  const flight = createFlight(core.store, endpoint, args, result.key, result, isRepeat);
  const { wait } = flight;
  joinAsReader(core, wait, signal, wait.signal);
  startForReaders(core, flight, view);
  return wait.outcome.promise;
}

export async function settled(core: Core, matches: (flight: Flight) => boolean): Promise<void> {
  // Subscribers send their requests at the end of a batch, which is before the next microtask.
  await Promise.resolve();
  const flights = flightsOf(core).filter((flight) => flight.result && matches(flight));
  await Promise.allSettled(flights.map(({ wait }) => wait.outcome.promise));
}
