import type { Controller } from '../controller/Controller.js';
import type { Manager } from '../controller/Manager.js';

/**
 * Lets readers fetch again what has become stale when the screen is seen again and when the network is back. Fresh answers
 * are left alone, and what nobody reads is not fetched.
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

  init({ environment, expireStale }: Controller): void {
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
