import type { EntityShape } from './shapes.js';
import type { References } from './KindMethods.js';

/**
 * A reference by arguments other than one primary key: the first existing row among several
 * candidates. Roots hold it as a reference; it is never stored. Unions and indexes bring the class
 * that extends it.
 */
export abstract class Lookup {
  /** Passes each candidate to the sink, so that readers are notified when one comes or goes. */
  abstract walk(sink: References): void;
  /** Returns the value of the row that was found. The sink returns the value of each candidate. */
  abstract choose(sink: References): unknown;
  /**
   * Returns the cell of the first existing row, otherwise the first known cell, which can be a
   * tombstone.
   */
  abstract cell(finder: Finding): Found | undefined;
}

/** A cell, as far as a lookup needs it. */
export interface Found {
  readonly current: unknown;
}

/** Finds existing cells in a store. */
export interface Finding {
  readonly store: object;
  known(shape: EntityShape, pk: string): Found | undefined;
}

/** A row that arguments can name. */
export interface Candidate {
  readonly shape: EntityShape;
  /** Passes the row, or the rows with its value, to the sink. Returns what the sink returns. */
  walk(sink: References): unknown;
  cell(finder: Finding): Found | undefined;
}

/** A row that arguments name by an indexed field. */
export interface IndexCandidate extends Candidate {
  /** Returns the lookup with this one candidate. */
  alone(): Lookup;
}
