import type { EntityShape } from './shapes.js';
import type { References } from './KindMethods.js';

/**
 * A reference to a row whose key or class is unknown, such as `{ username: 'ada' }`. A lookup
 * resolves to the newest matching row, and is never stored.
 */
export abstract class Lookup {
  /** Passes all candidates to `sink`, so that readers are notified when a missing row appears. */
  abstract walk(sink: References): void;
  abstract choose(sink: Choosing): unknown;
  /** Returns the stored cell of the row. If no row exists, may return the cell of a deleted row. */
  abstract cell(finder: Finding): Found | undefined;
  /** Returns a lookup that resolves to no row if rows of several classes match. */
  abstract unique(): Lookup;
  /** Lookups of the same keys and indexed values have the same text. */
  abstract toString(): string;
}

export interface Found {
  readonly current: unknown;
  readonly lifetime: {
    readonly fetchedAt: number;
    readonly expiresAt: number;
    readonly tick?: number;
  };
}

/** The part of a store that lookups use: `schema/` does not know the type of a store. */
export interface RowStore {
  readonly rows: ReadonlyMap<
    string,
    { hasRivals?: boolean; readonly cells: ReadonlyMap<string, Found> }
  >;
}

export interface Choosing extends References {
  readonly store: RowStore;
}

export interface Finding {
  readonly store: RowStore;
  known(shape: EntityShape, pk: string): Found | undefined;
}

/** A row to which a `Lookup` may resolve: the row with one key, or with one indexed value. */
export interface Candidate {
  readonly shape: EntityShape;
  /** The key, or the indexed field and its value. */
  readonly text: string;
  /** Passes the row to `sink`. If several rows have the indexed value, passes all of them. */
  walk(sink: References): unknown;
  cell(finder: Finding): Found | undefined;
}

export interface IndexCandidate extends Candidate {
  alone(): Lookup;
}
