import type { Cell, Store, Transaction } from './state.js';

/** Milliseconds after which a request that was not answered holds no folding back any more. */
const LIMIT = 120_000;

/**
 * A request that hangs must not keep everything apart for ever. After a while it no longer counts, and what it held back
 * folds; on the cells where something above it was folded meanwhile its answer then only fills in:
 *
 * ```
 *   R1  ├────────────────────────── 2 min ─ ─ ─ ─ ─ ─ ─┤ title: old, n: 1
 *   R2        ├────┤ title: new     (kept apart)  (folded)   title: new, n: 1
 * ```
 */
export function retireLate(store: Store): void {
  const limit = store.now() - LIMIT;
  for (const inFlight of [store.reads, store.mutations]) {
    for (const transaction of inFlight) {
      // The oldest comes first.
      if (transaction.meta.fetchedAt > limit) {
        break;
      }
      inFlight.delete(transaction);
      store.layers.delete(transaction);
      store.late.set(transaction, new WeakSet());
      store.hasFoldable = true;
    }
  }
}

/** Notes that a patch is folded into a cell: a late request that ranks below it can no longer be placed there. */
export function noteFolded(store: Store, cell: Cell, transaction: Transaction, rank: number): void {
  // Called for every row of an answer, and nothing is late.
  if (store.late.size === 0) {
    return;
  }
  for (const [late, overtaken] of store.late) {
    const isAbove =
      late.kind === 'mutation'
        ? transaction.kind === 'mutation' && transaction.start > late.start
        : rank > late.start;
    if (isAbove) {
      overtaken.add(cell);
    }
  }
}

/** Whether a cell says that a row was deleted which a late request may still answer: forgotten, the row would come back. */
export function isAwaitedDeletion(store: Store, cell: Cell): boolean {
  return cell.shown === null && [...store.late.values()].some((overtaken) => overtaken.has(cell));
}
