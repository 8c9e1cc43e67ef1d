import { commit } from '../store/journal/commit.js';
import type { Store } from '../store/cells/Store.js';

/** Runs several writes to the present store as one. */
export function batch<T>(present: () => Store, work: () => T): T {
  const store = present();
  try {
    return commit(store, work);
  } finally {
    const next = present();
    if (next !== store) {
      // It was reset meanwhile: what comes after belongs to the batch, too.
      next.depth -= 1;
      commit(next, () => {});
    }
  }
}
