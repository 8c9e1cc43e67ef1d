import type { EntityMeta } from '../../schema/Schema.js';
import type { CollectionShape, Shape } from '../../schema/shapes.js';
import type { Cell, ListOrigin, Stored } from '../cells/Cell.js';
import type { RowTable } from '../cells/Store.js';
import type { Place } from '../lists/pagePlaces.js';
import type { NormalizedResponse } from '../normalize/Normalized.js';
import type { Fit } from '../../schema/listFit.js';
import type { ListEdit, Operation, Prediction } from './operations.js';

/**
 * The patches of one cell (a row or a list) while requests are in flight. The current value is the
 * base with all patches applied in order of rank:
 *
 * ```
 *   base { name: 'Ann' }   patch of a pending mutation { name: 'Anne' }   current { name: 'Anne' }
 * ```
 *
 * The response to an older request can still add a patch below others. A failed mutation removes
 * its patch. Folding applies a patch to the base permanently and removes it from the stack.
 */
export interface Stack {
  base: Stored;
  /** In order of rank: the last patch wins. */
  patches: Patch[];
  /** The start of the youngest confirmed mutation of this cell. */
  confirmedStart: number;
  /** If all patches are plain edits (see `isEdit`): the fields of `current` to compute again. */
  changed: ReadonlySet<string> | undefined;
}

export interface Patch {
  readonly transaction: Transaction;
  operation: Operation;
  rank: number;
}

/** A list operation, kept for lists that become known later. */
export interface LogEntry {
  readonly transaction: Transaction;
  readonly row: Cell | undefined;
  readonly concerns: (list: CollectionShape) => boolean;
  /**
   * Returns undefined if the operation does not change the list, and a `Fit` if only the server can
   * decide. If the `Fit` is `'unclear'`, readers fetch the list again.
   */
  readonly operationFor: (list: ListOrigin) => ListEdit | Fit | undefined;
  /** True for a move that is optimistic, or whose response lacked fields of the row. */
  readonly isPartial?: boolean | undefined;
  /** True if an older mutation failed that had changed the row. */
  isUnsure?: boolean;
}

export interface Transaction {
  readonly kind: 'read' | 'mutation' | 'local';
  readonly shape: Shape | undefined;
  /** The name of the endpoint, for error messages; undefined without a request. */
  readonly source: string | undefined;
  /** The tick at which the request was sent. */
  start: number;
  /** The tick at which the request settled; Infinity while it is in flight. */
  settle: number;
  /** The names of the fields in the body of a mutation. */
  asked: ReadonlySet<string>;
  meta: EntityMeta;
  cells: Set<Cell> | undefined;
  /** True if the prediction lacks a nested record without a key, or the members of a list. */
  isIncomplete?: boolean;
  /** True if an empty response confirmed the mutation. */
  isEmpty?: boolean | undefined;
  /** Set when the request stalls: the cells changed by responses to later requests. */
  overtaken: WeakSet<Cell> | undefined;
  /** True if the log no longer has a list edit that a stalled request overlapped. */
  lacksEdits?: boolean;
  places: Map<Cell, Place> | undefined;
  logged: LogEntry[] | undefined;
  /** The lists that the optimistic update predicts. A request that is sent later keeps them. */
  predictions?: Map<Cell, Prediction> | undefined;
  /** The temporary keys by place, used again when the optimistic function runs again. */
  keys: Map<string, string> | undefined;
  temporary: readonly {
    readonly table: RowTable;
    readonly pk: string;
    /** The field that contains the temporary key. */
    readonly field: string | undefined;
    readonly responsePlace: string;
  }[];
  /** After an empty response (204), the layer stays: it runs again if an older response arrives. */
  layer: Layer | undefined;
}

/** An optimistic update. It runs again when an older transaction changes a value that it read. */
export interface Layer {
  readonly evaluate: (layer: Layer) => NormalizedResponse | undefined;
  /** For each cell that `evaluate` read: a copy with the value that `evaluate` received. */
  copies: Map<Cell, Cell>;
}

/** The starts of the patches that a cell gained or lost. */
export interface Moves {
  readonly oldest: number;
  readonly newest: number;
  /** The fields of these patches, if the row has only plain edits. Undefined means any field. */
  readonly fields: ReadonlySet<string> | undefined;
}
