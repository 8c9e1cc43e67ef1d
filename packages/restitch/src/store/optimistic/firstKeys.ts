import { NO_LINKS } from '../views/nodes.js';
import type { Cell } from '../cells/Cell.js';

/**
 * The first key of each row that the server has named since: the key under which readers saw the
 * row first. It is stored for the cell and for each instance of the row. `keyOf` returns it.
 */
const firstKeys = new WeakMap<object, string>();

/**
 * Records that a created row receives its real key. `present` is the existing cell of that key. A
 * row that readers already saw under its real key keeps that key.
 */
export function noteFirstKey(cell: Cell, present: Cell | undefined, temporary: string): void {
  if (!present || present.nodes === NO_LINKS || !present.current) {
    firstKeys.set(present ?? cell, firstKeys.get(cell) ?? temporary);
  }
}

/** Copies the first key of a cell to a new instance of its row. */
export function passFirstKey(cell: Cell, instance: object): void {
  const key = firstKeys.get(cell);
  if (key !== undefined) {
    firstKeys.set(instance, key);
  }
}

/** Returns the first key of the row of an instance, if the server has named the row since. */
export function firstKeyOf(instance: object): string | undefined {
  return firstKeys.get(instance);
}
