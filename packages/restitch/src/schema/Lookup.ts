import type { EntityShape } from './shapes.js';
import type { References } from './KindMethods.js';

/**
 * A reference to a row whose key or class is unknown, such as `{ username: 'ada' }`. It resolves to
 * the first candidate whose row exists. It is never stored.
 */
export abstract class Lookup {
  /** Passes all candidates to `sink`, so that readers are notified when a missing row appears. */
  abstract walk(sink: References): void;
  abstract choose(sink: References): unknown;
  /** Without an existing row, returns the first known cell, such as that of a deleted row. */
  abstract cell(finder: Finding): Found | undefined;
}

export interface Found {
  readonly current: unknown;
}

export interface Finding {
  readonly store: object;
  known(shape: EntityShape, pk: string): Found | undefined;
}

/** A row to which a `Lookup` may resolve: the row with one key, or with one indexed value. */
export interface Candidate {
  readonly shape: EntityShape;
  /** Passes the row to `sink`. If several rows have the indexed value, passes all of them. */
  walk(sink: References): unknown;
  cell(finder: Finding): Found | undefined;
}

export interface IndexCandidate extends Candidate {
  alone(): Lookup;
}
