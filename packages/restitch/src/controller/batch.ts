import { commit } from '../store/journal/commit.js';
import type { Core } from './Core.js';

export function batch<T>(core: Core, work: () => T): T {
  const { store } = core;
  try {
    return commit(store, work);
  } finally {
    const next = core.store;
    if (next !== store) {
      // A reset within `work` replaced the store. Later writes of `work` also belong to the batch.
      next.depth -= 1;
      commit(next, () => {});
    }
  }
}
