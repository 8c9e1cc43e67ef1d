import { removeCell } from './cells.js';
import { commit } from './commit.js';
import { isAwaitedDeletion } from './stalled.js';
import { findCell, isPresent } from './query.js';
import { Reach, type Steps } from './reach.js';
import { isWithin, type Lifetime, removeResult, resultsIn } from './results.js';
import { updateSelections } from './selections.js';
import type { Cell, ListTable, Result, Root, RowTable, Store } from './state.js';

/** A view, as a sweep sees it. */
export interface SweptView {
  readonly root: Root;
  /** Somebody hears of its changes, or wants its data to be kept. */
  readonly isHeld: boolean;
}

/** What a sweep is to keep. */
export interface SweepPolicy<V extends SweptView> {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How many lifetimes an answer is kept that nobody reads. */
  readonly lifetimes: number;
  /** How many rows may be kept for those who do not read them now. */
  readonly maxRows: number;
  readonly views: () => Iterable<V>;
  readonly drop: (view: V) => void;
  /** Whether a request may still write to a register. */
  readonly isUnderWay: (result: Result) => boolean;
}

/**
 * Forgets what nobody needs, in steps between which the program may go on.
 *
 * ```
 *   1 mark    what is held: views with readers, requests under way, cells with patches, the log
 *   2 mark    what is not past its lifetime: answers, and rows and lists by themselves; only the most recently used ones
 *             where there are too many rows
 *   3 mark    what was used since 1 (see `noteUse`): it counts as held
 *   4 remove  views, answers, rows by all their names, lists; before each step what was used since the last is marked;
 *             what says that a row was deleted stays while a request from before may answer it
 * ```
 */
export function* sweep<V extends SweptView>(store: Store, policy: SweepPolicy<V>): Steps {
  // Requests that hang keep nothing for ever.
  commit(store, () => {
    store.hasSettled = true;
  });
  store.uses += 2;
  // Whatever is used from now on has a higher number.
  const began = store.uses - 1;
  const used = new Set<Cell | Root>();
  store.usedInSweep = used;
  const reach = new Reach(store, began);
  const marked = new Set<Result>();
  try {
    yield* markHeld(store, policy, reach, marked);
    yield* rowCount(store) > policy.maxRows
      ? markRecent(store, policy, reach, marked)
      : markLiving(store, policy, reach, marked);
    // Views first: one that is used again later keeps its register.
    yield* removeViews(policy, began);
    yield* removeResults(store, policy, reach, marked, began);
    yield* markUsed(used, reach);
    dropSelections(store, reach);
    yield* removeCells(store, store.rows, reach, used);
    yield* removeCells(store, store.lists, reach, used);
    yield* removeTakenAway(store, policy, marked, began);
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
  marked: Set<Result>,
): Steps {
  for (const { root, isHeld } of views()) {
    if (isHeld) {
      yield* reach.value(root.shape, root.current());
      if (root.result) {
        marked.add(root.result);
      }
    }
    yield;
  }
  for (const result of resultsIn(store)) {
    if (!marked.has(result) && isUnderWay(result)) {
      marked.add(result);
      yield* reach.value(result.shape, result.value);
    }
    yield;
  }
  const { reads, mutations, stalled, unfolded } = store;
  for (const transaction of [...reads, ...mutations, ...stalled, ...unfolded]) {
    const { cells: own = [], places } = transaction;
    for (const cells of [own, places?.keys() ?? []]) {
      for (const cell of cells) {
        reach.cell(cell);
        yield;
      }
    }
  }
  for (const cell of store.watchers.keys()) {
    reach.cell(cell);
  }
  for (const { row } of store.log) {
    reach.cell(row);
  }
  yield* reach.rest();
}

function* markLiving<V extends SweptView>(
  store: Store,
  policy: SweepPolicy<V>,
  reach: Reach,
  marked: Set<Result>,
): Steps {
  for (const result of resultsIn(store)) {
    if (!marked.has(result) && isLiving(policy, result)) {
      marked.add(result);
      yield* reach.value(result.shape, result.value);
    }
    yield;
  }
  for (const cell of cellsIn(store)) {
    if (isKept(policy, cell.lifetime)) {
      reach.cell(cell);
    }
    yield;
  }
  yield* reach.rest();
}

/** As `markLiving`, but what was used last comes first and takes what room there is. An answer is kept whole or not at all. */
function* markRecent<V extends SweptView>(
  store: Store,
  policy: SweepPolicy<V>,
  reach: Reach,
  marked: Set<Result>,
): Steps {
  // An eighth less, so that this is not done anew for each further row.
  const room = policy.maxRows - Math.floor(policy.maxRows / 8);
  const candidates: (Cell | Result)[] = [];
  for (const result of resultsIn(store)) {
    if (!marked.has(result) && isLiving(policy, result)) {
      candidates.push(result);
    }
    yield;
  }
  for (const cell of cellsIn(store)) {
    if (!reach.has(cell) && isKept(policy, cell.lifetime)) {
      candidates.push(cell);
    }
    yield;
  }
  // Each may lead to most of the store, and be too much. So that all of them together cost what the store holds, only so many
  // steps are taken in vain; then what leads to much is not kept.
  let patience = FEW * candidates.length;
  // Of equal ones the last comes first: what a row contains before the row.
  candidates.reverse().sort((a, b) => b.usedIn - a.usedIn);
  for (const candidate of candidates) {
    yield;
    reach.begin();
    const steps =
      'table' in candidate ? reach.from(candidate) : reach.value(candidate.shape, candidate.value);
    const most = Math.max(patience, FEW);
    let taken = 0;
    for (const step of steps) {
      yield step;
      taken += 1;
      if (reach.rows > room || taken > most) {
        patience -= taken;
        break;
      }
    }
    if (reach.rows > room || taken > most) {
      yield* reach.undo();
    } else if (!('table' in candidate)) {
      marked.add(candidate);
    }
  }
  reach.begin();
}

/** How many steps are taken for a candidate in any case, and on average in vain. */
const FEW = 32;

function* removeResults<V extends SweptView>(
  store: Store,
  { isUnderWay }: SweepPolicy<V>,
  reach: Reach,
  marked: ReadonlySet<Result>,
  began: number,
): Steps {
  for (const result of resultsIn(store)) {
    // A view that was used since is still there, and used its register with itself.
    if (result.usedIn > began || isUnderWay(result)) {
      // In use again: what it shows is kept after all.
      yield* reach.value(result.shape, result.value);
    } else if (!marked.has(result) && !isTakenAway(result)) {
      if (result.start < result.expiredIn) {
        // What remains is that it was expired: the rows that it showed may be fresh, and would serve it.
        result.status = 'none';
        result.value = undefined;
        result.start = 0;
      } else {
        removeResult(store, result);
      }
    }
    yield;
  }
}

/**
 * A question that was taken away, or expired, must not be served by what other answers brought along, as if that were fresh, as
 * long as there is such.
 */
function* removeTakenAway<V extends SweptView>(
  store: Store,
  { isUnderWay }: SweepPolicy<V>,
  marked: ReadonlySet<Result>,
  began: number,
): Steps {
  for (const result of resultsIn(store)) {
    const isHeld = marked.has(result) || result.usedIn > began || isUnderWay(result);
    if (
      isTakenAway(result) &&
      !isHeld &&
      !isPresent(findCell(store, result.shape, result.names()))
    ) {
      removeResult(store, result);
    }
    yield;
  }
}

function* removeViews<V extends SweptView>({ views, drop }: SweepPolicy<V>, began: number): Steps {
  for (const view of views()) {
    if (!view.isHeld && view.root.usedIn <= began) {
      drop(view);
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
      if (used.size > 0) {
        yield* markUsed(used, reach);
      }
      if (!reach.has(cell) && !cell.stack && !isAwaitedDeletion(store, cell)) {
        removeCell(store, cell);
        // Also the temporary key that the row once had: as long as the row is there, somebody may ask by that.
        cells.delete(pk);
        store.named.delete(pk);
      }
      if (table.kind === 'rows' && (table.changed?.size ?? 0) >= CHANGED_LIMIT) {
        updateSelections(store);
      }
      yield;
    }
    updateSelections(store);
    // What is logged concerns the lists of known tables: one that is brought along meanwhile must not miss it.
    if (cells.size === 0 && store.log.length === 0 && !hasSelections(table)) {
      tables.delete(key);
    }
  }
}

/** How many rows are taken out of selections at once. */
const CHANGED_LIMIT = 64;

/** Selections that nobody looks at are made anew when somebody does: until then no row has to be taken out of them. */
function dropSelections(store: Store, reach: Reach): void {
  for (const table of store.rows.values()) {
    if (table.all && !reach.has(table.all.cell)) {
      table.all = undefined;
    }
    for (const { selections } of table.indexes.values()) {
      for (const [text, { cell }] of selections) {
        if (!reach.has(cell)) {
          selections.delete(text);
        }
      }
    }
  }
}

function hasSelections(table: RowTable | ListTable): boolean {
  return (
    table.kind === 'rows' &&
    (table.all !== undefined ||
      [...table.indexes.values()].some(({ selections }) => selections.size > 0))
  );
}

/** Marks what was used since the last look, and what it leads to. */
function* markUsed(used: Set<Cell | Root>, reach: Reach): Steps {
  // What is used while this runs is added at the end, so it is met too.
  for (const one of used) {
    used.delete(one);
    yield* 'current' in one ? reach.value(one.shape, one.current()) : reach.from(one);
  }
}

/** Whether an answer is kept although nobody reads it. */
function isLiving<V extends SweptView>(policy: SweepPolicy<V>, result: Result): boolean {
  // That a refresh failed a moment ago keeps readers from asking again.
  return result.status === 'none' ? result.retryAt > policy.now() : isKept(policy, result);
}

/** Whether what nobody reads is not past so many lifetimes. */
function isKept<V extends SweptView>(
  { now, lifetimes }: SweepPolicy<V>,
  { fetchedAt, expiresAt }: Lifetime,
): boolean {
  const end = fetchedAt + lifetimes * (Math.abs(expiresAt) - fetchedAt);
  return lifetimes === Infinity || isWithin({ fetchedAt, expiresAt: end }, now());
}

/** Whether a question was invalidated, or its answer was not to be kept. */
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
