import type { Result } from '../store/cells/Result.js';
import { type Deferred, deferred } from './tracked.js';
import type { TrackedPromise, View } from './View.js';

/** Milliseconds: a reader that is not mounted and comes later than this after the last one is another one. */
const LONGEST = 2_000;

/**
 * Readers of one question that do not ask until the application lets them: after a reset with `refetch: false`, when they
 * would only be refused. Ends when the question is invalidated, expired, asked by the application, or answered in another way.
 *
 * @remarks Nothing tells whether a reader that waits for its first data is still on the screen. One that comes again soon is
 * the same one; after a while it belongs to another screen, that of the next session.
 */
export interface Pause<T> {
  /** Whether a reader that comes now is held back. A mounted one is as long as it takes. */
  readonly isHolding: () => boolean;
  /** What a reader waits for that is held back. For one that looks again nothing is sent: it may be gone by then. */
  readonly wait: (isRetried: boolean) => TrackedPromise<T>;
  /** The last reader left. */
  readonly end: () => void;
}

export function pause<T>(
  view: View<T> & { readonly isHeld: boolean },
  result: Result,
  now: () => number,
): Pause<T> {
  let lastAt = now();
  /** What is waited for: the data, or, by those who look again themselves, only that they may ask. */
  const waiting = new Map<boolean, Deferred<T>>();
  const end = (): void => {
    result.resume = undefined;
  };
  result.resume = () => {
    end();
    for (const [isRetried, outcome] of waiting) {
      // Afterwards: what ended the pause may have sent the request, or bring the data.
      void Promise.resolve()
        .then(() => {
          const snapshot = view.getSnapshot();
          if (snapshot.status === 'ready') {
            return snapshot.data;
          }
          // The cast: who looks again takes nothing from it.
          return isRetried ? (undefined as T) : view.load();
        })
        .then(outcome.resolve, outcome.reject);
    }
  };
  return {
    isHolding: () =>
      result.resume !== undefined && (view.isHeld || Math.abs(now() - lastAt) <= LONGEST),
    wait(isRetried) {
      lastAt = now();
      const outcome = waiting.get(isRetried) ?? deferred<T>();
      waiting.set(isRetried, outcome);
      return outcome.promise;
    },
    end,
  };
}
