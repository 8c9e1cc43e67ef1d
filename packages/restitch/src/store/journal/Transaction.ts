import type { EntityMeta } from '../../schema/Schema.js';
import type { CollectionShape, Shape } from '../../schema/shapes.js';
import type { Cell, Stored } from '../cells/Cell.js';
import type { RowTable } from '../cells/Store.js';
import type { Place } from '../lists/pagePlaces.js';
import type { NormalizedResponse } from '../normalize/Normalized.js';
import type { AddMember, AssignMember, Operation, RemoveMember } from './operations.js';
import type { Adds } from './plainAdds.js';

/** The journal of one cell: operations that a request in flight could still precede. */
export interface Stack {
  /** The value after all operations that no request in flight can precede. */
  base: Stored;
  /** The patches above the base, in order of rank. */
  patches: Patch[];
  /** The highest start of a mutation whose response contained this cell. */
  confirmedStart: number;
  /**
   * For a row with only plain edits (see `plainEdits.ts`): the fields of edits that were added or
   * removed since the row was folded.
   */
  changed: ReadonlySet<string> | undefined;
  /** For a list with only plain edits (see `plainAdds.ts`). */
  adds?: Adds | undefined;
}

/** One change of one cell by one transaction. */
export interface Patch {
  readonly transaction: Transaction;
  operation: Operation;
  /** The effective rank on this cell; set by `rerank`. */
  rank: number;
}

/**
 * A list operation, kept for every list that it concerns, including lists that are not known yet.
 */
export interface LogEntry {
  readonly transaction: Transaction;
  /** Undefined for a row that the server did not name. */
  readonly row: Cell | undefined;
  /** Returns true if the operation can concern lists of a kind. */
  readonly concerns: (list: CollectionShape) => boolean;
  /**
   * Returns the operation on one list, with the current key of the row. Undefined if it does not
   * concern the list.
   */
  readonly operationFor: (list: Cell) => AddMember | AssignMember | RemoveMember | undefined;
}

/** One request or one local write. */
export interface Transaction {
  /**
   * Reads and local writes rank by start. Mutations rank by start among themselves, and above the
   * reads that they overlap.
   */
  readonly kind: 'read' | 'mutation' | 'local';
  /** The schema of a request; undefined for local writes and for state from another store. */
  readonly shape: Shape | undefined;
  /** The name of the endpoint; undefined for local writes and for state from another store. */
  readonly source: string | undefined;
  /** The tick at which the request was sent. */
  start: number;
  /** The tick at which it settled; Infinity while it is in flight. */
  settle: number;
  /** The names of the fields in the body of a mutation. */
  asked: ReadonlySet<string>;
  /** Start and settle in the time of the clock, for `mergeWithStore`. */
  meta: EntityMeta;
  /** Cells with patches of this transaction. Usually undefined: there never were any. */
  cells: Set<Cell> | undefined;
  /**
   * For a request that is or was stalled: the cells in which a higher patch was confirmed since.
   */
  overtaken: WeakSet<Cell> | undefined;
  /** The place of the page in this request, by list. */
  places: Map<Cell, Place> | undefined;
  /** Its entries in the log. */
  logged: LogEntry[] | undefined;
  /**
   * The temporary primary keys of its rows, by position. The keys stay the same when its optimistic
   * function runs again.
   */
  keys: string[] | undefined;
  /** Rows that its optimistic update created, in order. */
  temporary: readonly {
    readonly table: RowTable;
    readonly pk: string;
    readonly position: number;
  }[];
  /**
   * Its optimistic function. It is removed when a response with rows arrives. After a response
   * without rows, it is removed when its output is final.
   */
  layer: Layer | undefined;
}

/** An optimistic update as a function of the transactions that started before it. */
export interface Layer {
  readonly evaluate: (layer: Layer) => NormalizedResponse | undefined;
  /**
   * The cells that the function read in its last run. Each has a copy with the value that was read.
   * Instances of the copies are references in the output of the function.
   */
  copies: Map<Cell, Cell>;
}

/** The starts of the patches that a cell gained or lost. */
export interface Moves {
  readonly oldest: number;
  readonly newest: number;
  /** The fields of these patches, if the row has only plain edits. Undefined means any field. */
  readonly fields: ReadonlySet<string> | undefined;
}
