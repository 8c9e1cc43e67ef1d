import type { Cell, Fields, Patch, Stack, Stored, Transaction } from './state.js';

/** A patch, not placed yet. */
export function createPatch(transaction: Transaction, operation: Patch['operation']): Patch {
  return { transaction, operation, rank: 0 };
}

/** Whether patches lie on a cell, rather than a mere repetition of what is stored. */
export function isStack(stack: Cell['stack']): stack is Stack {
  return stack !== undefined && 'patches' in stack;
}

/** What lies apart on a cell, to be changed there; undefined when nothing does. What was only repeated gets its patch. */
export function stackOf(cell: Cell): Stack | undefined {
  const { stack, shown } = cell;
  if (!stack || isStack(stack)) {
    return stack;
  }
  const { transaction, shape } = stack;
  // The cast: only what is there is repeated.
  const merge = { type: 'merge', shape, fields: shown as Fields } as const;
  const own = { base: shown, patches: [createPatch(transaction, merge)] };
  cell.stack = own;
  hold(transaction, cell);
  return own;
}

/** What lies under all patches of a cell: what is shown where there are none. */
export function baseOf({ stack, shown }: Cell): Stored {
  return isStack(stack) ? stack.base : shown;
}

/** Puts something else under the patches of a cell; the caller refolds. */
export function setBase(cell: Cell, base: Stored): void {
  cell.stack = { base, patches: stackOf(cell)?.patches ?? [] };
}

/** The patches of a cell, in rank order; none where something is only repeated. */
export function patchesOf({ stack }: Cell): readonly Patch[] {
  return isStack(stack) ? stack.patches : NO_PATCHES;
}

export const NO_PATCHES: readonly Patch[] = [];

/** Puts a patch on a cell, wherever it belongs; the caller refolds. */
export function addPatch(cell: Cell, patch: Patch): void {
  const stack = stackOf(cell);
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
  if (isStack(stack)) {
    stack.patches = stack.patches.filter(
      (patch) => patch.transaction !== transaction || (cell !== row && patch.operation.row !== row),
    );
  }
}
