import type { Cell } from '../cells/Cell.js';

/**
 * Callbacks that record the first keys of rows. They are undefined until a program imports `keyOf`,
 * because no other code reads these keys.
 */
export const firstKeys: {
  /**
   * Called when a created row receives its real key. `present` is the cell that already has this
   * key. If readers saw that cell, the first key of the row is the real key.
   */
  note?: (cell: Cell, present: Cell | undefined, temporary: string) => void;
  /** Copies the first key of a cell to a new instance of its row. */
  pass?: (cell: Cell, instance: object) => void;
} = {};
