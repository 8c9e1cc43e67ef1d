import type { Cell } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';

/** Puts a row or list in doubt: what shows it is fetched again. The one owner of both maps. */
export function markOutOfOrder(store: Store, cell: Cell, settle: number): void {
  store.outOfOrder.set(cell, Math.max(settle, store.outOfOrder.get(cell) ?? 0));
  store.outOfOrderUntilQuiet.set(cell, settle);
}
