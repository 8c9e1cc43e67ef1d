import type { EntityMeta } from '../../schema/Schema.js';
import type { CollectionShape, EntityShape } from '../../schema/shapes.js';
import type { LogEntry, Moves, Transaction } from '../journal/Transaction.js';
import type { Node, Root } from '../views/Node.js';
import type { Reading } from '../views/Reading.js';
import type { Cell, Stored } from './Cell.js';
import type { Observer } from './Observer.js';
import type { Rendering } from './rendering.js';
import type { Result } from './Result.js';
import type { Steps } from '../gc/markReachable.js';
import type { Lifetime } from './results.js';

/**
 * The data of one controller. Cells hold rows and lists, by table and primary key. Results hold the
 * responses of endpoints. Nodes hold the objects that readers receive. A patch is the change of one
 * cell by one request; see `Stack`.
 *
 * ```
 *  result ──▶ root node ──▶ list node ──▶ row node ──▶ row node   objects for readers
 *                              │             │            │
 *                            cell          cell         cell      base + patches by rank
 * ```
 */
export interface Store {
  /**
   * A counter that orders all changes. Each start and each settle (response or failure) of a
   * request takes the next tick.
   */
  tick: number;
  readonly rows: Map<string, RowTable>;
  readonly lists: Map<string, ListTable>;
  /** List operations, the oldest first; see `listLog.ts`. */
  readonly log: Set<LogEntry>;
  /** Results by cache key: several if endpoints process the response in different ways. */
  readonly results: Map<string, readonly Result[]>;
  /** The requests in flight, the oldest first. */
  readonly inFlight: Set<Transaction>;
  /** Requests without a response for two minutes; see `stalled.ts`. */
  readonly stalled: Set<Transaction>;
  /** Settled requests with patches that are not folded yet; see `foldWhenQuiet`. */
  readonly unfolded: Set<Transaction>;
  /** Cells with readers, each with its value before the running commit changed it. */
  readonly touched: Map<Cell, Stored>;
  /** Undefined until the first selection. */
  selections?: SelectionWork;
  readonly changedTables: Set<RowTable>;
  /** Roots whose listeners are notified at the end of the commit. */
  readonly notify: Set<Root>;
  /** See `rerunLayers.ts`. */
  readonly layers: Set<Transaction>;
  readonly watchers: Map<Cell, Set<Transaction>>;
  /** True if a request settled since `foldWhenQuiet` last ran. */
  hasSettled: boolean;
  /** Cells that a layer has read, and that may have changed since the layers last ran. */
  readonly moved: Map<Cell, Moves>;
  /**
   * The cells that readers must fetch again, because the effect of a mutation on them is uncertain.
   * For example, the server may have run two mutations in another order; see `noteOutOfOrder`. The
   * value is the tick at which the last of these mutations settled.
   */
  readonly outOfOrder: Map<Cell, number>;
  /**
   * Like `outOfOrder`, but kept until no request is in flight. A response with one of these cells
   * is stale if its request started before the tick of that cell.
   */
  readonly outOfOrderUntilQuiet: Map<Cell, number>;
  /** By temporary key, the real keys as the server sent them. */
  readonly named: Map<string, unknown>;
  /** By temporary key, the starts of creates whose response (204) has no key. */
  readonly unnamed: Map<string, number>;
  /** A random part of temporary keys; 0 until the first temporary key. */
  seed: number;
  hydrated?: Hydrated | undefined;
  observer?: Observer | undefined;
  /** The number of open commits and batches. */
  depth: number;
  reading?: Reading;
  rebuild: number;
  /** Each read and write takes the next number. The sweep evicts the lowest numbers first. */
  uses: number;
  /**
   * The cells and roots that were used since the running sweep began. The sweep keeps all data that
   * they refer to.
   */
  usedInSweep?: Set<Cell | Root> | undefined;
  readonly now: () => number;
  readonly random: () => number;
  /**
   * Nodes whose last build failed, because a class threw. The next change notifies their readers
   * again.
   */
  readonly broken: WeakSet<Node>;
  rendering?: Rendering | undefined;
  /** Sends requests in flight again, because their responses would be stale. */
  readonly renew: (results: readonly Result[]) => void;
  /** Reports an error if no promise can reject with it. */
  readonly report: (error: unknown) => void;
}

export interface RowTable {
  readonly kind: 'rows';
  readonly key: string;
  /** The cells by primary key. A created row is also found by its temporary key. */
  readonly cells: Map<string, Cell>;
  /** The classes that read or write this table. */
  shapes: readonly EntityShape[];
  /**
   * By row, the times of the newest request whose record was merged into the base of the row.
   * Undefined unless a class orders records by time.
   */
  metas?: WeakMap<Cell, EntityMeta | undefined>;
  /** Rows that changed since the indexes were updated; undefined until the table has an index. */
  changed?: Set<Cell> | undefined;
  /** True if a created row received its real primary key since the indexes were updated. */
  isRenamed: boolean;
  /** The indexes by field; the key `undefined` is for all rows. */
  readonly indexes: Map<string | undefined, Index>;
}

/** The rows by the value of `field`. Without a field, there is one group. */
export interface Index {
  readonly field: string | undefined;
  readonly texts: Map<Cell, string>;
  /** The rows of each value, in the order in which they received it. */
  readonly rows: Map<string, Set<Cell>>;
  /** By value, the selections with readers. */
  readonly selections: Map<string, Cell>;
  /**
   * A selection without rows is empty if this is true, and undefined if this is false. Always true
   * for an index by a field. Becomes true for an index of all rows when a row is deleted.
   */
  isKnown: boolean;
}

export interface SelectionWork {
  readonly update: (store: Store) => void;
  readonly drop: (store: Store, isKept: (cell: Cell) => boolean) => void;
  /** Computes the members from the row values that `show` returns. */
  readonly membersBy: (cell: Cell, show: (row: Cell) => Stored) => Stored;
}

export interface SelectionShape {
  readonly kind: 'selection';
  readonly member: EntityShape;
}

export interface SelectionTable {
  readonly kind: 'selection';
  readonly rows: RowTable;
  readonly shape: EntityShape;
  readonly field: string | undefined;
  readonly text: string;
}

export interface ListTable {
  readonly kind: 'lists';
  readonly key: string;
  readonly list: CollectionShape;
  readonly cells: Map<string, Cell>;
}

/** Optimization: programs that hydrate nothing do not download `state/`. */
export interface Hydrated {
  /**
   * Hydrated lists whose own schema is not known. They use the first schema of their table until
   * `listCell` receives their own.
   */
  readonly presumed: Set<Cell>;
  /** Adds the hydrated data of a new table, or of a table with a new class. */
  readonly fillTable: (table: RowTable | ListTable) => void;
  readonly takeResult: (result: Result) => void;
  /** Invalidates or expires hydrated results that no endpoint has used yet. */
  readonly outdate: (
    test: (key: string) => boolean,
    how: 'invalidate' | 'expire',
    isKin?: (endpoint: object) => boolean,
  ) => void;
  /**
   * Deletes a row from two kinds of hydrated lists: lists that are not used yet, and lists that
   * arrive later.
   */
  readonly noteRemoval: (entry: LogEntry) => void;
  /**
   * Returns the snapshot from which the page was rendered. Undefined if there is none, or if the
   * current snapshot `live` is fresh and has the same data.
   */
  readonly readSnapshot: (
    root: Root,
    live: { readonly status: string; readonly stale?: boolean },
  ) => HydrationSnapshot | undefined;
  /** `has` returns true for cells in use. */
  readonly sweep: (has: (cell: Cell) => boolean, isKept: (lifetime: Lifetime) => boolean) => Steps;
}

export interface HydrationSnapshot {
  readonly status: 'ready';
  readonly data: unknown;
  readonly stale: false;
}
