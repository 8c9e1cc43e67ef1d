import { refold } from './fold.js';
import { trimLog } from './log.js';
import { mayFold, oldestStart } from './rank.js';
import { foldRepeats } from './repeats.js';
import type { Store } from './state.js';
import { dropLayer } from './watchers.js';

/**
 * Folds what nothing in flight can precede any more, now that something has settled. Visits transactions, not cells. Layers
 * have to be up to date: folding freezes the guess of one that was answered without a row.
 */
export function advance(store: Store): void {
  store.hasSettled = false;
  trimLog(store);
  const oldestRead = oldestStart(store.reads);
  const oldestMutation = oldestStart(store.mutations);
  const isHeld = oldestRead === store.oldestRead && oldestMutation === store.oldestMutation;
  if (isHeld && !store.hasFoldable) {
    // What held folding back still does.
    return;
  }
  store.hasFoldable = false;
  store.oldestRead = oldestRead;
  store.oldestMutation = oldestMutation;
  const candidates = [...store.unfolded];
  for (const transaction of candidates) {
    if (mayFold(store, transaction)) {
      dropLayer(store, transaction);
      foldRepeats(store, transaction);
      const cells = [...(transaction.cells ?? [])];
      for (const cell of cells) {
        // Folding changes nothing of what any layer sees.
        refold(store, cell, Infinity);
      }
    }
    if (!transaction.cells?.size && !transaction.repeats && !transaction.layer) {
      store.unfolded.delete(transaction);
    }
  }
}
