import { entryOf } from '../../host/entryOf.js';
import type { Shape } from '../../schema/shapes.js';
import type { Cell, Stored } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';
import { createRoot, NO_LINKS } from './nodes.js';
import { Reading } from './Reading.js';

export interface Copies {
  /** The cells that were read, each with a copy that has its own nodes. */
  readonly cells: Map<Cell, Cell>;
  readonly current: (cell: Cell) => Stored;
}

export function readThrough(
  store: Store,
  shape: Shape,
  args: readonly unknown[],
  normalized: unknown,
  { cells, current }: Copies,
): unknown {
  const root = createRoot(shape, args, () => normalized);
  const reading = new Reading(store, (cell) =>
    entryOf(cells, cell, () => ({ ...cell, current: current(cell), nodes: NO_LINKS })),
  );
  reading.read(root);
  return root.value;
}
