import { type AddMember, isResponse, type Operation } from '../journal/operations.js';
import { isPending } from '../journal/responseOrder.js';
import type { Patch, Transaction } from '../journal/Transaction.js';
import type { Cell, Stored } from '../cells/Cell.js';
import { markOutOfOrder } from '../journal/outOfOrderMarks.js';
import { unionRefs } from '../../schema/referenceText.js';
import { isListing, withoutMembers } from '../lists/members.js';
import { patchesOf } from '../journal/patches.js';
import type { Store } from '../cells/Store.js';

/**
 * While a create is pending, a response can already contain its row under the real key. The create
 * must never appear as two rows. In these examples, `new` is the temporary row, and 7 may be the
 * same row under its real key:
 *
 * ```
 *   list before the create     response        value
 *   [1]                        [1 7]           [1 new]       7 is withheld
 *   unknown                    [1 7]           [1 7]         new is hidden
 * ```
 *
 * A list is known before the create if its response arrived before the create began.
 */

export function withoutHidden(base: Stored, stack: readonly Patch[]): readonly Patch[] {
  let known = base === undefined ? Infinity : 0;
  for (const { operation, transaction } of stack) {
    if (operation.type === 'replace') {
      known = Math.min(known, arrivalOf(transaction));
    }
  }
  const hidden = new Set<unknown>();
  for (const { operation, transaction } of stack) {
    const isHidden = transaction.start < known || operation.isHidden;
    if (addsCreatedRow(operation) && isPending(transaction) && isHidden) {
      hidden.add(operation.member);
    }
  }
  return hidden.size > 0
    ? stack.filter(({ operation }) => operation.type !== 'add' || !hidden.has(operation.member))
    : stack;
}

function addsCreatedRow(operation: Operation): operation is AddMember & Operation {
  return operation.type === 'add' && operation.temporary;
}

/** Returns the tick at which content became known: for a response, the tick of its arrival. */
function arrivalOf(transaction: Transaction): number {
  const isRequest = transaction.source !== undefined;
  return isPending(transaction) || !isRequest ? transaction.start : transaction.settle;
}

/** Returns the members of responses that arrived during a pending create, and the other patches. */
export function withheldMembers(
  stack: readonly Patch[],
): { readonly members: ReadonlySet<unknown>; readonly others: readonly Patch[] } | undefined {
  let since = Infinity;
  for (const { operation, transaction } of stack) {
    if (addsCreatedRow(operation) && isPending(transaction) && !transaction.overtaken) {
      since = Math.min(since, transaction.start);
    }
  }
  const members = new Set<unknown>();
  const predicted = new Set<unknown>();
  const others = stack.filter(({ operation, transaction }) => {
    if (!isResponse(operation) || arrivalOf(transaction) <= since) {
      return true;
    }
    operation.members.forEach((member) => members.add(member));
    if (operation.type === 'replace') {
      operation.predicted?.forEach((member) => predicted.add(member));
    }
    return false;
  });
  predicted.forEach((member) => members.delete(member));
  return others.length < stack.length ? { members, others } : undefined;
}

/**
 * If a create gets a 204, its row keeps the temporary key, and its lists are fetched again. So are
 * all rows of a prediction that lacks nested records without a key. The response may contain the row
 * under its real key, so the temporary key is removed:
 *
 * ```
 *   create        ├─────────┤ 204
 *   list [1]                 [1 new]                [1 7]      7 is the row
 *   request for the list              ├───────────┤ [1 7]
 * ```
 */

export function noteUnnamed(
  store: Store,
  { start, settle, temporary, cells, isIncomplete }: Transaction,
): void {
  for (const { pk } of temporary) {
    store.unnamed.set(pk, start);
  }
  for (const cell of ((isIncomplete || temporary.length > 0) && cells) || NONE) {
    if (cell.list || isIncomplete) {
      markOutOfOrder(store, cell, settle);
    }
  }
}

export function refetchUnnamed(store: Store, cell: Cell): void {
  const hasUnnamed = withoutUnnamed(store, cell.current) !== cell.current;
  for (const patch of hasUnnamed ? patchesOf(cell) : NONE) {
    if (isUnnamed(patch)) {
      markOutOfOrder(store, cell, patch.transaction.settle);
    }
  }
}

/** Called before a response is folded. Returns the base without rows that the response replaces. */
export function noteFolded(
  store: Store,
  base: Stored,
  { operation, transaction: response }: Patch,
  stack: readonly Patch[],
): Stored {
  if (!isResponse(operation)) {
    return base;
  }
  for (const { operation: other, transaction } of stack) {
    if (addsCreatedRow(other)) {
      const isHidden = isPending(transaction) && transaction.start < arrivalOf(response);
      other.isHidden ||= base === undefined && isHidden;
      other.isReplaced ||= transaction.start < response.start;
    }
  }
  return withoutOlder(store, base, response.start);
}

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

function isUnnamed({ operation, transaction }: Patch): boolean {
  return addsCreatedRow(operation) && !isPending(transaction);
}

/** `last` is the latest start of a request whose response is in the stack. */
export function isReplaced(patch: Patch, last: number): boolean {
  return isUnnamed(patch) && (patch.operation.isReplaced || patch.transaction.start < last);
}

function withoutOlder({ unnamed }: Store, value: Stored, start: number): Stored {
  const isOlder = (member: unknown): boolean =>
    (unnamed.get(unionRefs.parse?.(member)?.pk ?? String(member)) ?? Infinity) < start;
  return unnamed.size > 0 && isListing(value) ? withoutMembers(value, isOlder) : value;
}

export function withoutUnnamed(store: Store, current: Stored): Stored {
  return withoutOlder(store, current, Infinity);
}

const NONE: readonly never[] = [];
