import type { Cell } from '../cells/Cell.js';

/** Set by the module of `keyOf`, so that programs without `keyOf` do not download it. */
export const firstKeys: {
  /**
   * Called when a created row receives its real key. `present` is the cell that already has this
   * key.
   */
  note?: (cell: Cell, present: Cell | undefined, temporary: string) => void;
  /** Copies the temporary key under which a row was created to a new instance of the row. */
  pass?: (cell: Cell, instance: object) => void;
} = {};
