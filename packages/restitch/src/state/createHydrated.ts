import { WINDOW } from '../schema/listHomes.js';
import { isPending } from '../store/journal/responseOrder.js';
import type { Steps } from '../store/gc/markReachable.js';
import { isWithin, NO_LIFETIME } from '../store/cells/results.js';
import type { Cell } from '../store/cells/Cell.js';
import type { Store } from '../store/cells/Store.js';
import type { Transaction } from '../store/journal/Transaction.js';
import { findLost, loseReferences, loseRow, noteRemoval, noteRemoved } from './incomplete.js';
import { outdateResults, takeResult } from './hydratedResults.js';
import { type HydratedState, isReadable } from './hydrated.js';
import { readSnapshot } from './hydrationSnapshot.js';
import { fillTable } from './waiting.js';

/**
 * Optimization: the store calls this folder only through the returned object, so programs that
 * hydrate nothing do not download its code.
 */
export function createHydrated(store: Store, page?: Transaction): HydratedState {
  const hydrated: HydratedState = {
    since: store.now(),
    usedIn: page ? Infinity : 0,
    lifetime: NO_LIFETIME,
    page,
    rows: new Map(),
    lists: new Map(),
    partial: new Map(),
    lostFields: { rows: new Map(), lists: new Map() },
    lost: new Map(),
    removals: new Map(),
    removed: new WeakSet(),
    results: new Map(),
    cells: new Map(),
    rendered: new Map(),
    presumed: new Set(),
    isEdited: false,
    isReported: false,
    part: 0,
    outdated: [],
    fillTable: (table) => fillTable(store, hydrated, table),
    takeResult: (result) => takeResult(store, hydrated, result),
    findLost: (result) => findLost(store, result),
    outdate: (...outdated) => outdateResults(store, hydrated, ...outdated),
    noteEdit: () => noteEdit(store, hydrated),
    noteRemoval: (row) => {
      noteRemoved(hydrated, row);
      const { table, pk } = row;
      if (table.kind === 'rows' && (hydrated.lists.size > 0 || (page && isPending(page)))) {
        noteRemoval(hydrated, table.key, pk);
      }
    },
    readSnapshot: (root, live) => readSnapshot(store, hydrated, root, live.stale === false),
    needed: () => needed(hydrated),
    drop: (has) => drop(store, hydrated, has),
    prune: (has) => prune(store, hydrated, has),
  };
  return hydrated;
}

/** An unread windowed list does not notice the edit. The pages of all such lists load again. */
function noteEdit(store: Store, hydrated: HydratedState): void {
  hydrated.isEdited = true;
  for (const results of hydrated.results.values()) {
    for (const result of results) {
      const isWindow = result.schema.includes(`${WINDOW}"`);
      if (result.isWaiting && result.expiresAt > 0 && isWindow) {
        result.expiresAt = 0;
        store.observer?.waiting();
      }
    }
  }
}

/**
 * Until an endpoint uses a result, the rows of the result are not known. So the data that waits is
 * evicted only as a whole: when all of it has expired, or when there is no room for all of its rows.
 */
function needed({ usedIn, rows, lists, results, cells }: HydratedState): Iterable<Cell> {
  const isWaiting =
    usedIn === Infinity ||
    rows.size + lists.size > 0 ||
    [...results.values()].some((found) => found.some(isReadable));
  return isWaiting ? cells.keys() : [];
}

function drop(
  store: Store,
  hydrated: HydratedState,
  has: (one: Pick<Cell, 'usedIn'>) => boolean,
): void {
  const { lifetime, rows, lists, removals, results, cells } = hydrated;
  const isKept = has(hydrated);
  if (!isKept || !Array.from(cells.keys()).every(has)) {
    loseReferences(hydrated);
  }
  if (isKept) {
    return;
  }
  rows.clear();
  lists.clear();
  removals.clear();
  store.tick += 1;
  for (const [key, found] of results) {
    // Without its result, readers would receive an expired record from another response as fresh.
    const outdated = isWithin(lifetime, store.now())
      ? found.filter((one) => one.isWaiting && (one.expiresAt === 0 || one.undecided))
      : [];
    for (const one of outdated) {
      Object.assign(one, { value: undefined, invalidatedIn: store.tick, undecided: undefined });
    }
    results.set(key, outdated);
    if (outdated.length === 0) {
      results.delete(key);
    }
  }
}

function* prune(
  store: Store,
  hydrated: HydratedState,
  has: (one: Pick<Cell, 'usedIn'>) => boolean,
): Steps {
  const { cells, presumed, partial, results } = hydrated;
  for (const kept of [partial, presumed, cells]) {
    for (const cell of kept.keys()) {
      if (!has(cell)) {
        loseRow(hydrated, cell);
        kept.delete(cell);
      }
      yield;
    }
  }
  if (!has(hydrated) && cells.size + results.size === 0) {
    store.hydrated = undefined;
  }
}
