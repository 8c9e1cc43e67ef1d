import type { Cell } from '../cells/Cell.js';
import type { Result } from '../cells/Result.js';
import type { Store } from '../cells/Store.js';
import { findCell } from '../views/queries.js';
import { partsOf } from '../views/walkReferences.js';

/** Yields the lists in a response, without the lists in its rows. Creates no list. */
export function* listsOfResult(store: Store, { shape, value }: Result): Iterable<Cell> {
  for (const [part, reference] of partsOf(shape, value)) {
    const cell = part.kind === 'collection' ? findCell(store, part, reference) : undefined;
    if (cell) {
      yield cell;
    }
  }
}
