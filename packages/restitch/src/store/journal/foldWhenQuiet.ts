import { refold } from './fold.js';
import { trimLog } from '../lists/listLog.js';
import { isPending, oldestStart } from './rank.js';
import type { Store } from '../cells/Store.js';
import { dropLayer } from '../optimistic/watchers.js';

/**
 * Folds everything once nothing is in flight any more:
 *
 * ```
 *   in flight   ────R1────────────┐           quiet: base = what is shown, no patches
 *                 ──M2──┐         │
 *   cell        base │ M2 │ R1 │ …            shown = base + patches in order of rank
 * ```
 *
 * No rank can change then, and nothing can come below. What a stalled request guesses stays apart.
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
      // Folding changes nothing of what any layer sees.
      refold(store, cell, Infinity);
    }
  }
}

/** What an optimistic function of a request gave that was answered without a row stays, once nothing older can be answered below it. */
function freeze(store: Store): void {
  for (const transaction of store.layers) {
    const { start, settle } = transaction;
    const isFinal = oldestStart(store.reads) > settle && oldestStart(store.mutations) > start;
    if (!isPending(transaction) && isFinal) {
      dropLayer(store, transaction);
    }
  }
}
