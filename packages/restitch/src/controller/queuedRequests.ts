import type { Cell } from '../store/cells/Cell.js';
import { commit } from '../store/journal/commit.js';
import { refold } from '../store/journal/fold.js';
import { patchesOf } from '../store/journal/patches.js';
import { isPending } from '../store/journal/responseOrder.js';
import type { Action } from './actions.js';
import type { Core } from './Core.js';
import { type Flight, flightOf } from './Flight.js';
import type { Queued } from './queueLanes.js';
import { sendKept, watchPage } from './pageClose.js';
import { moveAbove } from './waitForKeys.js';

export interface Waiting {
  readonly entries: Map<Flight, Queued>;
  readonly sendAll: () => void;
}

const known = new WeakMap<Core, Waiting>();

export function waitingOf(core: Core): Waiting {
  let waiting = known.get(core);
  if (!waiting) {
    const entries = new Map<Flight, Queued>();
    waiting = { entries, sendAll: () => entries.forEach((entry) => sendKept(entry)) };
    known.set(core, waiting);
    core.addManager({
      middleware: () => (next) => (action) => {
        if (entries.size === 0) {
          next(action);
        } else {
          passOn(core, entries, action, next);
        }
      },
    });
  }
  return waiting;
}

export function addWaiting(entry: Queued): void {
  const { entries, sendAll } = waitingOf(entry.core);
  entries.set(entry.flight, entry);
  watchPage(true, sendAll);
}

export function removeWaiting(entry: Queued): void {
  const { entries, sendAll } = waitingOf(entry.core);
  entries.delete(entry.flight);
  if (entries.size === 0) {
    watchPage(false, sendAll);
  }
}

/**
 * Waiting requests are sent later than other mutations, so the updates of waiting requests override
 * these mutations.
 *
 * ```
 *   serial  'a'   ├────────┤            solid: in flight
 *   serial  'b'     ├ ─ ─ ─┴───────┤    dashed: waits, but readers see 'b'
 *   plain   'c'       ├──────┤          readers never see it: 'b' is sent later
 * ```
 */
function passOn(
  core: Core,
  entries: ReadonlyMap<Flight, Queued>,
  action: Action,
  next: (action: Action) => void,
): void {
  const flight = 'flight' in action ? flightOf(action) : undefined;
  if (!flight || flight.result || action.type === 'fail') {
    next(action);
    return;
  }
  const { store } = flight;
  const raise = (): void => {
    if (!core.waiting.has(flight)) {
      commit(store, () => raiseAbove(core, new Set(flight.transaction?.cells), flight));
    }
  };
  if (action.type === 'receive') {
    next(action);
    raise();
  } else {
    // In one commit, so that no reader sees the wrong order.
    commit(store, () => {
      next(action);
      raise();
    });
  }
}

/**
 * Moves the optimistic updates of waiting requests above `sent`, a mutation that was just sent or
 * settled. Only requests that started after `since`, and change or read the same data, are moved.
 */
export function raiseAbove(core: Core, changed: Set<Cell>, sent: Flight, since = 0): void {
  // Optimization: without another pending mutation on these rows and lists, no update moves.
  const isAlone = [...changed].every((cell) =>
    patchesOf(cell).every(
      ({ transaction }) => transaction === sent.transaction || !isPending(transaction),
    ),
  );
  if (isAlone) {
    return;
  }
  const startOf = ({ transaction }: Flight): number => transaction?.start ?? 0;
  for (const other of [...core.waiting.keys()].sort((a, b) => startOf(a) - startOf(b))) {
    if (other !== sent && startOf(other) > since) {
      moveAbove(sent.store, other, changed);
    }
  }
  changed.forEach((cell) => refold(sent.store, cell, sent.store.tick));
}
