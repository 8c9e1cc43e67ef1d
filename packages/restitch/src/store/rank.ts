import type { Operation } from './operations.js';
import type { Cell, Patch, Store, Transaction } from './state.js';

/**
 * Ranks. Arrival means nothing:
 *
 * - a read ranks by its start: it may lack whatever was answered later;
 * - the further page of a list ranks, as a page, by its settle: what it is appended to is what is there then;
 * - a mutation ranks, on each cell, by `E(M)`: the latest settle of M and of every mutation on that cell that started
 *   before it, pending ones counting as Infinity and stalled ones not at all. So mutations keep their order of start among themselves, and a read that
 *   began before a mutation was answered never hides it.
 *
 * ```
 *   tick   1    2    3    4    5    6    7    8    9   10
 *   M1     ├──────────────────────────────────────────┤      E(M1) = 10
 *   M2          ├──────────────┤                             E(M2) = 10, lifted by M1
 *   R                                   ├────┤               7: below both
 * ```
 */

/** Computes the ranks of a cell's patches and sorts them: by rank, then start, then order in the transaction. */
export function rerank(stack: Patch[]): void {
  let lift = 0;
  for (const patch of [...stack].sort(byStart)) {
    const { kind, settle, overtaken } = patch.transaction;
    const own = Math.max(lift, settle);
    if (kind === 'mutation' && !overtaken) {
      lift = own;
    }
    patch.rank = rankOf(patch, own);
  }
  stack.sort((a, b) => (a.rank === b.rank ? byStart(a, b) : a.rank < b.rank ? -1 : 1));
}

/** The rank of a patch; `lift` is what it is if it is a mutation's. */
export function rankOf(
  { operation, transaction }: Pick<Patch, 'operation' | 'transaction'>,
  lift: number,
): number {
  if (transaction.kind === 'mutation') {
    return lift;
  }
  return operation.type === 'page' ? transaction.settle : transaction.start;
}

function byStart(a: Patch, b: Patch): number {
  return a.transaction.start - b.transaction.start;
}

/** Whether a transaction is still in flight. */
export function isPending(transaction: Transaction): boolean {
  return transaction.settle === Infinity;
}

/** The start of the oldest request in a set; Infinity when there is none. */
export function oldestStart(inFlight: ReadonlySet<Transaction>): number {
  // Insertion order is order of start.
  const [oldest] = inFlight;
  return oldest?.start ?? Infinity;
}

/**
 * Whether nothing in flight can come below a patch of a transaction any more, whatever it answers, if the cell says nothing
 * else. An answer asks once for all its records.
 */
export function isLowest(store: Store, transaction: Transaction, rank: number): boolean {
  const { kind, start, layer } = transaction;
  // The guess of a layer must not become its own input. One that runs again may look at anything, and must see it as it was
  // when it started.
  if (layer || oldestStart(store.layers) < start) {
    return false;
  }
  // Reads that began before a mutation was (effectively) answered would go below it, and so would older mutations. While it
  // is pending its rank is infinite.
  return kind === 'mutation'
    ? oldestStart(store.reads) > rank && oldestStart(store.mutations) >= start
    : oldestStart(store.reads) >= rank;
}

/** Whether nothing in flight can come below the lowest patch of a stack any more. */
export function canFold(store: Store, cell: Cell, patch: Patch, stack: readonly Patch[]): boolean {
  const { transaction } = patch;
  if (!isLowest(store, transaction, patch.rank)) {
    return false;
  }
  if (store.watchers.size > 0 && isWatchedSince(store, cell, transaction.start)) {
    return false;
  }
  if (transaction.kind === 'mutation') {
    return true;
  }
  for (const { transaction: other, rank, operation } of stack) {
    // A mutation answered before this read began lies above it only while a pending one lifts it; if that one fails, it
    // goes below.
    if (rank === Infinity && other.settle < patch.rank) {
      return false;
    }
    // What began after a pending create may already hold the created row: it stays apart so that it can be withheld.
    if (isWithholding(operation, other)) {
      return false;
    }
  }
  return true;
}

/** Whether a patch adds a row under a temporary key for which members of later answers are withheld. */
export function isWithholding(operation: Operation, transaction: Transaction): boolean {
  return isTemporary(operation, transaction) && !transaction.overtaken;
}

/** Whether a patch adds a row that a pending create shows under a temporary key. */
export function isTemporary(operation: Operation, transaction: Transaction): boolean {
  return operation.type === 'add' && operation.temporary && isPending(transaction);
}

/** Whether a layer that started before a patch looked at its cell: it must go on seeing what lies below, without the patch. */
function isWatchedSince(store: Store, cell: Cell, start: number): boolean {
  for (const watched of [cell, ...selectionsOf(cell)]) {
    for (const watcher of store.watchers.get(watched) ?? []) {
      if (watcher.start < start) {
        return true;
      }
    }
  }
  return false;
}

/** The cells of the selections that a row may be in. */
function* selectionsOf({ table }: Cell): Iterable<Cell> {
  if (table.kind === 'rows') {
    if (table.all) {
      yield table.all.cell;
    }
    for (const { selections } of table.indexes.values()) {
      for (const selection of selections.values()) {
        yield selection.cell;
      }
    }
  }
}

/** A quick necessary condition for `canFold` on any cell, so that settling visits only what may have become foldable. */
export function mayFold(store: Store, transaction: Transaction): boolean {
  const oldestRead = oldestStart(store.reads);
  return transaction.kind === 'mutation'
    ? oldestRead > transaction.settle && oldestStart(store.mutations) > transaction.start
    : oldestRead >= transaction.start;
}
