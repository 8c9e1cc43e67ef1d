import type { Shape } from '../../schema/shapes.js';
import { joinMoves, currentBelow } from '../journal/fold.js';
import { isFields } from '../journal/applyPatch.js';
import { readThrough } from '../views/readThrough.js';
import { equal } from '../cells/plainValues.js';
import { emptyResponse, type NormalizedResponse } from '../normalize/Normalized.js';
import { placeOptimistic } from '../journal/transactions.js';
import type { Cell, Stored } from '../cells/Cell.js';
import type { Layer, Moves, Transaction } from '../journal/Transaction.js';
import type { Store } from '../cells/Store.js';
import { isEdited, isSameBelow } from '../journal/plainEdits.js';
import { patchesOf } from '../journal/patches.js';
import { unwatch, watch } from './watchers.js';

/**
 * A layer is an optimistic update. A layer runs again when an older transaction changes a value
 * that the layer read. In this example, M2 adds 1 to the late response of R1. M2 does not read the
 * response of R3, which may contain the increment already:
 *
 * ```
 *   tick      1        2          3   4        5
 *   R1        ├───────────────────┤ n=10              started before M2: input of M2
 *   M2 n+1             ├──────────────────────…       value 1, then 11
 *   R3                                ├────────┤ n=11   started after M2: no input
 * ```
 *
 * A layer depends only on older layers, so one pass in order of start updates all layers.
 */
export function addLayer(
  store: Store,
  transaction: Transaction,
  evaluate: (layer: Layer) => NormalizedResponse | undefined,
): void {
  const layer: Layer = { evaluate, copies: new Map() };
  transaction.layer = layer;
  run(store, transaction, layer);
}

export function rerunLayers(store: Store): void {
  const moved = new Map<Cell, Moves>();
  const changed = new Set<Cell>();
  let last: Transaction | undefined;
  do {
    for (const [cell, moves] of store.moved) {
      moved.set(cell, joinMoves(moves, moved.get(cell)));
    }
    store.moved.clear();
    last = nextWatcher(store, moved, last?.start ?? 0);
    if (last?.layer && hasNewInput(store, last, last.layer, moved, changed)) {
      // The loop ends, because the output of a layer affects only younger layers.
      run(store, last, last.layer);
    }
  } while (last);
}

/** Returns the oldest layer after `tick` that read a cell which gained or lost an older patch. */
function nextWatcher(
  store: Store,
  moved: ReadonlyMap<Cell, Moves>,
  tick: number,
): Transaction | undefined {
  let next: Transaction | undefined;
  for (const [cell, { oldest }] of moved) {
    for (const watcher of store.watchers.get(cell) ?? []) {
      const { start } = watcher;
      next = start > tick && start > oldest && !(next && next.start < start) ? watcher : next;
    }
  }
  return next;
}

/**
 * Must be called from the oldest layer to the youngest. Optimization: removes a cell from `moved`
 * if no younger layer has new input from it.
 */
function hasNewInput(
  store: Store,
  { start }: Transaction,
  { copies }: Layer,
  moved: Map<Cell, Moves>,
  changed: Set<Cell>,
): boolean {
  let isOther = false;
  for (const [cell, moves] of moved) {
    const { oldest, newest } = moves;
    if (oldest >= start || !copies.has(cell)) {
      continue;
    }
    if (changed.has(cell) || !hasSameInput(store, cell, start, copies, moves)) {
      changed.add(cell);
      isOther = true;
    } else if (cell.table.kind === 'rows' && newest < start && isInOrder(cell, start)) {
      moved.delete(cell);
    }
  }
  return isOther;
}

function hasSameInput(
  store: Store,
  cell: Cell,
  start: number,
  copies: Layer['copies'],
  { fields }: Moves,
): boolean {
  const { table, stack } = cell;
  const seen = copies.get(cell)?.current;
  return table.kind === 'rows' && fields && isEdited(stack) && isFields(seen)
    ? isSameBelow(stack, start, fields, seen)
    : table.kind !== 'selection' && equal(currentBelow(store, cell, start), seen);
}

/** Returns true only if all patches that started at `start` or later rank above all older ones. */
function isInOrder(cell: Cell, start: number): boolean {
  return (
    isEdited(cell.stack) ||
    patchesOf(cell).every(
      ({ transaction, operation }) =>
        transaction.start < start ||
        (transaction.kind === 'mutation' &&
          !(operation.type === 'merge' && operation.shape.custom.merge)),
    )
  );
}

function run(store: Store, transaction: Transaction, layer: Layer): void {
  unwatch(store, transaction, layer);
  layer.copies = new Map();
  const output = layer.evaluate(layer) ?? emptyResponse();
  transaction.isIncomplete = output.isIncomplete;
  watch(store, transaction, layer);
  placeOptimistic(store, transaction, output);
}

/** Reads a value without the patches of a transaction and of later ones. */
export function readBelow(
  store: Store,
  shape: Shape,
  args: readonly unknown[],
  normalized: unknown,
  { start }: Transaction,
  { copies }: Layer,
): unknown {
  const below = (cell: Cell): Stored => currentBelow(store, cell, start);
  return readThrough(store, shape, args, normalized, {
    cells: copies,
    current: (cell) =>
      cell.table.kind === 'selection' ? store.selections?.membersBy(cell, below) : below(cell),
  });
}
