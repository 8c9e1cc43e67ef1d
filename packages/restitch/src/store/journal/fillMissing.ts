import { refold } from './fold.js';
import { baseOf, setBase } from './patches.js';
import { combine } from '../cells/plainValues.js';
import type { Cell, Stored } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';

/** Adds to the base of a cell what it lacks: what comes is older than all that is known. */
export function fillIn(store: Store, cell: Cell, incoming: Stored): void {
  const before = baseOf(cell);
  const base = combine(before, incoming, false);
  if (base !== before) {
    setBase(cell, base);
    refold(store, cell, 0);
  }
}
