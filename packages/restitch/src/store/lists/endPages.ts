import { isListing } from './members.js';
import { listsOfResult } from './listsOfResult.js';
import type { Result } from '../cells/Result.js';
import type { Store } from '../cells/Store.js';
import { writeLocal } from '../journal/transactions.js';

/** After an invalidation, readers keep all pages until the next response replaces the list. */
export function endPages(store: Store, result: Result): void {
  for (const cell of listsOfResult(store, result)) {
    if (isListing(cell.current) && cell.current.isPaged) {
      writeLocal(store, cell, { type: 'unpage' });
    }
  }
}
