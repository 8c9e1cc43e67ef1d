import { markOutOfOrder } from '../journal/markOutOfOrder.js';
import { parseUnionRef } from '../cells/keys.js';
import { isListing, withoutMembers } from '../lists/members.js';
import { isResponse } from '../journal/operations.js';
import { patchesOf } from '../journal/patches.js';
import { isPending } from '../journal/rank.js';
import type { Cell, Stored } from '../cells/Cell.js';
import type { Patch, Transaction } from '../journal/Transaction.js';
import type { Store } from '../cells/Store.js';

/**
 * A create that is answered by a 204 gives its row no key. The row stays under its temporary key, and its lists are fetched again. A
 * response of a list replaces it that began after the create, as it may hold the row:
 *
 * ```
 *   create        ├─────────┤ 204
 *   list [1]                 [1 new]                [1 7]      7 is the row
 *   request for the list              ├───────────┤ [1 7]
 * ```
 */

/** Notes the rows of a create that was answered without naming them; their lists are fetched again. */
export function noteUnnamed(store: Store, { start, settle, temporary, cells }: Transaction): void {
  for (const { pk } of temporary) {
    store.unnamed.set(pk, start);
    for (const cell of cells ?? NONE) {
      if (cell.list) {
        markOutOfOrder(store, cell, settle);
      }
    }
  }
}

/** Called when a response of a list was placed. One that began before such a create is fetched again. */
export function doubtUnnamed(store: Store, cell: Cell): void {
  const isShown = withoutUnnamed(store, cell.shown) !== cell.shown;
  for (const patch of isShown ? patchesOf(cell) : NONE) {
    if (isUnnamed(patch)) {
      markOutOfOrder(store, cell, patch.transaction.settle);
    }
  }
}

/** Called before a response of a list is folded: what it replaces stays replaced. */
export function foldReplaced(
  store: Store,
  base: Stored,
  { operation, transaction: { start } }: Patch,
  stack: readonly Patch[],
): Stored {
  if (!isResponse(operation)) {
    return base;
  }
  for (const { operation: other, transaction } of stack) {
    if (other.type === 'add' && other.temporary && transaction.start < start) {
      other.isReplaced = true;
    }
  }
  return withoutOlder(store, base, start);
}

/** The base and the patches of a list without the rows that responses in it replace. */
export function withoutReplaced(
  store: Store,
  base: Stored,
  stack: readonly Patch[],
): { readonly base: Stored; readonly stack: readonly Patch[] } {
  if (store.unnamed.size === 0) {
    return { base, stack };
  }
  let last = 0;
  for (const { operation, transaction } of stack) {
    if (isResponse(operation)) {
      last = Math.max(last, transaction.start);
    }
  }
  return {
    base: withoutOlder(store, base, last),
    stack: stack.filter((patch) => !isReplaced(patch, last)),
  };
}

/** Whether a patch adds a row that the server created and did not name. */
function isUnnamed({ operation, transaction }: Patch): boolean {
  return operation.type === 'add' && operation.temporary && !isPending(transaction);
}

/** Whether a patch adds such a row, and a response of the list replaces it: one that was folded, or the last one in its stack. */
export function isReplaced(patch: Patch, last: number): boolean {
  return (
    isUnnamed(patch) && (patch.operation.isReplaced === true || patch.transaction.start < last)
  );
}

/** A list without such rows whose creates began before a tick. */
function withoutOlder({ unnamed }: Store, value: Stored, start: number): Stored {
  const isOlder = (member: unknown): boolean =>
    (unnamed.get(parseUnionRef(member)?.pk ?? String(member)) ?? Infinity) < start;
  return unnamed.size > 0 && isListing(value) ? withoutMembers(value, isOlder) : value;
}

/** What a list shows, without the rows that the server did not name. */
export function withoutUnnamed(store: Store, shown: Stored): Stored {
  return withoutOlder(store, shown, Infinity);
}

const NONE: readonly never[] = [];
