import { entryOf } from '../host/entryOf.js';
import type { Result } from '../store/cells/Result.js';
import { type Deferred, deferred } from './trackedPromise.js';
import type { TrackedPromise, View } from './View.js';

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
export interface Pause<T> {
  /** True while readers are paused. While a reader is mounted, the pause has no time limit. */
  readonly isHolding: () => boolean;
  /** The end of the pause calls `load` for readers without `isRetried` (see `View.load`). */
  readonly wait: (isRetried: boolean) => TrackedPromise<T>;
  /** Ends the pause when the last mounted reader leaves. Suspended readers then fetch. */
  readonly leave: () => void;
}

const pauses = new WeakMap<Result, Pause<unknown>>();

/** The views of one result share one pause. */
export function pause<T>(
  view: View<T>,
  result: Result,
  isHeld: () => boolean,
  now: () => number,
): Pause<T> {
  // The cast: the views of one result have one type of data.
  return entryOf(pauses, result, () => begin(view, result, isHeld, now)) as Pause<T>;
}

function begin<T>(
  view: View<T>,
  result: Result,
  isHeld: () => boolean,
  now: () => number,
): Pause<T> {
  let lastAt = now();
  /** One promise for the readers with `isRetried`, and one for all other readers. */
  const waiting = new Map<boolean, Deferred<T>>();
  result.resume = () => {
    result.resume = undefined;
    for (const [isRetried, outcome] of waiting) {
      // In a microtask: the caller sends a request or stores data right after this call.
      void Promise.resolve()
        .then(() => {
          const snapshot = view.getSnapshot();
          if (snapshot.status === 'ready') {
            return snapshot.data;
          }
          // The cast: a reader that retries ignores the value.
          return isRetried ? (undefined as T) : view.load();
        })
        .then(outcome.resolve, outcome.reject);
    }
  };
  return {
    isHolding: () =>
      result.resume !== undefined && (isHeld() || Math.abs(now() - lastAt) <= LONGEST),
    wait(isRetried) {
      lastAt = now();
      return entryOf(waiting, isRetried, deferred<T>).promise;
    },
    leave() {
      result.resume = undefined;
      // The cast: a reader that retries ignores the value.
      waiting.get(true)?.resolve(undefined as T);
    },
  };
}
