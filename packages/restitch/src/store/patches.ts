import type { Cell, Patch, Transaction } from './state.js';

/** A patch, not placed yet. */
export function createPatch(transaction: Transaction, operation: Patch['operation']): Patch {
  return { transaction, operation, rank: 0, broken: false };
}

/** Notes that a cell's stack holds a patch of a transaction. */
export function hold(transaction: Transaction, cell: Cell): void {
  (transaction.cells ??= new Set()).add(cell);
}

export function release(transaction: Transaction, cell: Cell): void {
  transaction.cells?.delete(cell);
}

/** Takes the patches of one transaction off a cell; the caller refolds. */
export function lift(cell: Cell, transaction: Transaction): void {
  cell.stack = cell.stack?.filter((patch) => patch.transaction !== transaction);
}
