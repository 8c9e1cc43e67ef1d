import type { Controller } from '../controller/Controller.js';
import type { Manager } from '../controller/Manager.js';

/** Milliseconds between two refetches, so that not every switch of windows causes a refetch. */
const THROTTLE = 5_000;

/**
 * Refetches stale data when the screen is visible again or the network is back, at most every 5 s.
 * Fresh data and data without a reader are not fetched.
 *
 * @remarks A `RecoveryManager` does this too. A `DataProvider` that creates its own controller adds
 * a `RecoveryManager`.
 */
export class FocusManager implements Manager {
  readonly #unwatch = new WeakMap<Controller, () => void>();

  init(controller: Controller): void {
    const { environment, expireStale } = controller;
    const { isVisible, isOnline, now, watch } = environment;
    const isAwake = (): boolean => isVisible() && isOnline();
    let wasAwake = isAwake();
    let lastAt = -Infinity;
    const unwatch = watch(() => {
      const wakesUp = isAwake() && !wasAwake;
      wasAwake = isAwake();
      // If the clock was set back, `lastAt` may be in the future.
      if (wakesUp && Math.abs(now() - lastAt) >= THROTTLE) {
        lastAt = now();
        expireStale();
      }
    });
    this.#unwatch.set(controller, unwatch);
  }

  cleanup(controller: Controller): void {
    this.#unwatch.get(controller)?.();
  }
}
