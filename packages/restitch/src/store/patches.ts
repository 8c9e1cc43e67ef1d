import type { Cell, LogEntry, Patch, Transaction } from './state.js';

/** A patch, not placed yet. */
export function createPatch(
  transaction: Transaction,
  operation: Patch['operation'],
  entry?: LogEntry,
): Patch {
  return { transaction, operation, rank: 0, entry, broken: false };
}

/** Notes that a cell's stack holds a patch of a transaction. */
export function hold(transaction: Transaction, cell: Cell): void {
  (transaction.cells ??= new Set()).add(cell);
}

export function release(transaction: Transaction, cell: Cell): void {
  transaction.cells?.delete(cell);
  if (transaction.cells?.size === 0) {
    transaction.cells = undefined;
  }
}

/** Takes the patches of one transaction off a cell; the caller refolds. */
export function lift(cell: Cell, transaction: Transaction): void {
  const rest = cell.stack?.filter((patch) => patch.transaction !== transaction);
  cell.stack = rest && rest.length > 0 ? rest : undefined;
}
