import type { EntityMeta } from '../../schema/Schema.js';
import type { CollectionShape, EntityShape } from '../../schema/shapes.js';
import type { LogEntry, Moves, Transaction } from '../journal/Transaction.js';
import type { Node, Root } from '../views/Node.js';
import type { Missing } from '../views/missingFields.js';
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
 * cell by one request.
 *
 * ```
 *  result ──▶ root node ──▶ list node ──▶ row node ──▶ row node   objects for readers
 *                              │             │            │
 *                            cell          cell         cell      base + patches by rank
 * ```
 */
export interface Store {
  /** Each start and each settle (response or failure) of a request takes the next tick. */
  tick: number;
  readonly rows: Map<string, RowTable>;
  readonly lists: Map<string, ListTable>;
  /** List operations, the oldest first, for lists that become known later. */
  readonly log: Set<LogEntry>;
  readonly results: Map<string, readonly Result[]>;
  /** The requests in flight, the oldest first. */
  readonly inFlight: Set<Transaction>;
  /** Requests without a response for two minutes. */
  readonly stalled: Set<Transaction>;
  /** Settled requests whose patches are not yet folded into the base values. */
  readonly unfolded: Set<Transaction>;
  /** Cells with readers, each with its value before the running commit changed it. */
  readonly touched: Map<Cell, Stored>;
  selections?: SelectionWork;
  readonly changedTables: Set<RowTable>;
  readonly notify: Set<Root>;
  /** Mutations whose optimistic functions can run again. */
  readonly layers: Set<Transaction>;
  readonly watchers: Map<Cell, Set<Transaction>>;
  /** True if a request settled since patches were last folded. */
  hasSettled: boolean;
  /** Cells that an optimistic function read, and that may have changed since its last run. */
  readonly moved: Map<Cell, Moves>;
  /** Cells that out-of-order mutations changed, with the tick at which the last one settled. */
  readonly outOfOrder: Map<Cell, number>;
  /**
   * Like `outOfOrder`, until no request is in flight. Responses to earlier requests are stale. A
   * table stands for all its rows, also those that a response in flight contains.
   */
  readonly outOfOrderUntilQuiet: Map<Cell | RowTable, number>;
  /** Optimization: the tick of the last early expiry of a row or list. Before, none is visited. */
  expiredIn?: number;
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
  /** The last `usedIn`: each use takes the next number. The sweep evicts low numbers first. */
  uses: number;
  /** Cells and roots that were used since the running sweep began. */
  usedInSweep?: Set<Cell | Root> | undefined;
  readonly now: () => number;
  readonly random: () => number;
  /** Nodes that a class failed to build. The next change notifies their readers again. */
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
  shapes: readonly EntityShape[];
  /** The times of each row's newest request. Undefined unless a class orders records by time. */
  metas?: WeakMap<Cell, EntityMeta | undefined>;
  /** Rows that changed since the indexes were updated; undefined until the table has an index. */
  changed?: Set<Cell> | undefined;
  /** True if a created row received its real primary key since the indexes were updated. */
  isRenamed: boolean;
  /** True if a query of a union found rows of several classes, one of them in this table. */
  hasRivals?: boolean;
  /** The indexes by field; the key `undefined` is for all rows. */
  readonly indexes: Map<string | undefined, Index>;
}

export interface Index {
  readonly field: string | undefined;
  readonly texts: Map<Cell, string>;
  /** The rows of each value, in the order in which the rows received the value. */
  readonly rows: Map<string, Set<Cell>>;
  /** By value, the selections with readers. */
  readonly selections: Map<string, Cell>;
  /** Without rows, a selection is `[]` if this is true, and undefined if this is false. */
  isKnown: boolean;
}

export interface SelectionWork {
  readonly update: (store: Store) => void;
  readonly drop: (store: Store, isKept: (cell: Cell) => boolean) => void;
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
  /** Hydrated lists that use the first schema of their table, because their own is unknown. */
  readonly presumed: Set<Cell>;
  /** Adds the hydrated data of a new table, or of a table with a new class. */
  readonly fillTable: (table: RowTable | ListTable) => void;
  readonly takeResult: (result: Result) => void;
  /** Returns the missing values of a result without a response, which state could not carry. */
  readonly findLost: (result: Result) => Missing | undefined;
  /** Invalidates or expires hydrated results that no endpoint has used yet. */
  readonly outdate: (
    test: (key: string) => boolean,
    how: 'invalidate' | 'expire',
    isKin?: (endpoint: object) => boolean,
  ) => void;
  /** True after the program created, moved or deleted records of lists. */
  isEdited: boolean;
  readonly noteEdit: () => void;
  /** Deletes a row from hydrated lists that are not used yet, or that arrive later. */
  readonly noteRemoval: (row: Cell) => void;
  /** The snapshot from which the page was rendered, unless `live` is fresh and has equal data. */
  readonly readSnapshot: (
    root: Root,
    live: { readonly status: string; readonly stale?: boolean },
  ) => HydrationSnapshot | undefined;
  /** Infinity while the HTML page loads, see `Cell.usedIn`. */
  usedIn: number;
  /** The lifetime of the data that expires last. */
  readonly lifetime: Lifetime;
  /** The cells that hydrated data without a reader may refer to: only a schema would tell. */
  readonly needed: () => Iterable<Cell>;
  /** Evicts all hydrated data that no reader has read, if the sweep evicts needed cells. */
  readonly drop: (has: (one: Pick<Cell, 'usedIn'>) => boolean) => void;
  readonly prune: (has: (one: Pick<Cell, 'usedIn'>) => boolean) => Steps;
}

export interface HydrationSnapshot {
  readonly status: 'ready';
  readonly data: unknown;
  readonly stale: false;
}
