import type { EntityShape } from './shapes.js';
import type { References } from './KindMethods.js';

/**
 * A reference to a row by something other than its primary key, such as an indexed field. The
 * reference resolves to the first existing row among several candidates. It is never stored. Only
 * `Union` and `indexBy` import its subclass `RowLookup`.
 */
export abstract class Lookup {
  /**
   * Passes each candidate to the sink. Readers are then notified when a candidate's row is added or
   * removed.
   */
  abstract walk(sink: References): void;
  /** Returns the value of the first existing row. The sink returns the value of each candidate. */
  abstract choose(sink: References): unknown;
  /**
   * Returns the cell of the first existing row. If no row exists, returns the first known cell,
   * which can be the tombstone of a deleted row.
   */
  abstract cell(finder: Finding): Found | undefined;
}

export interface Found {
  readonly current: unknown;
}

export interface Finding {
  readonly store: object;
  known(shape: EntityShape, pk: string): Found | undefined;
}

export interface Candidate {
  readonly shape: EntityShape;
  /**
   * Passes the row, or all rows with the indexed value, to the sink. Returns the result of the
   * sink.
   */
  walk(sink: References): unknown;
  cell(finder: Finding): Found | undefined;
}

export interface IndexCandidate extends Candidate {
  alone(): Lookup;
}
