import { dropLayer } from '../optimistic/watchers.js';
import { touch } from './fold.js';
import { forgetEdits } from './plainEdits.js';
import type { Cell } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';
import type { Transaction } from './Transaction.js';
import { refoldAll, withdraw } from './transactions.js';

/**
 * Gives a new start to a request that waited for the real key of a created row. With the old start,
 * mutations that reached the server during the wait would rank above this request. The caller must
 * place the optimistic update again.
 */
export function restart(store: Store, transaction: Transaction): void {
  const { meta, overtaken } = transaction;
  dropLayer(store, transaction);
  refoldAll(store, withdraw(store, transaction), transaction);
  moveUp(store, transaction);
  transaction.meta = { ...meta, fetchedAt: store.now() };
  // A stalled request is in flight again, but a request that `begin` left out is not added.
  if (overtaken) {
    transaction.overtaken = undefined;
    store.stalled.delete(transaction);
    store.inFlight.add(transaction);
  }
}

/**
 * Gives a new start to a pending request. Its optimistic update and its times stay the same. The
 * caller must refold its cells, once for a thousand creates of one list.
 *
 * @param used - the cells that the optimistic update changes or reads
 */
export function moveUp(store: Store, transaction: Transaction, used: readonly Cell[] = []): void {
  for (const cell of used) {
    // Layers run again if their input changes, for example the layer of this request.
    touch(store, cell, transaction.start);
    forgetEdits(cell);
  }
  store.tick += 1;
  transaction.start = store.tick;
  // Both sets are in order of start.
  for (const all of [store.inFlight, store.layers]) {
    if (all.delete(transaction)) {
      all.add(transaction);
    }
  }
}
