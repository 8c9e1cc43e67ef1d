import { isResponse } from '../journal/operations.js';
import { isPending, isTemporary, isWithholding } from '../journal/rank.js';
import type { Patch, Transaction } from '../journal/Transaction.js';
import type { Stored } from '../cells/Cell.js';

/**
 * One create never appears as two rows. While a create with a temporary key is pending, a response
 * can contain the created row under its real key. This applies to all responses that arrive after
 * the start of the create, even to earlier requests:
 *
 * ```
 *   list known before the create     [1]      response [1 7]    value [1 new]    7 is withheld
 *   list known only by responses     none     response [1 7]    value [1 7]      the temporary row is hidden
 *   that arrived after its start
 * ```
 *
 * This holds per create. Neither a hidden row nor a stalled create withholds members. A pending
 * move of a hidden row does not show it.
 */

/** Returns the patches of a list without the temporary rows that are hidden in it. */
export function withoutHidden(base: Stored, stack: readonly Patch[]): readonly Patch[] {
  let known = base === undefined ? Infinity : 0;
  for (const { operation, transaction } of stack) {
    if (operation.type === 'replace') {
      known = Math.min(known, arrivalOf(transaction));
    }
  }
  const hidden = new Set<unknown>();
  for (const { operation, transaction } of stack) {
    if (isTemporary(operation, transaction) && (transaction.start < known || operation.isHidden)) {
      hidden.add(operation.member);
    }
  }
  return hidden.size > 0
    ? stack.filter(({ operation }) => operation.type !== 'add' || !hidden.has(operation.member))
    : stack;
}

/**
 * Returns the tick at which the content of a transaction became known. For optimistic and hydrated
 * content, this is its start.
 */
function arrivalOf(transaction: Transaction): number {
  const isRequest = transaction.source !== undefined;
  return isPending(transaction) || !isRequest ? transaction.start : transaction.settle;
}

/**
 * Called before the first response of a list is folded. The rows that it hides stay hidden,
 * although the list is known afterward.
 */
export function noteHidden(stack: readonly Patch[], response: Transaction): void {
  for (const { operation, transaction } of stack) {
    if (isTemporary(operation, transaction) && transaction.start < arrivalOf(response)) {
      operation.isHidden = true;
    }
  }
}

/**
 * Returns the members that only responses after the start of a pending create contain, and all
 * other patches. Undefined if there are none.
 */
export function withheldMembers(
  stack: readonly Patch[],
): { readonly members: ReadonlySet<unknown>; readonly others: readonly Patch[] } | undefined {
  let since = Infinity;
  for (const { operation, transaction } of stack) {
    if (isWithholding(operation, transaction)) {
      since = Math.min(since, transaction.start);
    }
  }
  const members = new Set<unknown>();
  const others = stack.filter(({ operation, transaction }) => {
    if (!isResponse(operation) || arrivalOf(transaction) <= since) {
      return true;
    }
    operation.members.forEach((member) => members.add(member));
    return false;
  });
  return others.length < stack.length ? { members, others } : undefined;
}
