import type { Cell } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';

export function markOutOfOrder(store: Store, cell: Cell, settle: number): void {
  raiseMark(store.outOfOrder, cell, settle);
  raiseMark(store.outOfOrderUntilQuiet, cell, settle);
}

export function raiseMark(marks: Map<Cell, number>, cell: Cell, settle: number): void {
  marks.set(cell, Math.max(settle, marks.get(cell) ?? 0));
}
