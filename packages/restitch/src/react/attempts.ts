import type { FirstLoads } from './firstLoads.js';
import { held } from './held.js';

/**
 * The attempts of one boundary to render its children.
 *
 * Readers tell the nearest `AsyncBoundary` what they wait for: React holds first content back for up to 300 ms after a fallback
 * appeared when only the awaited promise brings it; a state update of the boundary is shown at once. What cancelling readers
 * wait for arrives with `useCancelling`: boundaries without such readers download none of it.
 */
export class Attempts {
  /** Whether the fallback is on the screen: outside of that there is nothing to hurry. */
  isShown = false;
  /** The number of the running attempt. */
  count = 0;
  /** Made by the first cancelling reader. */
  loads: FirstLoads | undefined;
  readonly #update: () => void;
  readonly #awaited = new WeakSet<PromiseLike<unknown>>();

  constructor(update: () => void) {
    this.#update = update;
  }

  /** Called in render, as React itself listens to a thrown promise there: once per promise, however often rendered. */
  readonly wait = (promise: PromiseLike<unknown>): void => {
    if (this.#awaited.has(promise)) return;
    this.#awaited.add(promise);
    const settle = (): void => {
      if (this.isShown) this.#update();
    };
    promise.then(settle, settle);
  };

  /** The fallback appeared; returns what to call when it is gone. */
  appear(): () => void {
    this.isShown = true;
    return () => {
      this.isShown = false;
    };
  }

  /** Rendered before the children. */
  readonly begin = (): void => {
    this.count += 1;
  };

  /** Rendered after the children. */
  readonly end = (): void => this.loads?.end();

  /** The boundary is mounted; returns what to call when it no longer is. */
  readonly hold: () => () => void = held(() => this.loads?.withdrawBefore(Infinity));
}
