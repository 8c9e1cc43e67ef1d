import type { EntityMeta } from '../../schema/Schema.js';
import type { CollectionShape, EntityShape } from '../../schema/shapes.js';
import type { LogEntry, Moves, Transaction } from '../journal/Transaction.js';
import type { Node, Root } from '../views/Node.js';
import type { Finder } from '../views/references.js';
import type { Cell, Stored } from './Cell.js';
import type { Hydrated } from './hydrated.js';
import type { Rendering } from './rendering.js';
import type { Result } from './Result.js';

/**
 * The data of one controller. Cells hold rows and lists, by table and primary key. Results hold the responses of endpoints. Nodes hold
 * the objects that readers get.
 *
 * ```
 *  result ──▶ root node ──▶ list node ──▶ row node ──▶ row node      objects for readers, built when read
 *                              │             │            │
 *                            cell          cell         cell         stored values: base + patches by rank
 * ```
 */
export interface Store {
  /** The last tick. Each start and each settle of a request takes the next one, so ranks are total. It is no clock. */
  tick: number;
  /** Rows by entity key. */
  readonly rows: Map<string, RowTable>;
  /** Lists by the key of their table. */
  readonly lists: Map<string, ListTable>;
  /** Adds and removes that a request in flight could still precede, in order of arrival. */
  readonly log: Set<LogEntry>;
  /** Results by endpoint key. */
  readonly results: Map<string, Result>;
  /** Reads in flight that can write rows, in order of start: the first is the oldest. */
  readonly reads: Set<Transaction>;
  /** Mutations in flight, in order of start. */
  readonly mutations: Set<Transaction>;
  /** Requests without a response for two minutes: they hold nothing back. */
  readonly stalled: Set<Transaction>;
  /** Settled transactions with patches, until nothing is in flight. */
  readonly unfolded: Set<Transaction>;
  /** Cells with readers that the running commit changed, each with its value before. */
  readonly touched: Map<Cell, Stored>;
  /** Tables whose selections are out of date. */
  readonly changedTables: Set<RowTable>;
  /** Root nodes whose listeners are notified at the end of the running commit. */
  readonly notify: Set<Root>;
  /** Requests whose optimistic functions read the store and may run again, in order of start. Stalled ones are left out. */
  readonly layers: Set<Transaction>;
  /** By cell, the requests whose optimistic functions read it. */
  readonly watchers: Map<Cell, Set<Transaction>>;
  /** A request settled since `foldWhenQuiet` last ran. */
  hasSettled: boolean;
  /** Cells that got or lost a patch since the optimistic functions last ran. */
  readonly moved: Map<Cell, Moves>;
  /** Cells with out-of-order mutations, each with the settle of the last of them. Emptied at the end of the commit. */
  readonly outOfOrder: Map<Cell, number>;
  /** The same cells until nothing is in flight: a response to an older request is stale when it arrives. */
  readonly outOfOrderUntilQuiet: Map<Cell, number>;
  /** By temporary key, the real key of a created row, as the server spells it. */
  readonly named: Map<string, unknown>;
  /** By temporary key, the start of a create whose response (204) did not contain the row. */
  readonly unnamed: Map<string, number>;
  /** Distinguishes the temporary keys of this store from keys of the server. 0 until the first of them; see `seedOf`. */
  seed: number;
  /** State from another store, if there is any. Only `state/` sets it. */
  hydrated: Hydrated | undefined;
  /** The number of open commits and batches. Listeners are notified when the last one ends. */
  depth: number;
  /** Collects the nodes that stored values refer to; made by the first walk. */
  finder: Finder | undefined;
  /** The number of the last rebuild of nodes. */
  rebuild: number;
  /** Each read and each write takes the next number, so that garbage collection knows what was used last. */
  uses: number;
  /** Cells and roots that were used during a sweep: the sweep must not miss what they refer to. */
  usedInSweep: Set<Cell | Root> | undefined;
  /** Results that expired because of out-of-order mutations: requests in flight for them do not count. */
  readonly outdated: Set<Result>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Nodes whose class threw. They are stale already, but their readers have to be notified of the next change. */
  readonly broken: WeakSet<Node>;
  /** The state of server rendering; undefined elsewhere. */
  rendering: Rendering | undefined;
  /** Sends requests in flight again, for the readers that wait for them. */
  readonly renew: (results: readonly Result[]) => void;
  /** Reports an error of a user's callback if no caller can be rejected. */
  readonly report: (error: unknown) => void;
}

/** All rows of one entity table. */
export interface RowTable {
  readonly kind: 'rows';
  readonly key: string;
  /** By primary key. A key that differs from its cell's own `pk` is an alias: the temporary key of a row created here. */
  readonly cells: Map<string, Cell>;
  /** The classes that wrote or read its rows. Their relations are what a row refers to. */
  shapes: readonly EntityShape[];
  /** By row, the newest request in its base, if one of these classes orders records by time; see `metaOf`. */
  metas: WeakMap<Cell, EntityMeta | undefined> | undefined;
  /** Rows that changed since the indexes were updated; undefined while there are none. */
  changed: Set<Cell> | undefined;
  /** A created row got its real primary key since then. */
  isRenamed: boolean;
  /** By field, made at the first query by that field. `undefined` stands for all rows. */
  readonly indexes: Map<string | undefined, Index>;
}

/** The rows by their value in one field, or without a field all rows. */
export interface Index {
  readonly field: string | undefined;
  readonly texts: Map<Cell, string>;
  /** By value, in the order in which the rows got it. */
  readonly rows: Map<string, Set<Cell>>;
  /** By value that readers show, a cell with the primary keys. */
  readonly selections: Map<string, Cell>;
  /** Whether an empty table is known to be empty, rather than unknown. */
  isKnown: boolean;
}

/** The table of a selection: the rows of a table, or those whose field has a value. */
export interface SelectionTable {
  readonly kind: 'selection';
  readonly rows: RowTable;
  readonly shape: EntityShape;
  readonly field: string | undefined;
  readonly text: string;
}

/** All lists whose members are of one kind. */
export interface ListTable {
  readonly kind: 'lists';
  readonly key: string;
  /** The first collection with these members. */
  readonly list: CollectionShape;
  readonly cells: Map<string, Cell>;
}
