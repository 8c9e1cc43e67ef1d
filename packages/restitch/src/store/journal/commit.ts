import { cutStalled, withdrawOvertaken } from './cutStalled.js';
import { expireOutOfOrder } from './outOfOrderMutations.js';
import { rerunLayers } from '../optimistic/rerunLayers.js';
import { mark, nodeList } from '../views/nodes.js';
import { equal } from '../cells/plainValues.js';
import type { Store } from '../cells/Store.js';
import { refold } from './fold.js';
import { trimLog } from '../lists/listLog.js';
import { oldestStart } from './responseOrder.js';
import { dropLayer } from '../optimistic/watchers.js';

/** At the end of the outermost write, readers of changed data are notified synchronously. */
export function commit<T>(store: Store, work: () => T): T {
  store.depth += 1;
  try {
    return work();
  } finally {
    try {
      if (store.depth === 1) {
        markTouched(store);
        const expired = expireOutOfOrder(store);
        if (expired.length > 0) {
          // The requests are sent before readers are notified. Readers that fetch then join these
          // requests.
          store.renew(expired);
          markTouched(store);
        }
      }
    } catch (error) {
      // The write itself is complete, so readers are still notified.
      store.report(error);
    } finally {
      store.depth -= 1;
    }
    if (store.depth === 0 && !store.observer?.end(store)) {
      notify(store);
    }
  }
}

/**
 * Marks the nodes of changed cells as dirty. A cell that changed back gets its old object again.
 */
export function markTouched(store: Store): void {
  store.selections?.update(store);
  while (store.moved.size > 0 || store.hasSettled) {
    rerunLayers(store);
    // The layer of a confirmed mutation may now write another row. That row then loses the
    // optimistic updates of stalled mutations.
    withdrawOvertaken(store);
    // Layers run again before the patches that they read are folded.
    if (store.moved.size === 0 && store.hasSettled && !cutStalled(store)) {
      foldWhenQuiet(store);
    }
    store.selections?.update(store);
  }
  for (const [cell, before] of store.touched) {
    if (equal(cell.current, before)) {
      cell.current = before;
      continue;
    }
    store.rendering?.log.push([cell, before]);
    for (const node of nodeList(cell.nodes)) {
      mark(store, node);
    }
  }
  store.touched.clear();
}

export function notify(store: Store): void {
  while (store.notify.size > 0) {
    const roots = [...store.notify];
    store.notify.clear();
    for (const root of roots) {
      root.onChange?.();
    }
  }
}

/**
 * Folds all patches once no request is in flight, because no response can then add a patch below
 * them. Optimistic updates of stalled requests stay patches.
 */
function foldWhenQuiet(store: Store): void {
  store.hasSettled = false;
  const { inFlight, unfolded } = store;
  dropFinalLayers(store);
  if (inFlight.size > 0) {
    return;
  }
  trimLog(store);
  store.outOfOrderUntilQuiet.clear();
  const settled = [...unfolded];
  unfolded.clear();
  for (const { cells } of settled) {
    for (const cell of cells ?? []) {
      // Infinity: no layer has to run again, because folding changes no current value.
      refold(store, cell, Infinity);
    }
  }
}

/** Drops the layers of confirmed mutations whose input can no longer change. */
function dropFinalLayers(store: Store): void {
  // Optimization: computed once, because each call visits the requests in flight.
  const oldestRead = oldestStart(store, 'read');
  const oldestMutation = oldestStart(store, 'mutation');
  for (const transaction of store.layers) {
    const { start, settle } = transaction;
    if (start >= oldestMutation) {
      // A mutation in flight can still change the input of this layer. Optimization: the remaining
      // layers are skipped, because most of them are younger.
      break;
    }
    if (oldestRead > settle) {
      dropLayer(store, transaction);
    }
  }
}
