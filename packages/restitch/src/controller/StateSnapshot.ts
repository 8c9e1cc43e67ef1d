import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import { markTouched } from '../store/commit.js';
import { createHistory, type HeldMoment, holdPresent, releaseMoment } from '../store/history.js';
import { createRoot } from '../store/nodes.js';
import { readPast, shownAt } from '../store/past.js';
import { registerAt } from '../store/results.js';
import type { Store } from '../store/state.js';
import { snapshotSource, type SnapshotSource } from './snapshotSource.js';
import { beginTrace } from './Trace.js';

/**
 * What a store held at one moment: whatever is written afterwards, it reads the same, and what did not change since is the
 * identical object. `controller.snapshot()` takes one.
 *
 * @remarks Until it is released the store keeps what it overwrites and forgets nothing.
 *
 * @example
 * ```ts
 * import { type Manager, RestEndpoint } from 'restitch';
 *
 * const getUser = new RestEndpoint({ path: '/users/:id' });
 * const logChanges: Manager = {
 *   middleware: (controller) => (next) => (action) => {
 *     const before = controller.snapshot();
 *     next(action);
 *     const [was, is] = [before, controller].map((state) => state.getResponse(getUser, { id: '1' }));
 *     if (was !== is) console.log(action.type, was, is);
 *     before.release();
 *   },
 * };
 * ```
 */
export interface StateSnapshot extends SnapshotSource {
  /** When it was taken: milliseconds since 1970. */
  readonly fetchedAt: number;
  /** Lets go of it: reading from it throws from then on. */
  readonly release: () => void;
}

/** Takes a snapshot of the present one of a controller's stores. */
export function takeSnapshot(present: () => Store): StateSnapshot {
  const trace = beginTrace(present);
  const store = present();
  // What an open batch has written so far is part of it.
  markTouched(store);
  const history = (store.history ??= createHistory(1));
  const moment = holdPresent(history, store.rebuild);
  const held = (): HeldMoment => {
    if (!history.moments.has(moment)) {
      throw new RestitchError(
        'snapshot-released',
        isDevelopment ? 'This snapshot was released: take a new one.' : '',
      );
    }
    return moment;
  };
  const source = snapshotSource(
    store,
    (shape, args, normalized) =>
      readPast(
        store,
        history,
        held(),
        createRoot(shape, args, () => normalized),
        true,
      ).value,
    (cell) => shownAt(history, held(), cell),
    (result) => registerAt(history, held(), result),
  );
  return {
    ...source,
    fetchedAt: store.now(),
    release: () => {
      releaseMoment(history, moment);
      trace.end();
    },
  };
}
