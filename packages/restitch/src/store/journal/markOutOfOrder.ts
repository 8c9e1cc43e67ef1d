import type { Cell } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';

/** Marks a row or list: its readers fetch again. The only code that writes both maps. */
export function markOutOfOrder(store: Store, cell: Cell, settle: number): void {
  store.outOfOrder.set(cell, Math.max(settle, store.outOfOrder.get(cell) ?? 0));
  store.outOfOrderUntilQuiet.set(cell, settle);
}
