import { isResponse } from './operations.js';
import type { Cell } from '../cells/Cell.js';
import type { Patch, Transaction } from './Transaction.js';
import type { Store } from '../cells/Store.js';

/**
 * The rank of a patch decides its place above the base. A rank is a tick: the start of a request,
 * or its settle (response or failure).
 *
 * - A read ranks at its start: it may lack all changes that settled later.
 * - A further page ranks at its settle: the page is appended to the list that exists when the page
 *   arrives.
 * - A mutation ranks, on each cell, at `E(M)`: the latest settle of M and of all mutations on that
 *   cell that started before M. The settle of a pending mutation is Infinity. So mutations stay in
 *   order of start. A stalled mutation is the exception: it does not raise the rank of others. A
 *   read never hides a mutation that settled after the start of the read.
 * - An edit of a list counts as started just after a whole list whose mutation it overlapped.
 *
 * ```
 *   tick   1    2    3    4    5    6    7    8    9   10
 *   M1     ├──────────────────────────────────────────┤      E(M1) = 10
 *   M2          ├──────────────┤                             E(M2) = 10, raised by M1
 *   R                                   ├────┤               7: below both
 * ```
 */

/** Sorts the patches by rank, then by start, then by order in the transaction. */
export function rerank(stack: Patch[]): void {
  let latestSettle = 0;
  let removed: Set<Cell | undefined> | undefined;
  const lists = stack.filter(isWholeList);
  const byStart = (a: Patch, b: Patch): number =>
    startOf(a, stack, lists) - startOf(b, stack, lists) ||
    a.transaction.start - b.transaction.start;
  for (const patch of [...stack].sort(byStart)) {
    const { kind, start, settle, overtaken } = patch.transaction;
    const { row } = patch.operation;
    if (isLocalRemoval(patch)) {
      (removed ??= new Set()).add(row);
    }
    const isEdit = kind === 'local' && !isResponse(patch.operation);
    if (kind === 'mutation' || (isEdit && removed?.has(row))) {
      patch.rank = Math.max(latestSettle, settle);
      latestSettle = overtaken ? latestSettle : patch.rank;
    } else {
      patch.rank = patch.operation.type === 'page' ? settle : start;
    }
  }
  for (const patch of stack) {
    const { above } = patch.operation;
    for (const { transaction, rank } of above ? stack : []) {
      patch.rank = above?.has(transaction) ? Math.max(patch.rank, rank + 0.5) : patch.rank;
    }
  }
  stack.sort((a, b) => (a.rank === b.rank ? byStart(a, b) : a.rank < b.rank ? -1 : 1));
}

/**
 * A deletion counts as started when it settles. Otherwise, an overlapping update would restore the
 * row:
 *
 * ```
 *   DELETE  ├──────────────┤ 204
 *   PATCH       ├─────┤ 200        the server ran the PATCH first, or it would have failed
 * ```
 *
 * A create that starts during the deletion restores the row. The deletion then counts as started
 * just before the create.
 *
 * If the response to a mutation contains a whole list, the list may lack the edits of older
 * mutations that settle later. Without its own rank, the created comment would disappear:
 *
 * ```
 *   POST comment  ├─────────────────┤ 201   counts as started just after the PATCH
 *   PATCH ticket      ├─────┤ 200           the ticket, with its comments
 * ```
 */
function startOf(
  { operation, transaction: { kind, start, settle } }: Patch,
  stack: readonly Patch[],
  lists: readonly Patch[],
): number {
  if (operation.type === 'delete') {
    let first = settle;
    for (const { operation: other, transaction } of stack) {
      if (other.isCreate && transaction.start > start) {
        first = Math.min(first, transaction.start - 0.5);
      }
    }
    return first;
  }
  let last = start;
  for (const { transaction } of kind === 'mutation' && operation.type !== 'replace' ? lists : []) {
    if (transaction.start > last && transaction.start < settle) {
      last = transaction.start + 0.5;
    }
  }
  return last;
}

/** True for a list from the server. An optimistic list contains the edits that the client knew. */
function isWholeList({ operation, transaction }: Patch): boolean {
  const { kind, isEmpty } = transaction;
  return operation.type === 'replace' && kind === 'mutation' && !isPending(transaction) && !isEmpty;
}

/**
 * For example, a stream message: an edit in flight must not restore the deleted row. Later local
 * edits of the row rank above the removal, because a later message can restore the row. A move does
 * not count: the fields of the row decide its lists, and an edit in flight may change them.
 */
function isLocalRemoval({ operation, transaction }: Patch): boolean {
  const { type } = operation;
  const isRemoval = type === 'delete' || (type === 'remove' && !operation.isMove);
  return transaction.kind === 'local' && isRemoval;
}

export function isPending(transaction: Transaction): boolean {
  return transaction.settle === Infinity;
}

export function oldestStart({ inFlight }: Store, wanted: Transaction['kind']): number {
  for (const { kind, start } of inFlight) {
    if (kind === wanted) {
      return start;
    }
  }
  return Infinity;
}

/** If true, later patches rank above all existing ones. The request `own` does not count. */
export function isQuiet({ inFlight, layers }: Store, own?: Transaction): boolean {
  const isOwn = own !== undefined && inFlight.has(own);
  return layers.size === 0 && inFlight.size === (isOwn ? 1 : 0);
}

export function canFold(store: Store, { transaction }: Patch): boolean {
  return !isPending(transaction) && isQuiet(store, transaction);
}
