import type { EntityMeta } from '../../schema/Schema.js';
import type { CollectionShape, EntityShape } from '../../schema/shapes.js';
import type { LogEntry, Moves, Transaction } from '../journal/Transaction.js';
import type { Node, Root } from '../views/Node.js';
import type { Reading } from '../views/Reading.js';
import type { Cell, Stored } from './Cell.js';
import type { Observer } from './Observer.js';
import type { Rendering } from './rendering.js';
import type { Result } from './Result.js';
import type { Steps } from '../gc/mark.js';
import type { Lifetime } from './results.js';

/**
 * The data of one controller. Cells hold rows and lists, by table and primary key. Results hold the
 * responses of endpoints. Nodes hold the objects that readers receive.
 *
 * ```
 *  result ──▶ root node ──▶ list node ──▶ row node ──▶ row node   objects for readers
 *                              │             │            │
 *                            cell          cell         cell      base + patches by rank
 * ```
 */
export interface Store {
  /**
   * The last tick. Each start and each settle of a request takes the next one, so ranks are a total
   * order. It is not a clock.
   */
  tick: number;
  /** Rows by entity key. */
  readonly rows: Map<string, RowTable>;
  /** Lists by the key of their table. */
  readonly lists: Map<string, ListTable>;
  /** List operations that a request in flight could still precede, in order of arrival. */
  readonly log: Set<LogEntry>;
  /** Results by endpoint key. */
  readonly results: Map<string, Result>;
  /** Reads in flight that can write rows, in order of start: the first is the oldest. */
  readonly reads: Set<Transaction>;
  /** Mutations in flight, in order of start. */
  readonly mutations: Set<Transaction>;
  /** Requests without a response for two minutes. They delay nothing. */
  readonly stalled: Set<Transaction>;
  /** Settled transactions with patches, until nothing is in flight. */
  readonly unfolded: Set<Transaction>;
  /** Cells with readers that the running commit changed, each with its value before the commit. */
  readonly touched: Map<Cell, Stored>;
  /** The functions that maintain selections; undefined until the first selection. */
  selections: SelectionWork | undefined;
  /** Tables whose selections are out of date. */
  readonly changedTables: Set<RowTable>;
  /** Root nodes whose listeners are notified at the end of the running commit. */
  readonly notify: Set<Root>;
  /**
   * Requests whose optimistic functions read the store and can run again, in order of start.
   * Stalled requests are left out.
   */
  readonly layers: Set<Transaction>;
  /** The requests whose optimistic functions read a cell, by cell. */
  readonly watchers: Map<Cell, Set<Transaction>>;
  /** True if a request settled since `foldWhenQuiet` last ran. */
  hasSettled: boolean;
  /** Cells that gained or lost a patch since the optimistic functions last ran. */
  readonly moved: Map<Cell, Moves>;
  /**
   * Cells with out-of-order mutations, each with the settle of the last mutation. Cleared at the
   * end of the commit.
   */
  readonly outOfOrder: Map<Cell, number>;
  /**
   * The same cells until nothing is in flight. A response to an older request is stale when it
   * arrives.
   */
  readonly outOfOrderUntilQuiet: Map<Cell, number>;
  /** The real keys of created rows, in the form that the server sent, by temporary key. */
  readonly named: Map<string, unknown>;
  /** The starts of creates whose response (204) did not contain the row, by temporary key. */
  readonly unnamed: Map<string, number>;
  /**
   * Distinguishes the temporary keys of this store from keys of the server. 0 until the first
   * temporary key; see `seedOf`.
   */
  seed: number;
  /** Hydrated state, if there is any. Only `state/` sets it. */
  hydrated: Hydrated | undefined;
  /** Notified of each change. Undefined while the program observes no changes. */
  observer: Observer | undefined;
  /** The number of open commits and batches. Listeners are notified when the last one ends. */
  depth: number;
  /** Builds stale nodes. Created at first use. */
  reading: Reading | undefined;
  /** The number of the last rebuild of nodes. */
  rebuild: number;
  /**
   * The number of the last use. Each read and write takes the next one, so that garbage collection
   * knows the order.
   */
  uses: number;
  /**
   * Cells and roots that were used during a sweep. The sweep must keep the cells reachable from
   * them.
   */
  usedInSweep: Set<Cell | Root> | undefined;
  /**
   * Results that expired because of out-of-order mutations. Responses to requests already in flight
   * do not make them fresh.
   */
  readonly outdated: Set<Result>;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number;
  /**
   * Nodes that were not built because a callback of their class threw. They are already stale, but
   * their readers are still notified of the next change.
   */
  readonly broken: WeakSet<Node>;
  /** The state of server rendering; undefined elsewhere. */
  rendering: Rendering | undefined;
  /**
   * Sends the requests in flight for expired results again, because their responses would not
   * count.
   */
  readonly renew: (results: readonly Result[]) => void;
  /** Reports an error of a user callback if there is no caller whose promise could reject. */
  readonly report: (error: unknown) => void;
}

/** All rows of one entity table. */
export interface RowTable {
  readonly kind: 'rows';
  readonly key: string;
  /**
   * The cells by primary key. A key other than the cell's own `pk` is an alias: the temporary key
   * of a created row.
   */
  readonly cells: Map<string, Cell>;
  /** The classes that wrote or read its rows. Their relations define the references of a row. */
  shapes: readonly EntityShape[];
  /**
   * The newest request in the base of each row, if one of these classes orders records by time; see
   * `metaOf`.
   */
  metas: WeakMap<Cell, EntityMeta | undefined> | undefined;
  /** Rows that changed since the indexes were updated; undefined if there are none. */
  changed: Set<Cell> | undefined;
  /** True if a created row received its real primary key since the indexes were updated. */
  isRenamed: boolean;
  /**
   * The indexes by field, created at the first query by that field. `undefined` denotes all rows.
   */
  readonly indexes: Map<string | undefined, Index>;
}

/** The rows by their value in one field, or all rows. */
export interface Index {
  readonly field: string | undefined;
  readonly texts: Map<Cell, string>;
  /** The rows by value, in the order in which they received the value. */
  readonly rows: Map<string, Set<Cell>>;
  /** A cell with the primary keys, for each value that has readers. */
  readonly selections: Map<string, Cell>;
  /** True if an empty table is known to be empty, rather than unknown. */
  isKnown: boolean;
}

/** The functions that maintain selections when rows change or are removed. */
export interface SelectionWork {
  /** Brings every selection up to date with the rows that changed. */
  readonly update: (store: Store) => void;
  /** Removes the selections that no reader keeps. */
  readonly drop: (store: Store, isKept: (cell: Cell) => boolean) => void;
  /**
   * Returns the members that a selection would have if its rows had the values that `show` returns.
   */
  readonly membersBy: (cell: Cell, show: (row: Cell) => Stored) => Stored;
}

/** The shape through which the rows of a class are read together, by `All` and by indexes. */
export interface SelectionShape {
  readonly kind: 'selection';
  readonly member: EntityShape;
}

/** The table of a selection: all rows of a table, or the rows with one value in a field. */
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
  /** The first collection with these members. */
  readonly list: CollectionShape;
  readonly cells: Map<string, Cell>;
}

/**
 * The members of the hydrated state that the store uses. Programs that hydrate nothing do not
 * download the code in `state/`.
 */
export interface Hydrated {
  /** Lists whose own schema is unknown. They use the first schema with the same members. */
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
  /**
   * Returns the hydration snapshot of a root; undefined if the page had no data for it, or if it is
   * the current value and that value `isFresh`.
   */
  readonly readSnapshot: (root: Root, isFresh: boolean) => HydrationSnapshot | undefined;
  /** Evicts expired state. `has` returns true for cells in use. */
  readonly sweep: (has: (cell: Cell) => boolean, isKept: (lifetime: Lifetime) => boolean) => Steps;
}

/** The hydration snapshot of a root. */
export interface HydrationSnapshot {
  readonly value: unknown;
}
