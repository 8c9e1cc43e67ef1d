import type { Steps } from '../gc/mark.js';
import type { Lifetime } from './results.js';
import type { Cell } from './Cell.js';
import type { ListTable, RowTable } from './Store.js';
import type { LogEntry } from '../journal/Transaction.js';
import type { Result } from './Result.js';
import type { Root } from '../views/Node.js';

/**
 * What a store asks of the state that it was given: the side of `state/` that the store knows. Programs that are given no state
 * do not download the other side.
 */
export interface Hydrated {
  /** Lists whose own schema is not known yet: until then they follow the first one that was seen with their members. */
  readonly presumed: Set<Cell>;
  /** Fills a table that is being made with the rows or lists that wait for it. */
  readonly fillTable: (table: RowTable | ListTable) => void;
  /** Gives a new register the answer that waits for it. */
  readonly takeAnswer: (result: Result) => void;
  /** Takes waiting answers away, or ends their lifetime: by key, or by the endpoint that asks for one. */
  readonly outdate: (
    test: (key: string) => boolean,
    how: 'invalidate' | 'expire',
    isKin?: (endpoint: object) => boolean,
  ) => void;
  /** Notes a deletion for the lists that wait, or that a page may yet bring. */
  readonly noteRemoval: (entry: LogEntry) => void;
  /** What the page that came with state shows for a root; undefined where it brought no answer to its question. */
  readonly readServed: (root: Root) => Served | undefined;
  /** Forgets what is past its lifetime; `has` says which cells are still used. */
  readonly sweep: (has: (cell: Cell) => boolean, isKept: (lifetime: Lifetime) => boolean) => Steps;
}

/** What a page that came with state shows for a root. */
export interface Served {
  /** Whether that is what is shown now; otherwise `value` was made for the purpose and its changes notify nobody. */
  readonly isCurrent: boolean;
  readonly value: unknown;
}
