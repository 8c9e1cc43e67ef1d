import { NO_LINKS } from '../views/nodes.js';
import type { Cell } from '../cells/Cell.js';

/**
 * The key under which readers first saw a row, if the server has named it since: by cell, and by
 * each instance that was built from the cell. `keyOf` returns it.
 */
const firstKeys = new WeakMap<object, string>();

/**
 * Records that a created row receives its real key. `present` is the cell of that key, if there is
 * one: a row that readers saw under its real key keeps that key.
 */
export function noteFirstKey(cell: Cell, present: Cell | undefined, temporary: string): void {
  if (!present || present.nodes === NO_LINKS || !present.current) {
    firstKeys.set(present ?? cell, firstKeys.get(cell) ?? temporary);
  }
}

/** Called for each new instance of a row. */
export function passFirstKey(cell: Cell, instance: object): void {
  const key = firstKeys.get(cell);
  if (key !== undefined) {
    firstKeys.set(instance, key);
  }
}

/** Returns the first key of a row by one of its instances, if it was named since. */
export function firstKeyOf(instance: object): string | undefined {
  return firstKeys.get(instance);
}
