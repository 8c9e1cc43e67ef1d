import { isDevelopment } from '../errors/development.js';
import { endedError } from '../errors/aborts.js';
import { commit } from '../store/journal/commit.js';
import type { ResetAction } from './actions.js';
import type { Core } from './Core.js';
import { abortAll } from './ending.js';

/** Replaces the store with an empty one. */
export function reset(core: Core, { refetch }: ResetAction): void {
  /** True if readers wait for the application to fetch. */
  const pauses = refetch === false;
  // Requests in flight write to the old store, which has no readers.
  core.sweeper.stop();
  const next = core.newStore();
  next.depth = core.store.depth;
  next.observer = core.store.observer?.moved(core.store);
  core.store = next;
  const reason = endedError('AbortError', isDevelopment ? 'The store was reset.' : 'reset');
  const aborted = abortAll(core, reason);
  commit(next, () => core.views.move(next, aborted, pauses));
  if (!pauses) {
    core.resets.notify();
  }
}
