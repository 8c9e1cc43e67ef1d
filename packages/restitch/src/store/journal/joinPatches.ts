import type { Operation } from './operations.js';
import type { Cell } from '../cells/Cell.js';
import type { Patch } from './Transaction.js';
import type { Store } from '../cells/Store.js';
import { isListing } from '../lists/members.js';
import { baseOf, release } from './patches.js';
import { equal, mergeFields } from '../cells/plainValues.js';
import { sameItems } from '../../schema/same.js';

/**
 * Optimization: joins adjacent patches if no other patch can come between them. So a row that is
 * written a thousand times during a slow request keeps one patch. The loop stops at the first two
 * patches that are done but cannot be joined. An earlier call tried the pairs below.
 */
export function joinPatches(store: Store, cell: Cell, stack: Patch[]): void {
  for (let index = stack.length - 1; index > 0; index -= 1) {
    const lower = stack[index - 1];
    const upper = stack[index];
    if (lower && upper && isDone(store, lower) && isDone(store, upper)) {
      const operation =
        staysAdjacent(store, cell, stack, lower, upper) &&
        join(lower, upper, hasPages(cell, stack));
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

/** True for local writes and ended reads. A read in flight may write the same row again. */
function isDone({ inFlight }: Store, { transaction, operation }: Patch): boolean {
  return transaction.kind !== 'mutation' && !operation.isBroken && !inFlight.has(transaction);
}

function join(
  { operation: a }: Patch,
  { operation: b }: Patch,
  isPaged: boolean,
): Operation | undefined {
  if (a.type === 'replace' && b.type === 'replace') {
    // Two responses stay separate in two cases. In a list with pages, the lower response may drop
    // pages that the upper one would keep (see `replace` in `members.ts`). In an infinite or
    // windowed list (`arrange`), the upper response is placed in the result of the lower one.
    const isSame = sameItems(a.members, b.members) && equal(a.keys, b.keys);
    return (isPaged && !isSame) || b.arrange ? undefined : b;
  }
  return joinMerges(a, b);
}

/** Returns one merge with the effect of both. Returns `a` itself if `b` changes nothing. */
export function joinMerges(a: Operation, b: Operation): Operation | undefined {
  const isPlain =
    a.type === 'merge' &&
    b.type === 'merge' &&
    !a.needsRow &&
    !b.needsRow &&
    // A custom `merge` need not be associative.
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

/** Returns true if no request or layer can place a patch between the two. */
function staysAdjacent(
  { inFlight, layers, watchers }: Store,
  cell: Cell,
  stack: readonly Patch[],
  { transaction: lower }: Patch,
  { transaction: upper }: Patch,
): boolean {
  const isBetween = (tick: number): boolean => tick > lower.start && tick < upper.start;
  return (
    lower !== upper &&
    stack.every(({ transaction }) => transaction.kind !== 'mutation') &&
    ![...inFlight, ...layers, ...(watchers.get(cell) ?? [])].some(
      ({ start, settle }) => isBetween(start) || isBetween(settle),
    )
  );
}
