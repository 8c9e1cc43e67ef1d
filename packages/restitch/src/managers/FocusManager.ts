import type { Controller } from '../controller/Controller.js';
import type { Manager } from '../controller/Manager.js';

/**
 * Refetches stale data when the screen becomes visible again or the network is back. Fresh data and
 * data without a reader are not fetched.
 *
 * @example
 * ```ts
 * import { Controller, FocusManager, PollingManager } from 'restitch';
 *
 * const controller = new Controller({ managers: [new PollingManager(), new FocusManager()] });
 * ```
 */
export class FocusManager implements Manager {
  #unwatch: (() => void) | undefined;

  init({ environment, expireStale }: Pick<Controller, 'environment' | 'expireStale'>): void {
    const isAwake = (): boolean => environment.isVisible() && environment.isOnline();
    let wasAwake = isAwake();
    this.#unwatch = environment.watch(() => {
      const wakesUp = isAwake() && !wasAwake;
      wasAwake = isAwake();
      if (wakesUp) expireStale();
    });
  }

  cleanup(): void {
    this.#unwatch?.();
  }
}
