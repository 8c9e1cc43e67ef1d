import { isListing } from './members.js';
import { findCell } from '../views/queries.js';
import { partsOf } from '../views/walkReferences.js';
import type { Result } from '../cells/Result.js';
import type { Store } from '../cells/Store.js';
import { writeLocal } from '../journal/transactions.js';

/** After an invalidation, readers keep all pages until the next response replaces the list. */
export function endPages(store: Store, { shape, value }: Result): void {
  for (const [part, reference] of partsOf(shape, value)) {
    const cell = part.kind === 'collection' ? findCell(store, part, reference) : undefined;
    if (cell && isListing(cell.current) && cell.current.isPaged) {
      writeLocal(store, cell, { type: 'unpage' });
    }
  }
}
