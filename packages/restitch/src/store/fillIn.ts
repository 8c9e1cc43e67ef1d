import { refold } from './fold.js';
import { combine } from './hydrated.js';
import type { Cell, Store, Stored } from './state.js';

/** Adds to the base of a cell what it lacks: what comes is older than all that is known. */
export function fillIn(store: Store, cell: Cell, incoming: Stored): void {
  const base = combine(cell.base, incoming, false);
  if (base !== cell.base) {
    cell.base = base;
    refold(store, cell, 0);
  }
}
