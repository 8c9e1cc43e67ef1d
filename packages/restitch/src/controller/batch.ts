import { commit } from '../store/journal/commit.js';
import type { Core } from './Core.js';

/** Runs several writes to the present store as one. */
export function batch<T>(core: Core, work: () => T): T {
  const { store } = core;
  try {
    return commit(store, work);
  } finally {
    const next = core.store;
    if (next !== store) {
      // It was reset meanwhile: what comes after belongs to the batch, too.
      next.depth -= 1;
      commit(next, () => {});
    }
  }
}
