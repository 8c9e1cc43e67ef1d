import type { CollectionShape, Shape } from '../../schema/shapes.js';
import { isListing } from './members.js';
import { findCell } from '../views/queries.js';
import { isObject, own } from '../cells/plainValues.js';
import type { Result } from '../cells/Result.js';
import type { Store } from '../cells/Store.js';
import { writeLocal } from '../journal/transactions.js';

/**
 * Lets go of the further pages in an answer that is taken away, be it under an error: they are shown until it is asked for
 * again, and do not stay behind the new first page.
 */
export function endPages(store: Store, { shape, value }: Result): void {
  for (const [list, reference] of listsIn(shape, value)) {
    const cell = findCell(store, list, reference);
    if (cell && isListing(cell.shown) && cell.shown.isPaged) {
      writeLocal(store, cell, { type: 'unpage' });
    }
  }
}

/** The lists that an answer is, or that stand in an object that it is. */
function* listsIn(shape: Shape, value: unknown): IterableIterator<[CollectionShape, unknown]> {
  if (shape.kind === 'collection') {
    yield [shape, value];
  } else if (shape.kind === 'object' && isObject(value)) {
    for (const [field, part] of shape.fields) {
      yield* listsIn(part, own(value, field));
    }
  }
}
