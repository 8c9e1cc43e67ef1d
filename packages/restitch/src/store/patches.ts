import type { Cell, Patch, Stored, Transaction } from './state.js';

/** A patch, not placed yet. */
export function createPatch(transaction: Transaction, operation: Patch['operation']): Patch {
  return { transaction, operation, rank: 0 };
}

/** What lies under all patches of a cell: what is shown where there are none. */
export function baseOf({ stack, shown }: Cell): Stored {
  return stack ? stack.base : shown;
}

/** Puts something else under the patches of a cell; the caller refolds. */
export function setBase(cell: Cell, base: Stored): void {
  cell.stack = { base, patches: cell.stack?.patches ?? [] };
}

/** The patches of a cell, in rank order. */
export function patchesOf({ stack }: Cell): readonly Patch[] {
  return stack?.patches ?? NO_PATCHES;
}

const NO_PATCHES: readonly Patch[] = [];

/** Puts a patch on a cell, wherever it belongs; the caller refolds. */
export function addPatch(cell: Cell, patch: Patch): void {
  const { stack } = cell;
  if (stack) {
    stack.patches.push(patch);
  } else {
    cell.stack = { base: cell.shown, patches: [patch] };
  }
  hold(patch.transaction, cell);
}

/** Notes that a cell's stack holds a patch of a transaction. */
export function hold(transaction: Transaction, cell: Cell): void {
  (transaction.cells ??= new Set()).add(cell);
}

export function release(transaction: Transaction, cell: Cell): void {
  transaction.cells?.delete(cell);
}

/** Takes the patches of one transaction off a cell, or of a list those about one row; the caller refolds. */
export function lift(cell: Cell, transaction: Transaction, row: Cell = cell): void {
  const { stack } = cell;
  if (stack) {
    stack.patches = stack.patches.filter(
      (patch) => patch.transaction !== transaction || (cell !== row && patch.operation.row !== row),
    );
  }
}
