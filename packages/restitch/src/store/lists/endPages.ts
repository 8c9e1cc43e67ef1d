import type { CollectionShape, Shape } from '../../schema/shapes.js';
import { isListing } from './members.js';
import { findCell } from '../views/queries.js';
import { isObject, own } from '../cells/plainValues.js';
import type { Result } from '../cells/Result.js';
import type { Store } from '../cells/Store.js';
import { writeLocal } from '../journal/transactions.js';

/**
 * Ends the pages in a result that is invalidated or replaced by an error. Readers see them until
 * the next response, but they are not appended to its first page.
 */
export function endPages(store: Store, { shape, value }: Result): void {
  for (const [list, reference] of listsIn(shape, value)) {
    const cell = findCell(store, list, reference);
    if (cell && isListing(cell.current) && cell.current.isPaged) {
      writeLocal(store, cell, { type: 'unpage' });
    }
  }
}

/** The lists of a response: itself, or lists within its objects. */
function* listsIn(shape: Shape, value: unknown): IterableIterator<[CollectionShape, unknown]> {
  if (shape.kind === 'collection') {
    yield [shape, value];
  } else if (shape.kind === 'object' && isObject(value)) {
    for (const [field, part] of shape.fields) {
      yield* listsIn(part, own(value, field));
    }
  }
}
