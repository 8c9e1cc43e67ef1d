import type { Store } from '../store/cells/Store.js';
import type { Cell } from '../store/cells/Cell.js';
import { refold } from '../store/journal/fold.js';
import { moveUp } from '../store/journal/restart.js';
import type { Core } from './Core.js';
import type { Flight, Send } from './Flight.js';
import { renameViews } from './renameViews.js';
import { announce } from './startRequest.js';
import { temporaryIn, untilNamed, withRealKeys } from './temporaryKeys.js';

/** Calls `send` with real keys: at once, or as soon as all creates have returned their keys. */
export function sendNamed(
  core: Core,
  flight: Flight,
  args: readonly unknown[],
  send: Send,
): Promise<unknown> {
  const { store } = flight;
  const sendReal = (): Promise<unknown> => send(withRealKeys(args, store.named));
  if (!temporaryIn(store, args)) {
    return sendReal();
  }
  return new Promise((resolve, reject) => {
    core.waiting.set(flight, () => {
      core.waiting.delete(flight);
      resolve(sendReal());
    });
    // `sendWaiting` does not run for a response that contains the key, but cannot be stored.
    untilNamed(core, flight).then(() => core.waiting.get(flight)?.(), reject);
  });
}

/**
 * Must run in the commit that stores the response to a create:
 * - A restart moves the optimistic update to the top, and readers must not see the earlier order.
 * - The waiting requests must be sent before any request that a caller sends after the commit.
 *
 * The updates of later calls stay above the updates of the sent requests, even if these calls still
 * wait:
 * ```
 *   create task    ├──────────┤
 *   create note       ├ ─ ─ ─ ├─────────┤            starts again here
 *   edit note            ├ ─ ─│─ ─ ─ ─ ─├──────┤     moves above the restarted create
 * ```
 */
export function sendWaiting(core: Core): void {
  renameViews(core);
  const moved = new Set<Cell>();
  for (const [flight, send] of core.waiting) {
    const { args, store, transaction } = flight;
    if (transaction && send && !temporaryIn(store, args)) {
      announce(core, flight, withRealKeys(args, store.named));
      // A manager can refuse the request.
      if (core.waiting.has(flight)) {
        send();
      }
      transaction.cells?.forEach((cell) => moved.add(cell));
    } else {
      moveAbove(store, flight, moved);
    }
  }
  moved.forEach((cell) => refold(core.store, cell, core.store.tick));
}

/**
 * If the update of a waiting request changes or reads one of the moved cells, the update moves to the
 * top, and its cells are added to `moved`. The caller must refold the moved cells.
 */
export function moveAbove(store: Store, { transaction }: Flight, moved: Set<Cell>): void {
  const { cells = [], layer } = transaction ?? {};
  const used = [...cells, ...(layer?.copies.keys() ?? [])];
  const isMoved = (cell: Cell): boolean => cell.table.kind === 'selection' || moved.has(cell);
  if (transaction && moved.size > 0 && used.some(isMoved)) {
    moveUp(store, transaction, used);
    cells.forEach((cell) => moved.add(cell));
  }
}
