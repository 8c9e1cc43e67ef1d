import type { Operation } from './operations.js';
import type { Cell } from '../cells/Cell.js';
import type { Patch } from './Transaction.js';
import type { Store } from '../cells/Store.js';
import { isListing } from '../lists/members.js';
import { baseOf, patchesOf, release } from './patches.js';
import { equal, mergeFields } from '../cells/plainValues.js';
import { sameItems } from '../../schema/same.js';

/** Optimization: a row that is written a thousand times during a slow request keeps one patch. */
export function joinPatches(store: Store, cell: Cell, stack: Patch[]): void {
  if (stack.some(({ transaction }) => transaction.kind === 'mutation')) {
    // The ranks of mutations can still change.
    return;
  }
  for (let index = stack.length - 1; index > 0; index -= 1) {
    const lower = stack[index - 1];
    const upper = stack[index];
    if (lower && upper && isDone(store, lower) && isDone(store, upper)) {
      const operation = staysAdjacent(store, cell, lower, upper) && join(cell, lower, upper);
      if (!operation) {
        // An earlier call tried the pairs below.
        return;
      }
      stack.splice(index - 1, 2, { ...upper, operation });
      release(lower.transaction, cell);
    }
  }
}

/** True for local writes and ended reads. A read in flight may write the same row again. */
function isDone({ inFlight }: Store, { transaction, operation }: Patch): boolean {
  return !operation.isBroken && !inFlight.has(transaction);
}

function join(cell: Cell, { operation: a }: Patch, { operation: b }: Patch): Operation | undefined {
  if (a.type === 'replace' && b.type === 'replace') {
    // The lower response could drop pages of the list. The upper one alone would keep them.
    // In an infinite or windowed list (`arrange`), the upper response extends the lower one, and a
    // write keeps its pages.
    const isSame = sameItems(a.members, b.members) && equal(a.keys, b.keys);
    return (hasPages(cell) && !isSame) || a.arrange || b.arrange ? undefined : b;
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
    !a.keepsDeleted &&
    !b.keepsDeleted &&
    // A custom `merge` need not be associative.
    !a.shape.custom.merge &&
    !b.shape.custom.merge;
  if (!isPlain) {
    return undefined;
  }
  const fields = mergeFields(a.fields, b.fields);
  return fields === a.fields ? a : { ...b, fields };
}

function hasPages(cell: Cell): boolean {
  const base = baseOf(cell);
  return (
    (isListing(base) && base.isPaged) ||
    patchesOf(cell).some(({ operation }) => operation.type === 'page')
  );
}

function staysAdjacent(
  { inFlight, layers, watchers }: Store,
  cell: Cell,
  { transaction: lower }: Patch,
  { transaction: upper }: Patch,
): boolean {
  const isBetween = (tick: number): boolean => tick > lower.start && tick < upper.start;
  return (
    lower !== upper &&
    ![...inFlight, ...layers, ...(watchers.get(cell) ?? [])].some(
      ({ start, settle }) => isBetween(start) || isBetween(settle),
    )
  );
}
