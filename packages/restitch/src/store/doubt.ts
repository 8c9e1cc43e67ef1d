import { isRoot, isStale, nodeList, parentsOf } from './nodes.js';
import { expireResult, resultsIn } from './results.js';
import { patchesOf } from './patches.js';
import type { Cell, Node, Store, Transaction } from './state.js';

/**
 * Two mutations of one row that overlap are ordered by start, but the server may have run them the other way round, and an
 * answer with the whole row then hides a confirmed change. Nobody can know; answers that come in the other order than their
 * requests are the sign. What shows the row is then fetched again.
 */
export function noteDoubt(store: Store, cell: Cell, transaction: Transaction): void {
  const { kind, start, settle, overtaken } = transaction;
  if (kind !== 'mutation' || settle === Infinity) {
    return;
  }
  // Nothing is known any more of what a stalled mutation overlapped.
  const isDoubtful =
    overtaken ??
    (settle === store.tick
      ? (cell.stack?.answered ?? 0) > start
      : // An optimistic function that runs again after its 204 may write other rows than before.
        patchesOf(cell).some(
          ({ transaction: other }) =>
            other.kind === 'mutation' && other.start > start && other.settle < settle,
        ));
  if (isDoubtful) {
    store.doubted.set(cell, Math.max(settle, store.doubted.get(cell) ?? 0));
  }
}

/**
 * Ends the lifetime of every answer that shows a doubtful row, and of those that were not read since they changed: what they show is
 * not known without reading them, and asking once more does no harm. What was asked for later holds what both mutations came to.
 */
export function expireDoubted(store: Store): void {
  let last = 0;
  for (const [cell, settle] of store.doubted) {
    last = Math.max(last, settle);
    // Stale from now on, and yet kept for as long as it would have been.
    const { fetchedAt, expiresAt } = cell.lifetime;
    cell.lifetime = { fetchedAt, expiresAt: -Math.abs(expiresAt) };
    for (const node of containersOf(cell)) {
      if (isRoot(node) && node.result && node.result.start < settle) {
        expireResult(store, node.result, settle);
        store.outdated.add(node.result);
      }
    }
  }
  store.doubted.clear();
  if (last > 0) {
    store.hydrated?.outdate(() => true, 'expire');
    for (const result of resultsIn(store)) {
      const { status, start, roots } = result;
      // Where a root is up to date, what it contains is linked to it.
      if (status === 'value' && start < last && roots.every(isStale)) {
        expireResult(store, result, last);
        if (roots.length > 0) {
          store.outdated.add(result);
        }
      }
    }
  }
}

function containersOf(cell: Cell): Set<Node> {
  const found = new Set<Node>(nodeList(cell.nodes));
  // A set that grows while it is walked is walked to its new end.
  for (const node of found) {
    for (const parent of parentsOf(node)) {
      found.add(parent);
    }
  }
  return found;
}
