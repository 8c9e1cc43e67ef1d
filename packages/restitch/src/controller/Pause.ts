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
export class Pause<T> {
  readonly #view: View<T> & { readonly isHeld: boolean };
  readonly #result: Result;
  readonly #now: () => number;
  #lastAt: number;
  /** What is waited for: the data, or, by those who look again themselves, only that they may ask. */
  readonly #waiting = new Map<boolean, Deferred<T>>();

  constructor(view: View<T> & { readonly isHeld: boolean }, result: Result, now: () => number) {
    this.#view = view;
    this.#result = result;
    this.#now = now;
    this.#lastAt = now();
    result.resume = () => this.#resume();
  }

  /** Whether a reader that comes now is held back. A mounted one is as long as it takes. */
  get isHolding(): boolean {
    const isSoon = (): boolean => Math.abs(this.#now() - this.#lastAt) <= LONGEST;
    return this.#result.resume !== undefined && (this.#view.isHeld || isSoon());
  }

  /** What a reader waits for that is held back. For one that looks again nothing is sent: it may be gone by then. */
  wait(isRetried: boolean): TrackedPromise<T> {
    this.#lastAt = this.#now();
    const outcome = this.#waiting.get(isRetried) ?? deferred<T>();
    this.#waiting.set(isRetried, outcome);
    return outcome.promise;
  }

  /** The last reader left. */
  drop(): void {
    this.#result.resume = undefined;
  }

  #resume(): void {
    this.drop();
    for (const [isRetried, outcome] of this.#waiting) {
      // Afterwards: what ended the pause may have sent the request, or bring the data.
      void Promise.resolve()
        .then(() => {
          const snapshot = this.#view.getSnapshot();
          // The cast: who looks again takes nothing from it.
          return snapshot.status === 'ready'
            ? snapshot.data
            : isRetried
              ? (undefined as T)
              : this.#view.load();
        })
        .then(outcome.resolve, outcome.reject);
    }
  }
}
