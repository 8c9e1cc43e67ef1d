import { NO_LINKS } from '../views/nodes.js';
import type { Cell } from '../cells/Cell.js';

/**
 * The temporary key under which readers first saw a row, by cell and by instance. `keyOf` returns
 * it.
 */
const firstKeys = new WeakMap<object, string>();

/**
 * `present` is the existing cell of the real key. A row that readers already saw under its real key
 * keeps that key.
 */
export function noteFirstKey(cell: Cell, present: Cell | undefined, temporary: string): void {
  if (!present || present.nodes === NO_LINKS || !present.current) {
    firstKeys.set(present ?? cell, firstKeys.get(cell) ?? temporary);
  }
}

export function passFirstKey(cell: Cell, instance: object): void {
  const key = firstKeys.get(cell);
  if (key !== undefined) {
    firstKeys.set(instance, key);
  }
}

export function firstKeyOf(instance: object): string | undefined {
  return firstKeys.get(instance);
}
