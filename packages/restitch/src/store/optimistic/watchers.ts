import { entryOf } from '../../host/entryOf.js';
import type { Layer, Transaction } from '../journal/Transaction.js';
import type { Store } from '../cells/Store.js';

export function watch(store: Store, transaction: Transaction, layer: Layer): void {
  if (layer.copies.size > 0 && store.inFlight.has(transaction)) {
    store.layers.add(transaction);
  }
  for (const cell of layer.copies.keys()) {
    entryOf(store.watchers, cell, () => new Set()).add(transaction);
  }
}

export function unwatch(store: Store, transaction: Transaction, layer: Layer): void {
  for (const cell of layer.copies.keys()) {
    const watchers = store.watchers.get(cell);
    watchers?.delete(transaction);
    if (watchers?.size === 0) {
      store.watchers.delete(cell);
    }
  }
}

export function dropLayer(store: Store, transaction: Transaction): void {
  const { layer } = transaction;
  if (!layer) {
    return;
  }
  transaction.layer = undefined;
  unwatch(store, transaction, layer);
  store.layers.delete(transaction);
}
