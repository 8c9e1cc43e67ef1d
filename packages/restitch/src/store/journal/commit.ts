import { foldWhenQuiet } from './foldWhenQuiet.js';
import { cutStalled } from './cutStalled.js';
import { expireOutOfOrder } from './outOfOrder.js';
import { rerunLayers } from '../optimistic/layers.js';
import { mark, nodeList } from '../views/nodes.js';
import { equal } from '../cells/plainValues.js';
import { updateSelections } from '../lists/selections.js';
import type { Store } from '../cells/Store.js';

/** Runs a write; when the outermost one ends, tells whoever looks at what changed, in the caller's stack. */
export function commit<T>(store: Store, work: () => T): T {
  store.depth += 1;
  try {
    return work();
  } finally {
    try {
      if (store.depth === 1) {
        markTouched(store);
        expireOutOfOrder(store);
        renewOutdated(store);
      }
    } catch (error) {
      // A manager's or a layer's mistake: the write itself is done, and everybody has to hear of it.
      store.report(error);
    } finally {
      store.depth -= 1;
    }
    if (store.depth === 0) {
      notify(store);
    }
  }
}

/** Marks what contains the cells that changed. A cell that changed and changed back gets its old object again. */
export function markTouched(store: Store): void {
  updateSelections(store);
  while (store.moved.size > 0 || store.hasSettled) {
    rerunLayers(store);
    if (store.hasSettled && !cutStalled(store)) {
      foldWhenQuiet(store);
    }
    updateSelections(store);
  }
  for (const [cell, before] of store.touched) {
    if (equal(cell.shown, before)) {
      cell.shown = before;
      continue;
    }
    store.rendering?.log.push([cell, before]);
    for (const node of nodeList(cell.nodes)) {
      mark(store, node);
    }
  }
  store.touched.clear();
}

/** Before anybody is told: whoever asks again then finds the new requests under way. */
function renewOutdated(store: Store): void {
  if (store.outdated.size > 0) {
    const results = [...store.outdated];
    store.outdated.clear();
    store.renew(results);
    markTouched(store);
  }
}

function notify(store: Store): void {
  while (store.notify.size > 0) {
    const roots = [...store.notify];
    store.notify.clear();
    for (const root of roots) {
      root.onChange?.();
    }
  }
}
