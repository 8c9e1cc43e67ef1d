import { commit } from '../store/journal/commit.js';
import type { Core } from './Core.js';

/** Runs several writes to the current store as one. */
export function batch<T>(core: Core, work: () => T): T {
  const { store } = core;
  try {
    return commit(store, work);
  } finally {
    const next = core.store;
    if (next !== store) {
      // A reset replaced the store. The writes after the reset also belong to the batch.
      next.depth -= 1;
      commit(next, () => {});
    }
  }
}
