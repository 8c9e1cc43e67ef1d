import type { CollectionShape } from '../schema/shapes.js';
import type { Cell } from '../store/cells/Cell.js';
import type { Store } from '../store/cells/Store.js';
import type { Transaction } from '../store/journal/Transaction.js';
import { isListing } from '../store/lists/members.js';
import { nodesWithin } from '../store/views/nodesWithin.js';
import { isOutdated } from '../store/views/queries.js';

/**
 * If a row on a further page is outdated, the store requests only the first page again. For
 * example, an action of the row had an empty response (204). Once the first page arrives, a round
 * loads the page of the row again, too:
 *
 * ```
 *   list        a b c │ d e f         the response to an action of `e` was empty
 *   page a b c  a b c │ d e f         `e` is still outdated, so the list is unsure
 *   page e b c  e b c │ d f           the first page contains `e`, so no round follows
 * ```
 *
 * An empty response to a mutation may move any row, so it expires the list. Any page is then unsure
 * until the first page makes the list fresh again.
 *
 * A further page can also arrive with outdated rows: the action ended while it was requested.
 */
export function leavesOutdated(
  store: Store,
  { list, lifetime, current }: Cell,
  { start }: Transaction,
  members: readonly unknown[],
  isFirst: boolean,
): boolean {
  const isPaged = isListing(current) && current.isPaged;
  if (isPaged && isOutdated(lifetime)) {
    return true;
  }
  const known = isPaged ? current.members : [];
  const own = new Set(members);
  const others = known.filter((member) => !own.has(member));
  // The list was fresh at the tick of its last first page.
  const [rows, since] = isFirst ? [others, lifetime.tick ?? -1] : [members, start];
  return list !== undefined && hasOutdated(store, list.shape, rows, since);
}

/** True if a row expired after tick `since`, and no response has contained the row afterwards. */
export function hasOutdated(
  store: Store,
  { member }: CollectionShape,
  members: readonly unknown[],
  since: number,
): boolean {
  // Optimization: most responses follow no expiry, so the rows are not visited.
  if ((store.expiredIn ?? 0) <= since) {
    return false;
  }
  return [...nodesWithin(store, { kind: 'array', member }, members)].some(({ cell }) => {
    const { tick, expiredIn = tick === undefined ? Infinity : -1 } = cell.lifetime;
    return isOutdated(cell.lifetime) && expiredIn > since && expiredIn >= (tick ?? 0);
  });
}
