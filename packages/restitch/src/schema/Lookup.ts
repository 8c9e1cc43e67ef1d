import type { EntityShape } from './shapes.js';
import type { References } from './KindMethods.js';

/**
 * A reference that arguments other than a primary key name. It resolves to the first existing row
 * among several candidates. It is never stored. `Union` and `indexBy` import its subclass
 * `RowLookup`.
 */
export abstract class Lookup {
  /**
   * Passes each candidate to the sink, so that readers are notified when one is added or removed.
   */
  abstract walk(sink: References): void;
  /** Returns the value of the first existing row. The sink returns the value of each candidate. */
  abstract choose(sink: References): unknown;
  /**
   * Returns the cell of the first existing row, otherwise the first known cell, which can be a
   * tombstone.
   */
  abstract cell(finder: Finding): Found | undefined;
}

/** The part of a cell that a lookup needs. */
export interface Found {
  readonly current: unknown;
}

/** Finds existing cells in a store. */
export interface Finding {
  readonly store: object;
  known(shape: EntityShape, pk: string): Found | undefined;
}

/** A row that the arguments of a query may name. */
export interface Candidate {
  readonly shape: EntityShape;
  /**
   * Passes the row, or all rows with the indexed value, to the sink. Returns the result of the
   * sink.
   */
  walk(sink: References): unknown;
  cell(finder: Finding): Found | undefined;
}

/** A row that arguments name by an indexed field. */
export interface IndexCandidate extends Candidate {
  /** Returns a lookup with this candidate alone. */
  alone(): Lookup;
}
