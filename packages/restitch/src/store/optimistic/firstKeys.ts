import type { Cell } from '../cells/Cell.js';

/**
 * `keyOf` returns the temporary key of a created row even after the row has its real key. The
 * module of `keyOf` sets these functions, so that programs without `keyOf` do not download it.
 */
export const firstKeys: {
  /**
   * Called when a created row receives its real key. `present` is the cell that already has this
   * key.
   */
  note?: (cell: Cell, present: Cell | undefined, temporary: string) => void;
  /** Called for each new instance of a row, so that `keyOf(instance)` returns the temporary key. */
  pass?: (cell: Cell, instance: object) => void;
} = {};
