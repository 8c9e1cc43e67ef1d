import type { Steps } from '../gc/mark.js';
import type { Lifetime } from './results.js';
import type { Cell } from './Cell.js';
import type { ListTable, RowTable } from './Store.js';
import type { LogEntry } from '../journal/Transaction.js';
import type { Result } from './Result.js';
import type { Root } from '../views/Node.js';

/**
 * The hydrated state, as the store uses it. Programs that hydrate nothing do not download the code
 * in `state/`.
 */
export interface Hydrated {
  /** Lists whose own schema is unknown. They follow the first schema with the same members. */
  readonly presumed: Set<Cell>;
  /** Fills a new table with the rows or lists that wait for it. */
  readonly fillTable: (table: RowTable | ListTable) => void;
  /** Moves a waiting result into a new result of the store. */
  readonly takeResult: (result: Result) => void;
  /** Invalidates or expires waiting results, by cache key or by endpoint. */
  readonly outdate: (
    test: (key: string) => boolean,
    how: 'invalidate' | 'expire',
    isKin?: (endpoint: object) => boolean,
  ) => void;
  /** Records a deletion for waiting lists and for lists that the rest of the page may contain. */
  readonly noteRemoval: (entry: LogEntry) => void;
  /** Returns the hydration snapshot of a root; undefined if the page had no data for it. */
  readonly readSnapshot: (root: Root) => HydrationSnapshot | undefined;
  /** Evicts expired state. `has` returns true for cells in use. */
  readonly sweep: (has: (cell: Cell) => boolean, isKept: (lifetime: Lifetime) => boolean) => Steps;
}

/** The hydration snapshot of a root. */
export interface HydrationSnapshot {
  /** True if it is the current value. Otherwise, changes of `value` notify no reader. */
  readonly isCurrent: boolean;
  readonly value: unknown;
}
