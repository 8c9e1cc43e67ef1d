import { collect } from '../store/views/walkReferences.js';
import { readThrough } from '../store/views/readThrough.js';
import { equal } from '../store/cells/plainValues.js';
import { membersBy } from '../store/selections/selections.js';
import type { Cell, Stored } from '../store/cells/Cell.js';
import type { CellNode, Root } from '../store/views/Node.js';
import type { HydrationSnapshot, Store } from '../store/cells/Store.js';
import { hydratedResultFor } from './hydratedResults.js';
import type { HydratedState } from './hydrated.js';
import { nodesWithin } from '../store/views/nodesWithin.js';
import { cellName, rootName } from './rendered.js';

/**
 * Returns the snapshot from which the server rendered a reader: the browser renders it first.
 * Undefined if the server had no data, or if the current value is equal and fresh.
 */
export function readSnapshot(
  store: Store,
  hydrated: HydratedState,
  root: Root,
  isFresh: boolean,
): HydrationSnapshot | undefined {
  const { shape, result, value } = root;
  const hydratedResult = result && hydratedResultFor(hydrated, result);
  const reference = hydratedResult ? hydratedResult.value : root.current();
  const links = collect(store, shape, reference);
  const { cells, rendered } = hydrated;
  const older = rendered.size > 0 ? rendered.get(rootName(root)) : undefined;
  const isHydrated = (cell: Cell): boolean => cells.has(cell) || cell.table.kind === 'selection';
  if (!hydratedResult && !older && !links.some(({ cell }) => isHydrated(cell))) {
    return undefined;
  }
  const renderedValue = (cell: Cell): Stored => {
    const name = older && cellName(cell);
    if (name && older.has(name)) {
      return older.get(name) as Stored;
    }
    if (cell.table.kind !== 'selection') {
      return cells.has(cell) ? cells.get(cell) : cell.current;
    }
    const members = membersBy(cell, (row) => cells.get(row));
    return equal(cell.current, members) ? cell.current : members;
  };
  if (
    equal(root.current(), reference) &&
    isSame(nodesWithin(store, shape, reference), renderedValue)
  ) {
    return isFresh ? undefined : snapshotOf(value);
  }
  const copies = { cells: new Map<Cell, Cell>(), current: renderedValue };
  try {
    return snapshotOf(readThrough(store, shape, root.args, reference, copies));
  } catch {
    // The hydrated data of this root is damaged.
    return undefined;
  }
}

function snapshotOf(data: unknown): HydrationSnapshot {
  return Object.freeze({ status: 'ready', data, stale: false });
}

function isSame(nodes: Iterable<CellNode>, renderedValue: (cell: Cell) => Stored): boolean {
  for (const { cell } of nodes) {
    if (cell.current !== renderedValue(cell)) {
      return false;
    }
  }
  return true;
}
