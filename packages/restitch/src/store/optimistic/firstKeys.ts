import type { Cell } from '../cells/Cell.js';

/**
 * Records the first keys of rows, for `keyOf`. It is empty until a program loads `keyOf`, because
 * nothing else reads these keys.
 */
export const firstKeys: {
  /**
   * Records that a created row receives its real key. `present` is the existing cell of that key. A
   * row that readers already saw under its real key keeps that key.
   */
  note?: (cell: Cell, present: Cell | undefined, temporary: string) => void;
  /** Copies the first key of a cell to a new instance of its row. */
  pass?: (cell: Cell, instance: object) => void;
} = {};
