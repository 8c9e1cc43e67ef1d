import type { IndexCandidate } from './Lookup.js';
import type { EntityShape } from './shapes.js';

/** The fields by which the records of a class can be found. Created by `indexBy`. */
export interface Indexes<F extends string = string> extends ReadonlyArray<F> {
  /** Finds the row in the store that has a field such as `{ username: 'ada' }`. */
  readonly $find: (shape: EntityShape, named: object) => IndexCandidate | undefined;
}
