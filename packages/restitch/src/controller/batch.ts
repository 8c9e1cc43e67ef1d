import { commit } from '../store/journal/commit.js';
import type { Core } from './Core.js';

export function batch<T>(core: Core, work: () => T): T {
  const { store } = core;
  try {
    return commit(store, work);
  } finally {
    const next = core.store;
    if (next !== store) {
      // A reset within `work` passed the open batch on to the next store. The batch ends there too.
      next.depth -= 1;
      commit(next, () => {});
    }
  }
}
