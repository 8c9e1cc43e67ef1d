import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import { toError } from '../errors/toError.js';
import { isPending } from '../store/journal/responseOrder.js';
import type { Result } from '../store/cells/Result.js';
import type { Core } from './Core.js';
import { end, settle, withdraw } from './endRequest.js';
import { declaredOf } from './fixedOf.js';
import { type Flight, renewFlight } from './Flight.js';
import { joinAsReader } from './joinRequest.js';
import { shapeOf } from '../schema/shape.js';
import { noteClasses } from '../store/cells/tables.js';
import { restart } from '../store/journal/restart.js';
import { notePlaces } from '../store/lists/pagePlaces.js';
import { showOptimistic } from './showOptimistic.js';
import { noteFailedCreates } from './temporaryKeys.js';

export function start(core: Core, flight: Flight): void {
  const { endpoint, result, store } = flight;
  noteClasses(store, shapeOf(endpoint.schema));
  flight.mutated = core.mutated;
  core.watchers.notifyLater();
  if (!result) {
    core.mutations.add(flight);
  } else if (!flight.abort.signal.aborted) {
    // A request with an aborted signal fails, so it must not replace a request of other callers.
    supersede(core, flight, result);
  }
  announce(core, flight, flight.args);
}

/** Called again when the arguments of a waiting request have changed, so that managers know them. */
export function announce(core: Core, flight: Flight, args: readonly unknown[]): void {
  const { endpoint, key, id, transaction } = flight;
  const begun = transaction?.start;
  try {
    core.dispatch({ type: 'fetch', endpoint: declaredOf(endpoint), args, key, flight, id });
    if (flight.transaction?.start === begun) {
      const message = isDevelopment
        ? `${key}: a manager did not pass on the fetch action, so nothing was sent.`
        : key;
      throw new RestitchError('not-sent', message);
    }
  } catch (error) {
    giveUp(core, flight, toError(error));
  }
}

function supersede(core: Core, flight: Flight, result: Result): void {
  const older = core.reads.get(result);
  if (older) {
    core.superseded.add(older);
    // The readers of the older request wait for both requests. The newer one must not end when its
    // own caller withdraws.
    for (const signal of older.wait.readers) {
      if (!signal?.aborted) {
        joinAsReader(core, flight.wait, signal);
      }
    }
  }
  core.reads.set(result, flight);
  result.resume?.();
}

/** Repeats the request in flight of each expired result: its response would be outdated. */
export function renew(core: Core, results: readonly Result[]): void {
  for (const result of results) {
    const flight = core.reads.get(result);
    if (flight && (flight.transaction?.start ?? 0) < result.expiredIn) {
      start(core, renewFlight(flight));
    }
  }
}

export function giveUp(core: Core, flight: Flight, error: Error): void {
  noteFailedCreates(core, flight, error);
  end(core, flight);
  if (flight.transaction && isPending(flight.transaction)) {
    withdraw(flight);
  }
  settle(core, flight, 'reject', error);
}

/** Starts a waiting request anew, as if it began now. */
export function startAgain(core: Core, flight: Flight, args: readonly unknown[]): void {
  const { store, transaction, endpoint, places } = flight;
  if (transaction) {
    restart(store, transaction);
    notePlaces(store, transaction, shapeOf(endpoint.schema), args, places);
    flight.mutated = core.mutated;
    showOptimistic(core, flight, args);
  }
}
