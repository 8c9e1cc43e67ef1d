import type { EntityShape } from '../../schema/shapes.js';
import type { Cell } from '../cells/Cell.js';

/** Set by the module of `keyOf`, which returns the first (temporary) key of a created row. */
export const firstKeys: {
  /** Called when a created row receives its real key, which the cell `present` may already have. */
  note?: (cell: Cell, present: Cell | undefined, temporary: string) => void;
  /** Lets `keyOf` of a new instance return the key of the cell. Called before it has relations. */
  pass?: (cell: Cell, instance: object, shape: EntityShape) => void;
} = {};
