import type { FirstLoads } from './firstLoads.js';
import { held } from './refCount.js';

/**
 * The attempts of one `AsyncBoundary` to render its children.
 *
 * Readers register their promises with the nearest boundary. After a fallback has appeared, React
 * delays the content for up to 300 ms if the content renders only because a promise settled. A
 * state update of the boundary avoids this delay.
 *
 * The code for cancelling readers is part of `useCancelling`, so programs without it do not
 * download the code.
 */
export class Attempts {
  /** True while the fallback is on the screen. Only then, the boundary needs a state update. */
  hasFallback = false;
  count = 0;
  /** Created by the first cancelling reader. */
  declare loads: FirstLoads | undefined;
  readonly #update: () => void;
  readonly #awaited = new WeakSet<PromiseLike<unknown>>();

  constructor(update: () => void) {
    this.#update = update;
  }

  /**
   * Subscribes to a promise, but only once. Called in render, where React also subscribes to thrown
   * promises.
   */
  readonly wait = (promise: PromiseLike<unknown>): void => {
    if (this.#awaited.has(promise)) return;
    this.#awaited.add(promise);
    const settle = (): void => {
      if (this.hasFallback) this.#update();
    };
    promise.then(settle, settle);
  };

  /** Called when the fallback appears. The returned function is called when it is removed. */
  appear(): () => void {
    this.hasFallback = true;
    return () => {
      this.hasFallback = false;
    };
  }

  /** Called in render before the children. */
  readonly begin = (): void => {
    this.count += 1;
  };

  /** Called in render after the children. */
  readonly end = (): void => this.loads?.end();

  /** Called when the boundary mounts. The returned function is called when it unmounts. */
  readonly hold: () => () => void = held(() => this.loads?.withdrawBefore(Infinity));
}
