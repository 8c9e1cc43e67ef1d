import type { Cell } from '../cells/Cell.js';
import type { RowTable, Store } from '../cells/Store.js';

export function markOutOfOrder(store: Store, cell: Cell, settle: number): void {
  raiseMark(store.outOfOrder, cell, settle);
  raiseMark(store.outOfOrderUntilQuiet, cell, settle);
}

export function raiseMark(
  marks: Map<Cell | RowTable, number>,
  key: Cell | RowTable,
  settle: number,
): void {
  marks.set(key, Math.max(settle, marks.get(key) ?? 0));
}

/** Returns the tick of the last mutation that a response with this cell may lack, or 0. */
export function lastMark(store: Store, cell: Cell): number {
  return Math.max(store.outOfOrderUntilQuiet.get(cell) ?? 0, tableMark(store, cell));
}

/** Returns the tick of the last mutation that may have changed any row of the table, or 0. */
export function tableMark({ outOfOrderUntilQuiet: marks }: Store, { table }: Cell): number {
  return (table.kind === 'rows' && marks.get(table)) || 0;
}
