import { isResponse } from './operations.js';
import { isTemporary, isWithholding } from './rank.js';
import type { Patch, Stored, Transaction } from './state.js';

/**
 * One create never shows as two rows. While a create with a temporary key is pending, a response that began after it may hold the
 * created row under its real key:
 *
 * ```
 *   list known before the create     [1]      response [1 7]    shows [1 new]    7 is withheld
 *   list known only by responses     none     response [1 7]    shows [1 7]      the temporary row is hidden
 *   that began after the create
 * ```
 *
 * This holds per create. A hidden row withholds nothing, and neither does a stalled create.
 */

/** The patches of a list without the temporary rows that are hidden in it. */
export function withoutHidden(base: Stored, stack: readonly Patch[]): readonly Patch[] {
  let known = base === undefined ? Infinity : 0;
  for (const { operation, transaction } of stack) {
    if (operation.type === 'replace') {
      known = Math.min(known, transaction.start);
    }
  }
  return stack.filter(
    ({ operation, transaction }) =>
      !isTemporary(operation, transaction) || (transaction.start > known && !operation.isHidden),
  );
}

/** Called before the first answer of a list is folded: what it hides stays hidden, though it is known then that there is a list. */
export function noteHidden(stack: readonly Patch[], { start }: Transaction): void {
  for (const { operation, transaction } of stack) {
    if (isTemporary(operation, transaction) && transaction.start < start) {
      operation.isHidden = true;
    }
  }
}

/** Members that only responses know which began after a pending create, and all other patches; undefined where there are none. */
export function doubtfulMembers(
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
    if (!isResponse(operation) || transaction.start <= since) {
      return true;
    }
    operation.members.forEach((member) => members.add(member));
    return false;
  });
  return others.length < stack.length ? { members, others } : undefined;
}
