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
export function lastMark({ outOfOrderUntilQuiet: marks }: Store, cell: Cell): number {
  const { table } = cell;
  const all = table.kind === 'rows' ? marks.get(table) : undefined;
  return Math.max(marks.get(cell) ?? 0, all ?? 0);
}
