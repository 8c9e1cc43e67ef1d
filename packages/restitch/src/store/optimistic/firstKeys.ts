import type { Cell } from '../cells/Cell.js';

/** Callbacks that a program sets when it imports `keyOf`. */
export const firstKeys: {
  /**
   * Called when a created row receives its real key. `present` is the cell that already has this
   * key.
   */
  note?: (cell: Cell, present: Cell | undefined, temporary: string) => void;
  /** Copies the first key of a cell to a new instance of its row. */
  pass?: (cell: Cell, instance: object) => void;
} = {};
