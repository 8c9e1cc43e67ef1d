import type { EntityShape } from './shapes.js';
import type { References } from './KindMethods.js';

/**
 * A reference by something other than the primary key. It resolves to the first existing row of
 * several candidates, and is never stored.
 */
export abstract class Lookup {
  /**
   * Passes the rows of all candidates, even unknown rows, so that readers are notified when one
   * appears or disappears.
   */
  abstract walk(sink: References): void;
  /** Returns the value of the first existing row. */
  abstract choose(sink: References): unknown;
  /**
   * Returns the cell of the first existing row, or the first known cell, which can be a deleted
   * row.
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
  /** Passes the row, or all rows with the indexed value, to the sink. */
  walk(sink: References): unknown;
  cell(finder: Finding): Found | undefined;
}

export interface IndexCandidate extends Candidate {
  alone(): Lookup;
}
