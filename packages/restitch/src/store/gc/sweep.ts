import { noteChangedRow } from '../cells/tables.js';
import { forgetLinks, nodeList, parentsOf } from '../views/nodes.js';
import { commit } from '../journal/commit.js';
import { isAwaitedDeletion } from '../journal/stalled.js';
import { findCell, isPresent } from '../views/queries.js';
import { Marking, type Steps } from './markReachable.js';
import { isWithin, type Lifetime, removeResult, resultsIn } from '../cells/results.js';
import type { Cell } from '../cells/Cell.js';
import type { Hydrated, ListTable, RowTable, Store } from '../cells/Store.js';
import type { Result } from '../cells/Result.js';
import type { Root } from '../views/Node.js';

export interface SweptView {
  readonly root: Root;
  readonly isHeld: boolean;
}

export interface SweepPolicy<V extends SweptView> {
  /** The number of lifetimes for which data without readers is kept. */
  readonly lifetimes: number;
  /** Above this number, the least recently used rows without readers are evicted. */
  readonly maxRows: number;
  readonly views: {
    readonly attached: Iterable<V>;
    drop(view: V): void;
  };
  /** Returns true if a request in flight can still write to a result. */
  readonly isUnderWay: (result: Result) => boolean;
}

/**
 * Evicts the data that no reader needs, in steps. The program can run between two steps.
 *
 * ```
 *   1 mark    retained data: views with readers, requests in flight, cells with patches, the log
 *   2 mark    data within its lifetime: results with their rows, and other rows and lists; if there
 *             are too many rows, only the most recently used data
 *   3 remove  views, then results
 *   4 find    unmarked rows, with all their keys, and unmarked lists; a deleted row stays while an
 *             older request can restore it
 *   5 mark    data used since step 1 (see `noteUse`)
 *   6 remove  the rows and lists of step 4 that are still unmarked, all at once
 * ```
 *
 * So between two steps, readers find every row and list that they can reach, or its owner is gone.
 */
export function* sweep<V extends SweptView>(store: Store, policy: SweepPolicy<V>): Steps {
  // At the end of this commit, patches no longer wait for stalled requests and can be folded.
  commit(store, () => {
    store.hasSettled = true;
  });
  store.uses += 2;
  // Any later use has a higher number.
  const began = store.uses - 1;
  const marking = new Marking(store, began);
  store.usedInSweep = marking.used;
  try {
    yield* markHeld(store, policy, marking);
    yield* markLiving(store, policy, marking);
    // If results were removed first, a view without its result could be used again.
    for (const view of policy.views.attached) {
      if (!view.isHeld && view.root.usedIn <= began) {
        policy.views.drop(view);
      }
      yield;
    }
    yield* removeResults(store, policy, marking);
    yield* removeCells(store, marking);
    yield* store.hydrated?.prune(marking.has) ?? [];
  } finally {
    store.usedInSweep = undefined;
  }
}

function* markHeld<V extends SweptView>(
  store: Store,
  { views, isUnderWay }: SweepPolicy<V>,
  marking: Marking,
): Steps {
  for (const { root, isHeld } of views.attached) {
    if (isHeld) {
      marking.value(root.shape, root.current());
      keep(root.result, marking);
    }
    yield;
  }
  const { inFlight, stalled, unfolded, hydrated } = store;
  if (hydrated && marking.has(hydrated)) {
    yield* markCandidate(hydrated, marking);
  }
  for (const result of resultsIn(store)) {
    if (!marking.has(result) && isUnderWay(result)) {
      keep(result, marking);
      marking.value(result.shape, result.value);
    }
    yield;
  }
  for (const { cells = [], places } of [...inFlight, ...stalled, ...unfolded]) {
    for (const cell of [...cells, ...(places?.keys() ?? [])]) {
      marking.take(cell);
      yield;
    }
  }
  for (const cell of [...store.watchers.keys(), ...Array.from(store.log, ({ row }) => row)]) {
    marking.take(cell);
  }
  yield* marking.rest();
}

function keep(one: Result | Hydrated | undefined, { sweep }: Marking): void {
  if (one) {
    one.usedIn = Math.max(one.usedIn, sweep);
  }
}

/** A result is kept with all its rows or not at all. So is hydrated data that no reader has read. */
function* markLiving<V extends SweptView>(
  store: Store,
  policy: SweepPolicy<V>,
  marking: Marking,
): Steps {
  const { maxRows } = policy;
  // Frees an extra eighth, so that eviction does not run on every insert.
  const room = rowCount(store) > maxRows ? maxRows - Math.floor(maxRows / 8) : Infinity;
  const candidates: (Cell | Result | Hydrated)[] = [];
  for (const all of [resultsIn(store), cellsIn(store), store.hydrated ? [store.hydrated] : []]) {
    for (const one of all) {
      if (!marking.has(one) && isLiving(store, policy, one)) {
        candidates.push(one);
      }
      yield;
    }
  }
  if (room < Infinity) {
    // Rows are usually stored before their related rows. `reverse` marks the related rows first, so
    // that marking a row takes few steps.
    candidates.reverse().sort((a, b) => b.usedIn - a.usedIn);
  }
  // A candidate that exceeds the limit is unmarked again, so its steps were wasted.
  let wastableSteps = SMALL_CANDIDATE_STEPS * candidates.length;
  for (const one of candidates) {
    const most = room < Infinity ? Math.max(wastableSteps, SMALL_CANDIDATE_STEPS) : room;
    let taken = 0;
    const isTooMuch = (): boolean => marking.rows > room || taken > most;
    marking.begin();
    for (const step of markCandidate(one, marking)) {
      yield step;
      taken += 1;
      if (isTooMuch()) {
        break;
      }
    }
    if (isTooMuch()) {
      wastableSteps -= taken;
      yield* marking.undo();
    } else if (!('table' in one)) {
      keep(one, marking);
    }
    yield;
  }
}

const SMALL_CANDIDATE_STEPS = 16;

function* markCandidate(one: Cell | Result | Hydrated, marking: Marking): Steps {
  if ('table' in one) {
    marking.take(one);
  } else if ('shape' in one) {
    marking.value(one.shape, one.value);
  } else {
    for (const cell of one.needed()) {
      marking.take(cell);
      yield;
    }
  }
  yield* marking.rest();
}

function* removeResults<V extends SweptView>(
  store: Store,
  { isUnderWay }: SweepPolicy<V>,
  marking: Marking,
): Steps {
  for (const result of resultsIn(store)) {
    if (marking.has(result) || isUnderWay(result)) {
      marking.value(result.shape, result.value);
    } else if (isTakenAway(result) && isPresent(findCell(store, result.shape, result.named))) {
      // An invalidated result stays while its named record exists. Otherwise, readers would receive
      // the record from another response as fresh data.
    } else if (result.status !== 'none' && result.start < result.expiredIn) {
      // Only the expiry is kept. Without it, rows of other responses would count as fresh.
      result.status = 'none';
      result.value = undefined;
      result.start = 0;
    } else {
      removeResult(store, result);
    }
    yield;
  }
}

/**
 * All cells are removed in one step, about a million in a second. If a reader ran in between, it
 * would find a list without some of its rows, or a row without its related rows. The use would then
 * keep these remains.
 */
function* removeCells(store: Store, marking: Marking): Steps {
  const { selections, hydrated, log, named } = store;
  const unused: (readonly [cells: Map<string, Cell>, pk: string, cell: Cell])[] = [];
  for (const { cells } of tablesIn(store)) {
    for (const [pk, cell] of cells) {
      if (cell.stack || isAwaitedDeletion(store, cell)) {
        marking.take(cell);
      } else if (!marking.has(cell)) {
        unused.push([cells, pk, cell]);
      }
      yield;
    }
  }
  yield* marking.restUsed();
  selections?.drop(store, marking.has);
  const removed = unused.filter(([, , cell]) => !marking.has(cell));
  for (const [cells, pk, cell] of removed) {
    // A temporary key is removed only here, so readers can use it as long as its row exists.
    cells.delete(pk);
    named.delete(pk);
    // Readers keep their objects. The next read finds a new, empty cell.
    cell.current = undefined;
    noteChangedRow(store, cell);
  }
  selections?.update(store);
  hydrated?.drop(marking.has);
  for (const table of tablesIn(store)) {
    // A list that becomes known later replays the log, and needs its table.
    const isUsed = table.cells.size + log.size > 0;
    if (!isUsed && !(table.kind === 'rows' && table.indexes.size > 0)) {
      store[table.kind].delete(table.key);
    }
  }
  yield;
  for (const [, , { nodes }] of removed) {
    for (const node of nodeList(nodes)) {
      // Otherwise, the parents would link to the removed cell.
      [...parentsOf(node), node].forEach(forgetLinks);
    }
    yield;
  }
}

function isLiving<V extends SweptView>(
  store: Store,
  policy: SweepPolicy<V>,
  one: Cell | Result | Hydrated,
): boolean {
  if ('lifetime' in one) {
    return isKept(store, policy, one.lifetime);
  }
  // Until the end of `retry`, readers must not fetch again.
  return one.status === 'none' ? one.retry.expiresAt > store.now() : isKept(store, policy, one);
}

function isKept<V extends SweptView>(
  { now }: Store,
  { lifetimes }: SweepPolicy<V>,
  { fetchedAt, expiresAt }: Lifetime,
): boolean {
  const end = fetchedAt + lifetimes * (expiresAt - fetchedAt);
  return lifetimes === Infinity || isWithin({ fetchedAt, expiresAt: end }, now());
}

function isTakenAway({ status, start, expiredIn }: Result): boolean {
  return status === 'none' && (start > 0 || expiredIn > 0);
}

/** Optimization: counts empty rows and temporary keys too. */
export function rowCount(store: Store): number {
  let count = 0;
  for (const { cells } of store.rows.values()) {
    count += cells.size;
  }
  return count;
}

function* tablesIn({ rows, lists }: Store): IterableIterator<RowTable | ListTable> {
  yield* rows.values();
  yield* lists.values();
}

function* cellsIn(store: Store): IterableIterator<Cell> {
  for (const { cells } of tablesIn(store)) {
    yield* cells.values();
  }
}
