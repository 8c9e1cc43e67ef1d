import { sendsAlike } from '../schema/sameProcessing.js';
import { endedError, onAbort } from '../errors/aborts.js';
import { isDevelopment } from '../errors/development.js';
import { startTimer } from '../host/startTimer.js';
import type { Core } from './Core.js';
import { watched } from './Failures.js';
import { createFlight, signalOf } from './Flight.js';
import { internalsOf } from './internals.js';
import { join } from './joinRequest.js';
import {
  advance,
  createLane,
  enter,
  joinCalls,
  laneOf,
  nameOfCall,
  type Queued,
  showRest,
} from './queueLanes.js';
import type { QueuedEndpoint } from './queuedEndpoints.js';
import { announce, start } from './startRequest.js';
import { temporaryIn, withRealKeys } from './temporaryKeys.js';

export function callQueued(
  this: QueuedEndpoint,
  controller: object,
  args: readonly unknown[],
): Promise<unknown> {
  const core = internalsOf(controller);
  const { delay } = this.$queue;
  const [entry, isNew] = entryOf(core, this, args);
  const { flight, calls } = entry;
  const undo = new AbortController();
  const own = isNew ? flight.wait.signal : signalOf(this, args);
  const signals = [own, delay === undefined ? undefined : undo.signal].filter(
    (signal) => signal !== undefined,
  );
  const promise = watched(core, this, join(core, flight.wait, ...signals));
  const isWaiting = (): boolean => calls.has(args) && isOpen(entry);
  if (!signals.some(({ aborted }) => aborted)) {
    calls.add(args);
    for (const signal of signals) {
      onAbort(signal, () => takeOut(entry, args));
    }
    restartUndoDelay(entry, delay);
    if (isNew) {
      enter(entry);
      start(core, flight);
    } else {
      joinCalls(entry);
      announce(core, flight, flight.args);
    }
  }
  const cancel = (): boolean => {
    const canCancel = isWaiting();
    if (canCancel) {
      undo.abort(endedError('AbortError', isDevelopment ? 'The call was canceled.' : 'canceled'));
    }
    return canCancel;
  };
  return delay === undefined ? promise : Object.assign(promise, { cancel });
}

function entryOf(
  core: Core,
  endpoint: QueuedEndpoint,
  args: readonly unknown[],
): readonly [entry: Queued, isNew: boolean] {
  const { by, joins } = endpoint.$queue;
  const { store } = core;
  const key = endpoint.key(...args);
  // The same record can have its temporary key in one call and its real key in the other.
  const real = (given = args): readonly unknown[] => withRealKeys(given, store.named);
  const lane =
    by === undefined
      ? createLane(() => key)
      : laneOf(
          store,
          () => nameOfCall(store, endpoint, by, real()),
          temporaryIn(store, args) !== undefined,
        );
  const last = lane.queued.at(-1);
  if (
    joins &&
    last?.joins &&
    isOpen(last) &&
    // Calls with different headers must not share a request.
    (last.flight.endpoint === endpoint || sendsAlike(last.flight.endpoint, endpoint)) &&
    endpoint.key(...real(last.flight.args)) === endpoint.key(...real())
  ) {
    return [last, false];
  }
  const flight = createFlight(store, endpoint, args, key, undefined);
  return [{ core, flight, lane, joins, calls: new Set(), isSent: false }, true];
}

/** While a request is open, calls can join and leave it. */
function isOpen({ isSent, flight }: Queued): boolean {
  return !isSent && !flight.abort.signal.aborted;
}

/** If no call is left, `join` has already aborted the request. */
function takeOut(entry: Queued, args: readonly unknown[]): void {
  if (entry.calls.delete(args) && entry.calls.size > 0 && isOpen(entry)) {
    showRest(entry);
  }
}

function restartUndoDelay(entry: Queued, delay: number | undefined): void {
  if (delay !== undefined) {
    entry.stopTimer?.();
    const end = (): void => {
      entry.stopTimer = undefined;
      entry.flight.waitsFor = 'turn';
      entry.core.watchers.notifyLater();
      advance(entry.lane);
    };
    entry.stopTimer = startTimer(end, delay, entry.core.environment);
  }
}
