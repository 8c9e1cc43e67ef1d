import { refold } from './fold.js';
import { trimLog } from '../lists/listLog.js';
import { isPending, oldestStart } from './rank.js';
import type { Store } from '../cells/Store.js';
import { dropLayer } from '../optimistic/watchers.js';

/**
 * Folds all patches once nothing is in flight:
 *
 * ```
 *   in flight   ────R1────────────┐           quiet: base = current value, no patches
 *                 ──M2──┐         │
 *   cell        base │ M2 │ R1 │ …            current value = base + patches in order of rank
 * ```
 *
 * Then no rank can change, and no patch can be added below. Optimistic updates of stalled requests
 * stay patches.
 */
export function foldWhenQuiet(store: Store): void {
  store.hasSettled = false;
  const { reads, mutations, unfolded } = store;
  freeze(store);
  if (reads.size > 0 || mutations.size > 0) {
    return;
  }
  trimLog(store);
  store.outOfOrderUntilQuiet.clear();
  const settled = [...unfolded];
  unfolded.clear();
  for (const { cells } of settled) {
    for (const cell of cells ?? []) {
      // Folding changes no value that an optimistic function reads.
      refold(store, cell, Infinity);
    }
  }
}

/**
 * After a response without rows, the optimistic output becomes final once no older request is in
 * flight.
 */
function freeze(store: Store): void {
  for (const transaction of store.layers) {
    const { start, settle } = transaction;
    const isFinal = oldestStart(store.reads) > settle && oldestStart(store.mutations) > start;
    if (!isPending(transaction) && isFinal) {
      dropLayer(store, transaction);
    }
  }
}
