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
          // Readers are notified after `renew`, so that a reader that fetches joins a sent request.
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

/** Marks the nodes of changed cells as dirty. A cell that changed back gets its old object. */
export function markTouched(store: Store): void {
  store.selections?.update(store);
  while (store.moved.size > 0 || store.hasSettled) {
    rerunLayers(store);
    // An optimistic function may now write another row, and overtake a stalled mutation there.
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

/** Once no request is in flight, ranks are final and patches are folded, except stalled ones. */
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
      // No layer starts after Infinity, so none runs again: folding changes no current value.
      refold(store, cell, Infinity);
    }
  }
}

/** Drops the layers of confirmed mutations whose input can no longer change. */
function dropFinalLayers(store: Store): void {
  const oldestRead = oldestStart(store, 'read');
  const oldestMutation = oldestStart(store, 'mutation');
  for (const transaction of store.layers) {
    const { start, settle } = transaction;
    if (start >= oldestMutation) {
      // A mutation in flight can still change the input of this and most later layers.
      break;
    }
    if (oldestRead > settle) {
      dropLayer(store, transaction);
    }
  }
}
