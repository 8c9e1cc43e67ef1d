import { refold } from './fold.js';
import { baseOf, setBase } from './patches.js';
import { combine } from '../cells/plainValues.js';
import type { Cell, Stored } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';

/** Adds missing fields to the base of a cell: the record is older than everything in the cell. */
export function fillMissing(store: Store, cell: Cell, incoming: Stored): void {
  const before = baseOf(cell);
  const base = combine(before, incoming, false);
  if (base !== before) {
    setBase(cell, base);
    refold(store, cell, 0);
  }
}
