import { editsFrom, isEdited, removeEdits, noteChange } from './plainEdits.js';
import type { Cell, Stored } from '../cells/Cell.js';
import type { Patch, Stack, Transaction } from './Transaction.js';

export function createPatch(transaction: Transaction, operation: Patch['operation']): Patch {
  return { transaction, operation, rank: 0 };
}

export function baseOf({ stack, current }: Cell): Stored {
  return stack ? stack.base : current;
}

/** The caller must call `refold`, which computes `cell.current` again. */
export function setBase(cell: Cell, base: Stored): void {
  cell.stack = createStack(base, cell.stack?.patches, cell.stack?.confirmedStart);
}

export function patchesOf({ stack }: Cell): readonly Patch[] {
  return stack?.patches ?? NO_PATCHES;
}

const NO_PATCHES: readonly Patch[] = [];

export function addPatch(cell: Cell, patch: Patch): void {
  const { transaction } = patch;
  const { stack } = cell;
  if (stack) {
    const place = isEdited(stack) ? editsFrom(stack, transaction.start + 1) : stack.patches.length;
    stack.patches.splice(place, 0, patch);
    noteChange(stack, patch);
  } else {
    // Optimization: an array literal, because `push` would reserve memory for more items.
    cell.stack = createStack(cell.current, [patch]);
  }
  noteConfirmed(cell.stack, transaction);
  retain(transaction, cell);
}

export function createStack(base: Stored, patches: Patch[] = [], confirmedStart = 0): Stack {
  return { base, patches, confirmedStart, changed: undefined };
}

export function noteConfirmed(
  stack: Stack | undefined,
  { kind, settle, start }: Transaction,
): void {
  if (stack && kind === 'mutation' && settle < Infinity) {
    stack.confirmedStart = Math.max(stack.confirmedStart, start);
  }
}

export function retain(transaction: Transaction, cell: Cell): void {
  (transaction.cells ??= new Set()).add(cell);
}

export function release(transaction: Transaction, cell: Cell): void {
  transaction.cells?.delete(cell);
}

/** With `rows`, removes only the patches of these rows, and the list edits that concern them. */
export function removePatches(
  cell: Cell,
  transaction: Transaction,
  rows?: ReadonlySet<Cell | undefined>,
): void {
  const { stack } = cell;
  if (isEdited(stack)) {
    removeEdits(stack, transaction);
  } else if (stack) {
    stack.patches = stack.patches.filter(
      (patch) =>
        patch.transaction !== transaction ||
        (rows && !rows.has(cell) && !rows.has(patch.operation.row)),
    );
  }
}
