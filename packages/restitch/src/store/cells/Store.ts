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
   * A counter, not a clock. Each start and each settle (response or failure) of a request takes the
   * next tick. The ticks order all changes.
   */
  tick: number;
  /** Rows by entity key. */
  readonly rows: Map<string, RowTable>;
  /** Lists by the key of their table. */
  readonly lists: Map<string, ListTable>;
  /**
   * List operations, the oldest first, kept for lists that become known later; see `listLog.ts`.
   */
  readonly log: Set<LogEntry>;
  /** Results by cache key. Endpoints with one key that process responses differently have one each. */
  readonly results: Map<string, readonly Result[]>;
  /** Reads in flight that can write rows or lists, the oldest first. */
  readonly reads: Set<Transaction>;
  /** Mutations in flight, the oldest first. */
  readonly mutations: Set<Transaction>;
  /** Requests without a response for two minutes; see `stalled.ts`. */
  readonly stalled: Set<Transaction>;
  /** Settled requests with patches that are not folded yet; see `foldWhenQuiet`. */
  readonly unfolded: Set<Transaction>;
  /** Cells with readers, each with its value before the running commit changed it. */
  readonly touched: Map<Cell, Stored>;
  /** Maintains selections; undefined until the first one. See `SelectionTable`. */
  selections: SelectionWork | undefined;
  /** Tables whose selections are out of date. */
  readonly changedTables: Set<RowTable>;
  /** Root nodes whose listeners are notified at the end of the running commit. */
  readonly notify: Set<Root>;
  /** Mutations whose optimistic functions read the store and can run again; see `rerunLayers.ts`. */
  readonly layers: Set<Transaction>;
  /** By cell, the mutations whose optimistic functions read it. */
  readonly watchers: Map<Cell, Set<Transaction>>;
  /** True if a request settled since `foldWhenQuiet` last ran. */
  hasSettled: boolean;
  /** Cells that gained or lost a patch since the optimistic functions last ran. */
  readonly moved: Map<Cell, Moves>;
  /**
   * Rows and lists whose overlapping mutations the server may have run in another order. The value
   * is the settle of the last mutation. Cleared at the end of the commit. See `noteOutOfOrder`.
   */
  readonly outOfOrder: Map<Cell, number>;
  /**
   * The same cells, kept until no request is in flight. A response with one of these cells is stale
   * on arrival if its request started before the settle.
   */
  readonly outOfOrderUntilQuiet: Map<Cell, number>;
  /** The real keys of created rows, in the form that the server sent, by temporary key. */
  readonly named: Map<string, unknown>;
  /** The starts of creates whose response (204) did not contain the row, by temporary key. */
  readonly unnamed: Map<string, number>;
  /**
   * A random number in the temporary keys of this store. It distinguishes temporary keys from keys
   * of the server. 0 until the first temporary key.
   */
  seed: number;
  /** Hydrated state, if there is any. Only `state/` sets it. */
  hydrated: Hydrated | undefined;
  /** Notified of each change; undefined if the program observes no changes. */
  observer: Observer | undefined;
  /** The number of open commits and batches. Listeners are notified when the last one ends. */
  depth: number;
  /** Builds stale nodes. Created at first use. */
  reading: Reading | undefined;
  /** The number of the last rebuild of nodes. */
  rebuild: number;
  /**
   * A counter: each read and write takes the next number. Garbage collection evicts the data with
   * the lowest numbers first.
   */
  uses: number;
  /**
   * During a sweep, the cells and roots that were used since it began. The sweep keeps all cells
   * that are reachable from them.
   */
  usedInSweep: Set<Cell | Root> | undefined;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number;
  /**
   * Nodes whose last build failed because a class threw. Marking stops at stale nodes,
   * but not at these, so the next change notifies their readers again.
   */
  readonly broken: WeakSet<Node>;
  /** The state of server rendering; undefined elsewhere. */
  rendering: Rendering | undefined;
  /** Sends the requests in flight for results again, because their responses would be stale. */
  readonly renew: (results: readonly Result[]) => void;
  /** Reports an error of a user callback if there is no promise that could reject with it. */
  readonly report: (error: unknown) => void;
}

/** All rows of one entity table. */
export interface RowTable {
  readonly kind: 'rows';
  readonly key: string;
  /** The cells by primary key. A created row has a second key, an alias: its temporary key. */
  readonly cells: Map<string, Cell>;
  /** The classes that read or write this table. Together, they define the relations of a row. */
  shapes: readonly EntityShape[];
  /**
   * The times of the newest record in each base. Undefined unless a class orders records by time.
   */
  metas: WeakMap<Cell, EntityMeta | undefined> | undefined;
  /** Rows that changed since the indexes were updated; undefined until the table has an index. */
  changed: Set<Cell> | undefined;
  /** True if a created row received its real primary key since the indexes were updated. */
  isRenamed: boolean;
  /** The indexes by field. The key `undefined` is for the index of all rows. */
  readonly indexes: Map<string | undefined, Index>;
}

/** The rows of a table, grouped by the value of `field`. Without a field, there is one group. */
export interface Index {
  readonly field: string | undefined;
  readonly texts: Map<Cell, string>;
  /** The rows by value, in the order in which they received the value. */
  readonly rows: Map<string, Set<Cell>>;
  /** By value, the cell of each selection with readers. Its members are primary keys. */
  readonly selections: Map<string, Cell>;
  /**
   * True if a selection without rows is an empty list, false if such a selection is undefined.
   * False only for an index of all rows, until a row of the table is deleted.
   */
  isKnown: boolean;
}

/** The functions that maintain selections when rows change or are removed. */
export interface SelectionWork {
  /** Applies the changed rows to all selections. */
  readonly update: (store: Store) => void;
  readonly drop: (store: Store, isKept: (cell: Cell) => boolean) => void;
  /** Computes the members of a selection from the row values that `show` returns. */
  readonly membersBy: (cell: Cell, show: (row: Cell) => Stored) => Stored;
}

/** The shape of a selection: rows of one class that `All` or an index reads together. */
export interface SelectionShape {
  readonly kind: 'selection';
  readonly member: EntityShape;
}

/** Identifies a selection: all rows of a table, or the rows with one value in a field. */
export interface SelectionTable {
  readonly kind: 'selection';
  readonly rows: RowTable;
  readonly shape: EntityShape;
  readonly field: string | undefined;
  readonly text: string;
}

/** All lists with one table key; see `CollectionShape.key`. */
export interface ListTable {
  readonly kind: 'lists';
  readonly key: string;
  /** The first collection with this key. */
  readonly list: CollectionShape;
  readonly cells: Map<string, Cell>;
}

/**
 * The hydrated state. Optimization: the store knows only this interface, so programs that hydrate
 * nothing do not download `state/`.
 */
export interface Hydrated {
  /**
   * Hydrated lists whose own schema is unknown. They have the first schema of their table until
   * `listCell` is called with their own schema.
   */
  readonly presumed: Set<Cell>;
  /** Fills a new table, or one with a new class, with its hydrated rows or lists. */
  readonly fillTable: (table: RowTable | ListTable) => void;
  /** Fills a new result with its hydrated value. */
  readonly takeResult: (result: Result) => void;
  /** Invalidates or expires hydrated results that no endpoint has used yet. */
  readonly outdate: (
    test: (key: string) => boolean,
    how: 'invalidate' | 'expire',
    isKin?: (endpoint: object) => boolean,
  ) => void;
  /**
   * Records a deletion for hydrated lists that no schema has used yet, and for lists that arrive
   * later in a streamed page.
   */
  readonly noteRemoval: (entry: LogEntry) => void;
  /**
   * Returns the value from which the page was rendered. Undefined if the page had no data for the
   * root, or if the current value is fresh and the same.
   */
  readonly readSnapshot: (root: Root, isFresh: boolean) => HydrationSnapshot | undefined;
  /** Evicts expired state. `has` returns true for cells in use. */
  readonly sweep: (has: (cell: Cell) => boolean, isKept: (lifetime: Lifetime) => boolean) => Steps;
}

export interface HydrationSnapshot {
  readonly value: unknown;
}
