import type { Steps } from '../gc/mark.js';
import type { Lifetime } from './results.js';
import type { Cell } from './Cell.js';
import type { ListTable, RowTable } from './Store.js';
import type { LogEntry } from '../journal/Transaction.js';
import type { Result } from './Result.js';
import type { Root } from '../views/Node.js';

/**
 * The interface of hydrated state to the store, implemented in `state/`. Programs without hydration
 * do not include the implementation in the bundle.
 */
export interface Hydrated {
  /**
   * Lists whose own schema is unknown. Until it is known, they use the first schema with the same
   * members.
   */
  readonly presumed: Set<Cell>;
  /** Adds the waiting rows or lists to a new table. */
  readonly fillTable: (table: RowTable | ListTable) => void;
  /** Sets the waiting response on a new result. */
  readonly takeAnswer: (result: Result) => void;
  /** Removes or expires waiting responses, by cache key or by the endpoint that reads them. */
  readonly outdate: (
    test: (key: string) => boolean,
    how: 'invalidate' | 'expire',
    isKin?: (endpoint: object) => boolean,
  ) => void;
  /** Records a deletion for waiting lists, and for lists of later pages. */
  readonly noteRemoval: (entry: LogEntry) => void;
  /** Returns the hydrated value of a root, or undefined if the page contained no data for it. */
  readonly readServed: (root: Root) => Served | undefined;
  /** Evicts state past its lifetime. `has` returns true for cells in use. */
  readonly sweep: (has: (cell: Cell) => boolean, isKept: (lifetime: Lifetime) => boolean) => Steps;
}

/** The value of a root in a hydrated page. */
export interface Served {
  /**
   * True if the value is the current one. Otherwise `value` was created for hydration and its
   * changes notify no reader.
   */
  readonly isCurrent: boolean;
  readonly value: unknown;
}
