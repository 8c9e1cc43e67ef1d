import { entryOf } from '../host/entryOf.js';
import type { Result } from '../store/cells/Result.js';
import type { Core } from './Core.js';
import type { EndpointView } from './EndpointView.js';
import { type Deferred, deferred } from './trackedPromise.js';
import type { TrackedPromise } from './View.js';

/** Milliseconds after which a returning reader counts as a new one. */
const LONGEST = 2_000;

/**
 * While paused, the readers of one result send no requests. A reset with `refetch: false` begins
 * the pause, for example at a logout. The pause ends when the application invalidates, expires,
 * fetches or writes the result.
 *
 * @remarks React doesn't report when a suspended reader unmounts. A reader that returns within two
 * seconds counts as the same reader. A later reader is new and isn't paused.
 */
export interface Pause {
  /** True while readers are paused. While a reader is mounted, the pause has no time limit. */
  readonly isHolding: () => boolean;
  /** The end of the pause calls `load` for readers without `isRetried` (see `View.load`). */
  readonly wait: (view: EndpointView<unknown>, isRetried: boolean) => TrackedPromise<unknown>;
  /** Ends the pause when the last mounted reader leaves. Suspended readers then fetch. */
  readonly leave: () => void;
}

/** By result, because a reader can render with another copy of its endpoint: another view. */
const pauses = new WeakMap<Result, Pause>();

export const pauseOf = (result: Result): Pause | undefined => pauses.get(result);

export function pause(core: Core, result: Result): void {
  entryOf(pauses, result, () => begin(core, result));
}

function begin({ environment: { now }, views }: Core, result: Result): Pause {
  let lastAt = now();
  let latest: EndpointView<unknown> | undefined;
  /** One promise for the readers with `isRetried`, and one for all other readers. */
  const waiting = new Map<boolean, Deferred<unknown>>();
  result.resume = () => {
    result.resume = undefined;
    for (const [isRetried, outcome] of waiting) {
      // In a microtask: the caller sends a request or stores data right after this call.
      void Promise.resolve()
        .then(() => {
          const snapshot = isRetried ? undefined : latest?.getSnapshot();
          return snapshot?.status === 'ready' ? snapshot.data : snapshot && latest?.load();
        })
        .then(outcome.resolve, outcome.reject);
    }
  };
  return {
    isHolding: () =>
      result.resume !== undefined && (views.isHeld(result) || Math.abs(now() - lastAt) <= LONGEST),
    wait(view, isRetried) {
      lastAt = now();
      latest = view;
      return entryOf(waiting, isRetried, deferred<unknown>).promise;
    },
    leave() {
      pauses.delete(result);
      result.resume = undefined;
      waiting.get(true)?.resolve(undefined);
    },
  };
}
