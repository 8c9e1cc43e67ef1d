import { isPending } from '../store/journal/responseOrder.js';
import type { Steps } from '../store/gc/markReachable.js';
import type { Lifetime } from '../store/cells/results.js';
import type { Cell } from '../store/cells/Cell.js';
import type { Store } from '../store/cells/Store.js';
import type { Transaction } from '../store/journal/Transaction.js';
import { findLost } from './incomplete.js';
import { outdateResults, takeResult } from './hydratedResults.js';
import type { HydratedState } from './hydrated.js';
import { readSnapshot } from './hydrationSnapshot.js';
import { fillTable } from './waiting.js';

/**
 * Optimization: the store calls this folder only through the returned object, so programs that
 * hydrate nothing do not download its code.
 */
export function createHydrated(store: Store, page?: Transaction): HydratedState {
  const hydrated: HydratedState = {
    since: store.now(),
    expiresAt: 0,
    lifetime: 0,
    page,
    rows: new Map(),
    lists: new Map(),
    partial: new Map(),
    lost: new Map(),
    removals: [],
    results: new Map(),
    cells: new Map(),
    rendered: new Map(),
    presumed: new Set(),
    isReported: false,
    part: 0,
    outdated: [],
    fillTable: (table) => fillTable(store, hydrated, table),
    takeResult: (result) => takeResult(store, hydrated, result),
    findLost: (result) => findLost(store, result),
    outdate: (...outdated) => outdateResults(store, hydrated, ...outdated),
    noteRemoval: (entry) => {
      if (hydrated.lists.size > 0 || (page && isPending(page))) {
        hydrated.removals.push(entry);
      }
    },
    readSnapshot: (root, live) => readSnapshot(store, hydrated, root, live.stale === false),
    sweep: (has, isKept) => sweep(store, hydrated, has, isKept),
  };
  return hydrated;
}

/**
 * Until an endpoint uses a result, the rows of the result are not known. So hydrated state is
 * evicted only as a whole, when all of its data has expired.
 */
function* sweep(
  store: Store,
  hydrated: HydratedState,
  has: (cell: Cell) => boolean,
  isKept: (lifetime: Lifetime) => boolean,
): Steps {
  const { page, rows, lists, partial, results: hydratedResults } = hydrated;
  const { cells, presumed, removals } = hydrated;
  if (page && isPending(page)) {
    return;
  }
  for (const kept of [cells, presumed, partial]) {
    for (const cell of kept.keys()) {
      if (!has(cell)) {
        kept.delete(cell);
      }
      yield;
    }
  }
  const { expiresAt, lifetime } = hydrated;
  if (isKept({ fetchedAt: expiresAt - lifetime, expiresAt })) {
    return;
  }
  for (const waiting of [rows, lists, partial, hydratedResults]) {
    waiting.clear();
  }
  removals.length = 0;
  if (cells.size === 0) {
    store.hydrated = undefined;
  }
}
