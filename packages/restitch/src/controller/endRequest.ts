import { endedError } from '../errors/aborts.js';
import { toError } from '../errors/toError.js';
import { strayHook } from '../schema/tooManyEndpointsHook.js';
import { commit } from '../store/journal/commit.js';
import { fail, withdrawOptimistic } from '../store/journal/transactions.js';
import type { Result } from '../store/cells/Result.js';
import type { Core } from './Core.js';
import { type Flight, flightsOf, type Wait } from './Flight.js';
import { isDevelopment } from '../errors/development.js';
import { noteFailedCreates } from './temporaryKeys.js';
import type { ResetAction } from './actions.js';

export function end(core: Core, flight: Flight): void {
  const { result } = flight;
  core.superseded.delete(flight);
  core.waiting.delete(flight);
  if (core.mutations.delete(flight)) {
    core.mutated += 1;
  } else if (core.reads.get(result) === flight) {
    core.reads.delete(result);
    strayHook.detector?.noteEnd(core, flight.key);
  } else if (result) {
    return;
  }
  // Synchronous, so that readers see the end of the request together with its response.
  core.watchers.notify();
}

export function settle(
  core: Core,
  flight: Flight,
  how: 'resolve' | 'reject',
  value: unknown,
): void {
  const { wait } = flight;
  if (wait.flight === flight) {
    // The cast: an outcome is rejected with errors only.
    wait.outcome[how](value as Error);
    abortSuperseded(core, wait);
  }
}

/** With `withdrawOptimistic`, the transaction stays in flight: a response may still arrive. */
export function withdraw({ store, transaction }: Flight, how: typeof fail = fail): void {
  if (transaction) {
    commit(store, () => how(store, transaction));
  }
}

/** Ends a request that no caller or reader waits for any more. */
export function abandon(core: Core, wait: Wait, reason: Error): void {
  const { flight } = wait;
  if (flight) {
    end(core, flight);
    if (!flight.result) {
      const error = toError(reason);
      noteFailedCreates(core, flight, error);
      withdraw(flight, withdrawOptimistic);
      wait.outcome.reject(error);
    }
    flight.abort.abort(reason);
  }
  abortSuperseded(core, wait, reason);
}

export function abortSuperseded({ superseded }: Core, wait: Wait, reason?: Error): void {
  for (const flight of superseded) {
    if (flight.wait === wait) {
      superseded.delete(flight);
      flight.abort.abort(reason ?? endedError('AbortError'));
    }
  }
}

/** Returns the results of the aborted reads. */
function abortAll(core: Core, message: string): ReadonlySet<Result | undefined> {
  const reason = endedError('AbortError', message);
  const flights = [...flightsOf(core), ...core.superseded];
  core.watchers.notifyLater();
  for (const all of [core.reads, core.mutations, core.superseded, core.waiting]) {
    all.clear();
  }
  for (const { wait, abort } of flights) {
    wait.flight = undefined;
    abort.abort(reason);
    wait.outcome.reject(reason);
  }
  core.sweeper.stop();
  return new Set(flights.map(({ result }) => result));
}

export function dispose(core: Core): void {
  core.end();
  abortAll(core, isDevelopment ? 'The controller was disposed of.' : 'disposed');
}

export function reset(core: Core, { refetch }: ResetAction): void {
  const pauses = refetch === false;
  // Requests in flight write to the old store, which has no readers.
  const next = core.newStore();
  next.depth = core.store.depth;
  next.observer = core.store.observer?.moved(core.store);
  core.store = next;
  const aborted = abortAll(core, isDevelopment ? 'The store was reset.' : 'reset');
  commit(next, () => core.views.move(aborted, pauses));
  core.resets.notify(!pauses);
}
