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
  /** The fold of everything that no request in flight can precede. */
  base: Stored;
  /** The patches above the base, in order of rank. */
  patches: Patch[];
  /** The highest start of a mutation whose response contained this cell. */
  confirmedStart: number;
  /**
   * For a row with plain edits alone (see `plainEdits.ts`): the fields of edits that came or went
   * since it was folded.
   */
  changed: ReadonlySet<string> | undefined;
  /** For a list with plain edits alone (see `plainAdds.ts`). */
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
  readonly row: Cell;
  /** Returns true if the operation can concern lists of a kind. */
  readonly concerns: (list: CollectionShape) => boolean;
  /**
   * The operation on one list, with the key that the row has by now; undefined if it does not
   * concern the list.
   */
  readonly operationFor: (list: Cell) => AddMember | AssignMember | RemoveMember | undefined;
}

/** One request or one local write. */
export interface Transaction {
  /**
   * Reads and local writes rank by start. Mutations rank by start among themselves, and above reads
   * that they overlap.
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
  /** The fields in the body of a mutation. */
  asked: ReadonlySet<string>;
  /** Start and settle in the time of the clock, for `mergeWithStore`. */
  meta: EntityMeta;
  /** Cells with patches of this transaction. Usually undefined: there never were any. */
  cells: Set<Cell> | undefined;
  /**
   * For a request that is or was stalled: the cells in which something above it was confirmed
   * since.
   */
  overtaken: WeakSet<Cell> | undefined;
  /** By list, the place after which the pages of this request belong. */
  places: Map<Cell, Place> | undefined;
  /** Its entries in the log. */
  logged: LogEntry[] | undefined;
  /**
   * The temporary primary keys of its rows, by position. They stay when its optimistic function
   * runs again.
   */
  keys: string[] | undefined;
  /** Rows that its optimistic update created, in order. */
  temporary: readonly {
    readonly table: RowTable;
    readonly pk: string;
    readonly position: number;
  }[];
  /**
   * Its optimistic function, until a response with rows arrives. After a response without rows,
   * until it is final.
   */
  layer: Layer | undefined;
}

/** An optimistic update as a function of what started before it. */
export interface Layer {
  readonly evaluate: (layer: Layer) => NormalizedResponse | undefined;
  /**
   * The cells that the function read when it last ran, each with a copy that has the value it got.
   * The instances of the copies are references in its output.
   */
  copies: Map<Cell, Cell>;
  /** Its last output. */
  output: NormalizedResponse | undefined;
}

/** The starts of the patches that a cell got or lost. */
export interface Moves {
  readonly oldest: number;
  readonly newest: number;
  /** Their fields, if the row has plain edits alone; undefined means any. */
  readonly fields: ReadonlySet<string> | undefined;
}
