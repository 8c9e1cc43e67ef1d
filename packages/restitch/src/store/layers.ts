import type { Shape } from '../schema/shape.js';
import { showBelow } from './fold.js';
import { readThrough } from './lens.js';
import { membersBy } from './selections.js';
import { equal } from './record.js';
import type { Normalized } from './normalized.js';
import { guess } from './transaction.js';
import type { Cell, Layer, Store, Stored, Transaction } from './state.js';
import { unwatch, watch } from './watchers.js';

/**
 * An optimistic guess that looked at the store is a function of what started before it. It runs again when that changes, so
 * an increment composes with an older answer that arrives late, and is never counted twice by a newer one:
 *
 * ```
 *   tick      1        2          3         4
 *   R1        ├───────────────────┤ n = 10         started before the layer: its input
 *   M2 n+1             ├─────────────────────…     shows 1, then 11
 *   R3                            ├────────┤ n=11  started after: may hold M2's change already, so not its input
 * ```
 *
 * Layers only depend on older ones, so one pass in order of start brings all up to date.
 */
export function showLayer(
  store: Store,
  transaction: Transaction,
  evaluate: (layer: Layer) => Normalized | undefined,
): void {
  const layer: Layer = { evaluate, reads: new Set(), instances: new Map(), answer: undefined };
  transaction.layer = layer;
  run(store, transaction, layer);
}

/** Runs again the layers that looked at cells which moved. */
export function rerunLayers(store: Store): void {
  const affected = new Set<Transaction>();
  for (const [cell, start] of store.moved) {
    for (const transaction of store.watchers.get(cell) ?? []) {
      if (transaction.start > start) {
        affected.add(transaction);
      }
    }
  }
  store.moved.clear();
  const inOrder = [...affected].sort((a, b) => a.start - b.start);
  for (const transaction of inOrder) {
    if (transaction.layer) {
      run(store, transaction, transaction.layer);
    }
  }
  if (store.moved.size > 0) {
    // What a layer writes has its own start, so it only moves younger layers: this ends.
    rerunLayers(store);
  }
}

function run(store: Store, transaction: Transaction, layer: Layer): void {
  unwatch(store, transaction, layer);
  layer.reads = new Set();
  layer.instances = new Map();
  const answer = layer.evaluate(layer);
  watch(store, transaction, layer);
  if (!equalAnswers(layer.answer, answer)) {
    layer.answer = answer;
    guess(store, transaction, answer ?? { root: undefined, rows: [], lists: [], edits: [] });
  }
}

function equalAnswers(a: Normalized | undefined, b: Normalized | undefined): boolean {
  if (!a || !b) {
    return a === b;
  }
  const content = ({ rows, lists, edits }: Normalized): unknown => [
    rows.map(({ shape, pk, fields }) => [shape.key, pk, fields]),
    lists.map(({ shape, args, members }) => [shape.key, args, members]),
    edits.map(({ shape, pk }) => [shape.edit.action, pk]),
  ];
  return equal(content(a), content(b));
}

/** Reads a normalized value as it is below a transaction, noting every cell that was looked at. */
export function readBelow(
  store: Store,
  shape: Shape,
  args: readonly unknown[],
  normalized: unknown,
  { start }: Transaction,
  { reads, instances }: Layer,
): unknown {
  const below = (cell: Cell): Stored => showBelow(store, cell, start);
  return readThrough(store, shape, normalized, {
    seen: new Map(),
    args,
    goneIn: start,
    shown: (cell) => {
      reads.add(cell);
      return cell.table.kind === 'selection' ? membersBy(cell, below) : below(cell);
    },
    made: (instance, cell) => {
      instances.set(cell, [...(instances.get(cell) ?? []), instance]);
    },
    // Deeper than a layer goes it sees relations as they are shown now.
    tooDeep: ({ value }) => value,
  });
}
