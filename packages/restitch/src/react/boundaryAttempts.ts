import type { View } from '../index.js';
import type { FirstLoads } from './firstLoads.js';
import { held } from './refCount.js';

/**
 * If content renders only because a promise settled, React may delay the content for up to 300 ms
 * after the fallback appeared. A state update of the boundary avoids this delay.
 *
 * Optimization: only `useCancelling` imports `FirstLoads`, so other programs do not download it.
 */
export class Attempts {
  hasFallback = false;
  count = 0;
  declare loads: FirstLoads | undefined;
  readonly #update: () => void;
  readonly #awaited = new WeakSet<Promise<unknown>>();

  constructor(update: () => void) {
    this.#update = update;
  }

  /** Called in render, which may be repeated. */
  readonly wait = (promise: Promise<unknown>, view: Pick<View<unknown>, 'getSnapshot'>): void => {
    if (this.#awaited.has(promise)) return;
    this.#awaited.add(promise);
    const showContent = (): void => {
      // After a reset, the content still waits. An update of three such boundaries can make React 19
      // render in an endless loop.
      if (this.hasFallback && view.getSnapshot().status !== 'pending') this.#update();
    };
    // The content throws the error of an unreadable snapshot.
    promise.then(showContent, showContent).catch(this.#update);
  };

  readonly appear = (): (() => void) => {
    this.hasFallback = true;
    return () => {
      this.hasFallback = false;
    };
  };

  readonly begin = (): void => {
    this.count += 1;
  };

  readonly end = (): void => this.loads?.end();

  readonly hold: () => () => void = held(() => this.loads?.withdrawBefore(Infinity));
}
