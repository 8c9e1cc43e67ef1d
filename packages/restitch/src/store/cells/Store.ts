import type { EntityMeta } from '../../schema/Schema.js';
import type { CollectionShape, EntityShape, SelectionShape, Shape } from '../../schema/shapes.js';
import type { Hydrated } from './hydrated.js';
import type { Rendering } from './rendering.js';
import type { NodeSet } from '../views/nodeSet.js';
import type { NormalizedResponse } from '../normalize/Normalized.js';
import type { ListArgs } from '../../schema/Collection.js';
import type { Place } from '../lists/pagePlaces.js';
import type { Lifetime } from './results.js';
import type { Operation, AddMember, AssignMember, RemoveMember } from '../journal/operations.js';

/** The stored fields of a row: plain JSON, relations as primary keys. Never modified once stored. */
export type Fields = Readonly<Record<string, unknown>>;

/** The stored members of a list. Never modified once stored. */
export interface Listing {
  /** Their primary keys, each once in a list. */
  readonly members: readonly unknown[];
  /** Of a map of records: under which key each member stands, each once. */
  readonly keys: readonly string[] | undefined;
  /** How many of them, from the first, the last whole answer put there: pages and created members come after. */
  readonly head: number;
  /** How many of them, from the first, responses brought, pages included: what was added at the end comes after. */
  readonly tail: number;
  /** The last one in the response that determined the end, be it deleted since; what stands beside the list names what comes after it. */
  readonly end: unknown;
  /** Whether pages were appended to that answer. */
  readonly isPaged: boolean;
  /** Those that were added in the first page, which it did not bring. */
  readonly added: readonly unknown[] | undefined;
  /** What the pages hold, in their order (keys of a map, else members), where some of it stands before them, as nothing stands twice. */
  readonly pages: readonly unknown[] | undefined;
  /** The plain fields beside the list in the answer that determined its end, such as a cursor. */
  readonly beside: Fields | undefined;
}

/** What a cell shows: a row's fields, a list's members, null when it was deleted, undefined when nothing is known of it. */
export type Stored = Fields | Listing | null | undefined;

/**
 * Everything that one controller knows. Rows and lists live in cells, found by table and primary key; what was asked of the
 * server lives in results; what readers see hangs on nodes.
 *
 * ```
 *  result ──▶ root node ──▶ list node ──▶ row node ──▶ row node      what is shown (built when read)
 *                              │             │            │
 *                            cell          cell         cell         what is known (base + patches by rank)
 * ```
 */
export interface Store {
  /** The last tick: every start and settle of a request takes the next one, so that ranks are total (never a clock). */
  tick: number;
  /** Rows by entity key. */
  readonly rows: Map<string, RowTable>;
  /** Lists by the key of their table. */
  readonly lists: Map<string, ListTable>;
  /** Adds and removes that something in flight could still precede, in order of arrival. */
  log: LogEntry[];
  /** Results by endpoint key. */
  readonly results: Map<string, Result>;
  /** Reads in flight that can write rows, in order of start: the first is the oldest. */
  readonly reads: Set<Transaction>;
  /** Mutations in flight, in order of start. */
  readonly mutations: Set<Transaction>;
  /** Requests in flight for so long that they hold nothing back. */
  readonly stalled: Set<Transaction>;
  /** Answered transactions with patches, until nothing is in flight. */
  readonly unfolded: Set<Transaction>;
  /** Cells that somebody looks at and that the running commit changed, with what they showed before. */
  readonly touched: Map<Cell, Stored>;
  /** Tables whose selections are behind. */
  readonly changedTables: Set<RowTable>;
  /** Root nodes whose listeners are told at the end of the running commit. */
  readonly notify: Set<Root>;
  /** Requests whose guesses look at the store and may run again, in order of start; stalled ones are left out. */
  readonly layers: Set<Transaction>;
  /** Which pending layers looked at a cell. */
  readonly watchers: Map<Cell, Set<Transaction>>;
  /** Something settled since the last look at whether anything is in flight. */
  hasSettled: boolean;
  /** Cells that got or lost a patch since the layers were last brought up to date. */
  readonly moved: Map<Cell, Moves>;
  /** Rows whose mutations were answered in the other order than they were sent, with the tick of the last of these answers. */
  readonly outOfOrder: Map<Cell, number>;
  /** The same, and the lists in doubt, until nothing is in flight: a response that was asked for before is stale when it comes. */
  readonly outOfOrderUntilQuiet: Map<Cell, number>;
  /** The real keys of rows that were created here, as the server spells them, by their temporary ones. */
  readonly named: Map<string, unknown>;
  /** Rows that the server created without naming them, by their temporary keys, with the starts of their creates. */
  readonly unnamed: Map<string, number>;
  /** Tells the temporary keys of this store from whatever a server sends. */
  readonly seed: number;
  /** What another store exported and this one was given; undefined where nothing was: `state/` alone sets it. */
  hydrated: Hydrated | undefined;
  /** How many commits and batches are open; listeners are told when the last one ends. */
  depth: number;
  /** The number of the last rebuild of nodes. */
  rebuild: number;
  /** Counts uses: every look and every write takes the next number, so that what was used last can be told. */
  uses: number;
  /** While a sweep is under way, what was used meanwhile: the sweep must not miss what it leads to. */
  usedInSweep: Set<Cell | Root> | undefined;
  /** Answers that were expired because a row in them is in doubt: what is under way for them does not count. */
  readonly outdated: Set<Result>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Nodes that a class threw in: they are stale already, and yet whoever shows them has to hear of the next change. */
  readonly broken: WeakSet<Node>;
  /** What a page is made from; undefined where none is. */
  rendering: Rendering | undefined;
  /** Sends again what is under way for answers, for those who wait. */
  readonly renew: (results: readonly Result[]) => void;
  /** Says what went wrong in a user's callback where no caller can be rejected. */
  readonly report: (error: unknown) => void;
}

/** All rows of one entity key. */
export interface RowTable {
  readonly kind: 'rows';
  readonly key: string;
  /** By primary key. A key that differs from its cell's own `pk` is an alias: the temporary key of a row created here. */
  readonly cells: Map<string, Cell>;
  /** The classes that its rows were written or read as: their relations are what a row leads to. */
  shapes: readonly EntityShape[];
  /** Of the newest requests that bases come from, where one of these classes orders records by time; see `metaOf`. */
  metas: WeakMap<Cell, EntityMeta | undefined> | undefined;
  /** Rows that changed since the selections below were brought up to date; undefined while there are none. */
  changed: Set<Cell> | undefined;
  /** A row that was created here got its real primary key since. */
  isRenamed: boolean;
  /** By field, once a reader asked for a row by it; of all rows by undefined. */
  readonly indexes: Map<string | undefined, Index>;
}

/** Which rows have which value in one field; without a field all of them. */
export interface Index {
  readonly field: string | undefined;
  readonly texts: Map<Cell, string>;
  /** In the order in which they came to the value. */
  readonly rows: Map<string, Set<Cell>>;
  /** Of the values that readers show: cells with the primary keys. */
  readonly selections: Map<string, Cell>;
  /** Empty is known to be empty, rather than never heard of. */
  isKnown: boolean;
}

/** What a selection is one of: the rows of a table, or those whose field has a value. */
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
  /** The collection that was first seen with these members. */
  readonly list: CollectionShape;
  readonly cells: Map<string, Cell>;
}

/** One row or one list. */
export interface Cell {
  readonly table: RowTable | ListTable | SelectionTable;
  /** The primary key; of a list, its arguments in canonical form. */
  pk: string;
  /** What is shown: base and patches folded. The same object while nothing changed. */
  shown: Stored;
  /** What something in flight can still precede; undefined when there is none, which is the usual case: what is shown is then the base. */
  stack: Stack | undefined;
  /** The nodes that show this cell, one for each class that reads it. */
  nodes: Links;
  /** Of the last answer that held this cell, one object for all that it held. It expires at a negative time once it is in doubt. */
  lifetime: Lifetime;
  /** The last use, a sweep's included: see `Store.uses`. */
  usedIn: number;
  /** Rows, of which there are many, have no such slot. */
  list?: ListOrigin;
}

/** Where a list comes from. */
export interface ListOrigin {
  /** What identifies it. */
  readonly args: ListArgs;
  /** The schema that created it, whose filter decides what enters. */
  readonly shape: CollectionShape;
}

/** What lies apart on a cell. */
export interface Stack {
  /** The fold of everything that nothing in flight can precede any more. */
  base: Stored;
  /** The patches above it, in rank order. */
  patches: Patch[];
  /** The highest start of a mutation that was answered with this cell. */
  answered: number;
  /**
   * Of a row whose patches are plain edits (see `edits.ts`): the fields of those that came or went since it was folded. Undefined of
   * any other cell.
   */
  changed: ReadonlySet<string> | undefined;
}

/** One change of one cell by one transaction. */
export interface Patch {
  readonly transaction: Transaction;
  operation: Operation;
  /** Effective rank on this cell; set by `rerank`. */
  rank: number;
}

/** A list operation for every list that it concerns, born or not. */
export interface LogEntry {
  readonly transaction: Transaction;
  /** The row that it is about. */
  readonly row: Cell;
  /** The record, as it stands in lists; of a deletion its primary key. Changes when a created row is given its real key. */
  member: string;
  /** Whether it can concern the lists of a kind. */
  readonly concerns: (list: CollectionShape) => boolean;
  /** What it does to a list; undefined where it does not concern it. */
  readonly operationFor: (
    list: Cell,
    member: string,
  ) => AddMember | AssignMember | RemoveMember | undefined;
}

/** One request, or one local write, and where its patches lie. */
export interface Transaction {
  /** Reads and local writes rank by start; mutations by start among themselves and above what they overlapped. */
  readonly kind: 'read' | 'mutation' | 'local';
  /** The name of the endpoint, where there is one. */
  readonly source: string | undefined;
  /** The tick at which it started: was sent, if it waited for a key. */
  start: number;
  /** The tick at which it was answered; Infinity while it is in flight. */
  settle: number;
  /** Of a mutation, the fields that its call says something of. */
  asked: ReadonlySet<string>;
  /** The same for the classes' `mergeWithStore`, in the time of the clock. */
  meta: EntityMeta;
  /** Cells with patches of this transaction in their stack; undefined while there never were any, which is the usual case. */
  cells: Set<Cell> | undefined;
  /** Of a request that is stalled, or was: the cells in which something above it was confirmed since. */
  overtaken: WeakSet<Cell> | undefined;
  /** Behind what the pages of a request are asked for, by list. */
  places: Map<Cell, Place> | undefined;
  /** The log holds entries of this transaction. */
  isLogged: boolean;
  /** The temporary primary keys that it gives to rows, by position: they stay when its guess runs again. */
  keys: string[] | undefined;
  /** Rows that its guess created under temporary primary keys, in order. */
  temporary: readonly {
    readonly table: RowTable;
    readonly pk: string;
    readonly position: number;
  }[];
  /** The function that guesses its answer, until that came; without a row in it, until the guess is folded. */
  layer: Layer | undefined;
}

/** A guess as a function of what started before it. */
export interface Layer {
  readonly evaluate: (layer: Layer) => NormalizedResponse | undefined;
  /** The cells that it looked at when it last ran, each with what it saw. */
  reads: Map<Cell, Stored>;
  /** The instances that it was shown: handed back in a guess, they are references. */
  instances: Map<Cell, readonly object[]>;
  /** What it last gave. */
  answer: NormalizedResponse | undefined;
}

/** The starts of the patches that a cell got or lost. */
export interface Moves {
  readonly oldest: number;
  readonly newest: number;
  /** Their fields, where the row has plain edits alone; undefined: any. */
  readonly fields: ReadonlySet<string> | undefined;
}

/** The last answer to one question that was asked of the server: a register, the highest start wins. */
export interface Result {
  readonly key: string;
  /** The endpoint that asked first: others with its key and schema that make the same of a response share it. */
  readonly endpoint: { readonly name: string; readonly urlPrefix?: string | undefined };
  readonly schema: unknown;
  readonly shape: Shape;
  /** Normalized answer; meaningful when `status` is `'value'`. */
  value: unknown;
  /** The last failure; where there is data, that of the last refresh, shown beside it. */
  error: Error | undefined;
  /** Why the value cannot be read. */
  unreadable: Error | undefined;
  /** `'none'`: never answered, or invalidated. */
  status: 'none' | 'value' | 'error';
  /** The rank of what is registered: the start of the request that answered, or the tick of the invalidation. */
  start: number;
  /** Milliseconds since 1970. */
  fetchedAt: number;
  /** Milliseconds since 1970; 0 when expired by hand. */
  expiresAt: number;
  /** Milliseconds since 1970 from which and until which readers do not ask again after a soft error or an unreadable response. */
  failedAt: number;
  retryAt: number;
  /** The tick since which it is expired or invalidated by hand, or in doubt: what began before does not make it fresh. */
  expiredIn: number;
  /** The tick of the last expiry that is news to its readers: they were not asking already. */
  newsIn: number;
  /** The declared fields that the response left out of its records; undefined until a hydrated one is looked at. */
  leftOut: readonly string[] | undefined;
  /** Another response would say the same: it came to an automatic repeat, or tells a deletion itself. */
  isFinal: boolean;
  /** The value was never readable. */
  isUnread: boolean;
  /** Set while readers wait for the application to say that they may ask: they may now. */
  resume: (() => void) | undefined;
  /** The last use: see `Store.uses`. */
  usedIn: number;
  /** What its arguments name in the store, if they name the very thing that it answers. */
  readonly names: () => unknown;
  /** The roots of the views that show it: one, unless somebody kept a view that was swept and uses it again. */
  roots: readonly Root[];
  /** Another result of the same key, of which something else is made. */
  next: Result | undefined;
}

/** Nodes in an order that matters, such as what a node contains; a plain slot for the usual single one. */
export type Links = CellNode | readonly CellNode[];

/** Something built out of stored data for readers, and what it contains. */
export interface Node {
  /** Nodes that contain this one. */
  parents: NodeSet;
  links: Links;
  /** Undefined while this node is up to date. Otherwise it is stale, and these are the links that were marked since. */
  dirty: NodeSet | typeof ITSELF;
  /** What readers get. */
  value: unknown;
  /** What `value` was built from; `UNBUILT` before the first time. */
  source: unknown;
  /** The rebuild in which `value` became another object. */
  changedIn: number;
  /** The rebuild after which this node was last up to date; negative while one walks through it (see `Walk`). */
  builtIn: number;
}

/** A row as one class reads it, or a list. */
export interface CellNode extends Node {
  readonly cell: Cell;
  readonly shape: EntityShape | CollectionShape | SelectionShape;
}

/** What a view reads: a whole answer. */
export interface Root extends Node {
  readonly shape: Shape;
  /** The arguments of the question. */
  readonly args: readonly unknown[];
  /** The normalized value to show now. */
  readonly current: () => unknown;
  /** The register that it shows; undefined for a query. */
  readonly result: Result | undefined;
  /** Called at the end of a commit in which something below changed. */
  onChange: (() => void) | undefined;
  /** The last use: see `Store.uses`. */
  usedIn: number;
}

/** Says of a stale node that none of its links was marked. */
export const ITSELF: unique symbol = Symbol('itself');

/** Marks a node that was never built. */
export const UNBUILT: unique symbol = Symbol('unbuilt');
