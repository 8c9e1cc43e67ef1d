import type { Operation } from './operations.js';
import type { Cell } from '../cells/Cell.js';
import type { Patch, Transaction } from './Transaction.js';
import type { Store } from '../cells/Store.js';
import { isListing } from '../lists/members.js';
import { baseOf, release } from './patches.js';
import { equal, mergeFields } from '../cells/plainValues.js';
import { sameItems } from '../../schema/same.js';

/**
 * Joins neighbors of a stack into one patch where nothing can come between them any more: beside one request that hangs, a
 * row that is written a thousand times keeps a stack of one. It stops at the first neighbors that stay apart: those below have
 * been tried, and a row that is written all the time is not looked through each time.
 */
export function joinPatches(store: Store, cell: Cell, stack: Patch[]): void {
  for (let index = stack.length - 1; index > 0; index -= 1) {
    const lower = stack[index - 1];
    const upper = stack[index];
    if (lower && upper && isDone(store, lower) && isDone(store, upper)) {
      const operation =
        isQuiet(store, cell, stack, lower, upper) && join(lower, upper, hasPages(cell, stack));
      if (!operation) {
        return;
      }
      stack.splice(index - 1, 2, { ...upper, operation });
      const { transaction } = lower;
      if (!stack.some((patch) => patch.transaction === transaction)) {
        release(transaction, cell);
      }
    }
  }
}

/** Whether a patch is a read's or local write's that says nothing more: a read that is being placed may hold the row once more. */
function isDone({ reads }: Store, { transaction, operation }: Patch): boolean {
  return transaction.kind !== 'mutation' && !operation.isBroken && !reads.has(transaction);
}

/** One operation that does what two do, one after the other; undefined where there is none. */
function join(
  { operation: a }: Patch,
  { operation: b }: Patch,
  isPaged: boolean,
): Operation | undefined {
  if (a.type === 'replace' && b.type === 'replace') {
    // Over pages the first one decides whether they stay, unless both say the same.
    const isSame = sameItems(a.members, b.members) && equal(a.keys, b.keys);
    return isPaged && !isSame ? undefined : b;
  }
  return joinMerges(a, b);
}

/** One merge that does what two do, one after the other: `a` itself where `b` adds nothing, undefined where there is none. */
export function joinMerges(a: Operation, b: Operation): Operation | undefined {
  const isPlain =
    a.type === 'merge' &&
    b.type === 'merge' &&
    !a.needsRow &&
    !b.needsRow &&
    // A merge of a class's own need not be associative.
    !a.shape.custom.merge &&
    !b.shape.custom.merge;
  if (!isPlain) {
    return undefined;
  }
  const fields = mergeFields(a.fields, b.fields);
  return fields === a.fields ? a : { ...b, fields };
}

function hasPages(cell: Cell, stack: readonly Patch[]): boolean {
  const base = baseOf(cell);
  return (
    cell.table.kind === 'lists' &&
    ((isListing(base) && base.isPaged) || stack.some(({ operation }) => operation.type === 'page'))
  );
}

/** Whether nothing in flight, and nothing that a failure could move, can come to lie between two neighbors. */
function isQuiet(
  store: Store,
  cell: Cell,
  stack: readonly Patch[],
  { transaction: lower }: Patch,
  { transaction: upper }: Patch,
): boolean {
  if (lower === upper) {
    return false;
  }
  const isBetween = (tick: number): boolean => tick > lower.start && tick < upper.start;
  const moves = ({ start, settle }: Transaction): boolean => isBetween(start) || isBetween(settle);
  // The guess of a layer may yet come to say something, by its start before it is answered, by its settle then.
  const { reads, layers, watchers } = store;
  return !(
    [...reads, ...layers, ...(watchers.get(cell) ?? [])].some(moves) ||
    stack.some(
      ({ transaction }) =>
        transaction.kind === 'mutation' &&
        // A create that began while a response was under way tells the response from one that arrived before (see `creates.ts`).
        (moves(transaction) ||
          (transaction.start > lower.start && transaction.start < upper.settle)),
    )
  );
}
