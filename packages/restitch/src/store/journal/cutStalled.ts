import { refold } from './fold.js';
import { forgetEdits } from './plainEdits.js';
import { removePatches, patchesOf, release } from './patches.js';
import { isPending } from './responseOrder.js';
import { isStalled, noteOvertaken } from './stalled.js';
import type { Cell } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';
import type { Transaction } from './Transaction.js';
import { dropLayer } from '../optimistic/watchers.js';

/** From now on, stalled requests do not delay folding. Returns false if no request stalled. */
export function cutStalled(store: Store): boolean {
  const { inFlight, stalled, unfolded } = store;
  const now = store.now();
  const cut: Transaction[] = [];
  for (const transaction of inFlight) {
    if (!isStalled(transaction.meta.fetchedAt, now)) {
      break;
    }
    inFlight.delete(transaction);
    stalled.add(transaction);
    transaction.overtaken = new WeakSet();
    cut.push(transaction);
  }
  if (cut.length === 0) {
    return false;
  }
  for (const transaction of unfolded) {
    for (const cell of transaction.cells ?? []) {
      // A row that `noteUnconfirmed` retains has no patch of the transaction.
      const own = patchesOf(cell).findLast((patch) => patch.transaction === transaction);
      noteOvertaken(store, cell, transaction, own?.operation.type);
    }
  }
  for (const transaction of cut) {
    dropLayer(store, transaction);
    for (const cell of transaction.cells ?? []) {
      forgetEdits(cell);
      refold(store, cell, transaction.start);
    }
  }
  return true;
}

/**
 * Removes the patches of stalled mutations from rows that a later mutation changed. Otherwise, an
 * old optimistic title would hide the title that was saved later.
 */
export function withdrawOvertaken(store: Store): void {
  for (const transaction of store.stalled) {
    if (transaction.kind === 'mutation' && isPending(transaction)) {
      const rows = new Set<Cell | undefined>();
      for (const row of transaction.cells ?? []) {
        if (row.table.kind === 'rows' && transaction.overtaken?.has(row)) {
          rows.add(row);
        }
      }
      withdrawRows(store, transaction, rows);
    }
  }
}

/** Cost: one pass over the lists for all rows, because a stalled mutation can have thousands. */
function withdrawRows(
  store: Store,
  transaction: Transaction,
  rows: ReadonlySet<Cell | undefined>,
): void {
  for (const entry of transaction.logged ?? []) {
    if (rows.has(entry.row)) {
      store.log.delete(entry);
    }
  }
  for (const cell of (rows.size > 0 && transaction.cells) || []) {
    if (rows.has(cell) || patchesOf(cell).some(({ operation }) => rows.has(operation.row))) {
      removePatches(cell, transaction, rows);
      refold(store, cell, transaction.start);
      if (!patchesOf(cell).some((patch) => patch.transaction === transaction)) {
        release(transaction, cell);
      }
    }
  }
}
