import { removeCell } from '../cells/tables.js';
import { commit } from '../journal/commit.js';
import { isAwaitedDeletion } from '../journal/stalled.js';
import { findCell, isPresent } from '../views/queries.js';
import { Reach, type Steps } from './mark.js';
import { isWithin, type Lifetime, removeResult, resultsIn } from '../cells/results.js';
import { updateSelections } from '../lists/selections.js';
import type { Cell } from '../cells/Cell.js';
import type { ListTable, RowTable, Store } from '../cells/Store.js';
import type { Result } from '../cells/Result.js';
import type { Root } from '../views/Node.js';

/** A view, as a sweep sees it. */
export interface SweptView {
  readonly root: Root;
  /** A reader is notified of its changes, or retains its data. */
  readonly isHeld: boolean;
}

/** What a sweep is to keep. */
export interface SweepPolicy<V extends SweptView> {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How many lifetimes a result is kept without a reader. */
  readonly lifetimes: number;
  /** How many rows may be kept without a reader. */
  readonly maxRows: number;
  readonly views: () => Iterable<V>;
  readonly drop: (view: V) => void;
  /** Whether a request may still write to a result. */
  readonly isUnderWay: (result: Result) => boolean;
}

/**
 * Forgets what no reader needs, in steps between which the program may go on.
 *
 * ```
 *   1 mark    what is held: views with readers, requests under way, cells with patches, the log
 *   2 mark    what is not past its lifetime: results, and rows and lists by themselves; only the most recently used ones
 *             where there are too many rows
 *   3 mark    what was used since 1 (see `noteUse`): it counts as held
 *   4 remove  views, results, rows by all their names, lists; before each step what was used since the last is marked;
 *             what says that a row was deleted stays while a request from before may answer it
 * ```
 */
export function* sweep<V extends SweptView>(store: Store, policy: SweepPolicy<V>): Steps {
  // Stalled requests keep nothing for ever.
  commit(store, () => {
    store.hasSettled = true;
  });
  store.uses += 2;
  // Whatever is used from now on has a higher number.
  const began = store.uses - 1;
  const used = new Set<Cell | Root>();
  store.usedInSweep = used;
  const reach = new Reach(store, began);
  try {
    yield* markHeld(store, policy, reach);
    yield* markLiving(store, policy, reach);
    // Views first: one that is used again later keeps its result.
    for (const view of policy.views()) {
      if (!view.isHeld && view.root.usedIn <= began) {
        policy.drop(view);
      }
      yield;
    }
    yield* removeResults(store, policy, reach, (result) => !isTakenAway(result));
    yield* markUsed(used, reach);
    dropSelections(store, reach);
    yield* removeCells(store, store.rows, reach, used);
    yield* removeCells(store, store.lists, reach, used);
    // What was taken away must not be served by what other responses brought, as if that were fresh, while there is such.
    yield* removeResults(
      store,
      policy,
      reach,
      (result) => isTakenAway(result) && !isPresent(findCell(store, result.shape, result.names())),
    );
    yield* (
      store.hydrated?.sweep(
        (cell) => reach.has(cell),
        (lifetime) => isKept(policy, lifetime),
      ) ?? []
    );
  } finally {
    store.usedInSweep = undefined;
  }
}

function* markHeld<V extends SweptView>(
  store: Store,
  { views, isUnderWay }: SweepPolicy<V>,
  reach: Reach,
): Steps {
  for (const { root, isHeld } of views()) {
    if (isHeld) {
      reach.value(root.shape, root.current());
      keep(root.result, reach);
    }
    yield;
  }
  for (const result of resultsIn(store)) {
    if (!reach.has(result) && isUnderWay(result)) {
      keep(result, reach);
      reach.value(result.shape, result.value);
    }
    yield;
  }
  const { reads, mutations, stalled, unfolded } = store;
  for (const { cells = [], places } of [...reads, ...mutations, ...stalled, ...unfolded]) {
    for (const cell of [...cells, ...(places?.keys() ?? [])]) {
      reach.mark(cell);
      yield;
    }
  }
  for (const cell of [...store.watchers.keys(), ...Array.from(store.log, ({ row }) => row)]) {
    reach.mark(cell);
  }
  yield* reach.rest();
}

/** Marks a result by itself. */
function keep(result: Result | undefined, { sweep }: Reach): void {
  if (result) {
    result.usedIn = Math.max(result.usedIn, sweep);
  }
}

/**
 * Marks what is within its lifetime. Where there are too many rows, what was used last comes first and takes what room there is. A
 * result is kept whole or not at all.
 */
function* markLiving<V extends SweptView>(
  store: Store,
  policy: SweepPolicy<V>,
  reach: Reach,
): Steps {
  const { maxRows } = policy;
  // An eighth less, so that this is not done anew for each further row.
  const room = rowCount(store) > maxRows ? maxRows - Math.floor(maxRows / 8) : Infinity;
  const candidates: (Cell | Result)[] = [];
  for (const all of [resultsIn(store), cellsIn(store)]) {
    for (const one of all) {
      if (!reach.has(one) && isLiving(policy, one)) {
        candidates.push(one);
      }
      yield;
    }
  }
  if (room < Infinity) {
    // Of equal ones the last comes first: what a row contains before the row.
    candidates.reverse().sort((a, b) => b.usedIn - a.usedIn);
  }
  // Each may lead to most of the store, and be too much. So that all of them together cost what the store holds, only so many
  // steps are taken in vain; then what leads to much is not kept.
  let patience = FEW * candidates.length;
  for (const one of candidates) {
    const most = room < Infinity ? Math.max(patience, FEW) : room;
    let taken = 0;
    const isTooMuch = (): boolean => reach.rows > room || taken > most;
    reach.begin();
    if ('table' in one) {
      reach.mark(one);
    } else {
      reach.value(one.shape, one.value);
    }
    for (const step of reach.rest()) {
      yield step;
      taken += 1;
      if (isTooMuch()) {
        break;
      }
    }
    if (isTooMuch()) {
      patience -= taken;
      yield* reach.undo();
    } else if (!('table' in one)) {
      keep(one, reach);
    }
    yield;
  }
}

/** How many steps are taken for a candidate in any case, and on average in vain. */
const FEW = 16;

function* removeResults<V extends SweptView>(
  store: Store,
  { isUnderWay }: SweepPolicy<V>,
  reach: Reach,
  goes: (result: Result) => boolean,
): Steps {
  for (const result of resultsIn(store)) {
    if (reach.has(result) || isUnderWay(result)) {
      // Maybe in use again: what it shows is kept after all.
      reach.value(result.shape, result.value);
    } else if (!goes(result)) {
      // It stays as it is.
    } else if (result.status !== 'none' && result.start < result.expiredIn) {
      // What remains is that it was expired: the rows that it showed may be fresh, and would serve it.
      result.status = 'none';
      result.value = undefined;
      result.start = 0;
    } else {
      removeResult(store, result);
    }
    yield;
  }
}

function* removeCells(
  store: Store,
  tables: Map<string, RowTable | ListTable>,
  reach: Reach,
  used: Set<Cell | Root>,
): Steps {
  for (const [key, table] of tables) {
    const { cells } = table;
    for (const [pk, cell] of cells) {
      yield* markUsed(used, reach);
      if (!reach.has(cell) && !cell.stack && !isAwaitedDeletion(store, cell)) {
        removeCell(store, cell);
        // Also the temporary key that the row once had: while the row is there, a reader may ask by that.
        cells.delete(pk);
        store.named.delete(pk);
      }
      if (table.kind === 'rows' && (table.changed?.size ?? 0) >= CHANGED_LIMIT) {
        updateSelections(store);
      }
      yield;
    }
    updateSelections(store);
    // What is logged concerns the lists of known tables: one that is brought meanwhile must not miss it.
    const isUsed = cells.size + store.log.size > 0;
    if (!isUsed && !(table.kind === 'rows' && table.indexes.size > 0)) {
      tables.delete(key);
    }
  }
}

/** How many rows are taken out of selections at once. */
const CHANGED_LIMIT = 64;

/** Selections that no reader shows are made anew for the next one: until then no row has to be taken out of them. */
function dropSelections(store: Store, reach: Reach): void {
  for (const { indexes } of store.rows.values()) {
    for (const [field, { selections }] of indexes) {
      for (const [text, cell] of selections) {
        if (!reach.has(cell)) {
          selections.delete(text);
        }
      }
      if (selections.size === 0) {
        indexes.delete(field);
      }
    }
  }
}

/** Marks what was used since the last look, and what it leads to. */
function* markUsed(used: Set<Cell | Root>, reach: Reach): Steps {
  // What is used while this runs is added at the end, so it is met too.
  for (const one of used) {
    used.delete(one);
    if ('current' in one) {
      reach.value(one.shape, one.current());
    } else {
      reach.contents(one);
    }
  }
  yield* reach.rest();
}

/** Whether what no reader shows is kept. */
function isLiving<V extends SweptView>(policy: SweepPolicy<V>, one: Cell | Result): boolean {
  if ('table' in one) {
    return isKept(policy, one.lifetime);
  }
  // That a refresh failed a moment ago keeps readers from asking again.
  return one.status === 'none' ? one.retryAt > policy.now() : isKept(policy, one);
}

/** Whether something is not past so many lifetimes. */
function isKept<V extends SweptView>(
  { now, lifetimes }: SweepPolicy<V>,
  { fetchedAt, expiresAt }: Lifetime,
): boolean {
  const end = fetchedAt + lifetimes * (Math.abs(expiresAt) - fetchedAt);
  return lifetimes === Infinity || isWithin({ fetchedAt, expiresAt: end }, now());
}

/** Whether a result was invalidated, or not to be kept. */
function isTakenAway({ status, start, expiredIn }: Result): boolean {
  return status === 'none' && (start > 0 || expiredIn > 0);
}

/** How many rows the tables hold; empty ones and other names of rows count too, so that it costs nothing to ask. */
export function rowCount(store: Store): number {
  let count = 0;
  for (const { cells } of store.rows.values()) {
    count += cells.size;
  }
  return count;
}

function* cellsIn(store: Store): IterableIterator<Cell> {
  for (const tables of [store.rows, store.lists]) {
    for (const { cells } of tables.values()) {
      yield* cells.values();
    }
  }
}
