import { isDevelopment } from '../errors/development.js';
import type { Dispatch, SubscribeAction, UnsubscribeAction } from '../controller/actions.js';
import type { Controller } from '../controller/Controller.js';
import { internalsOf } from '../controller/internals.js';
import type { Environment } from '../controller/Environment.js';
import type { Manager } from '../controller/Manager.js';
import type { View } from '../controller/View.js';
import { RestitchError } from '../errors/RestitchError.js';
import { Poll } from './Poll.js';

/**
 * Fetches the data of subscriptions every `pollFrequency` milliseconds. `useLive` and
 * `useSubscription` add a `PollingManager` behind all other managers, unless the controller has
 * one. For `controller.subscribe`, pass a `PollingManager` to the controller.
 *
 * @remarks
 * - Subscribers of the same endpoint and arguments share one timer, with the shortest of their
 *   periods.
 * - The first request is sent when the stored result is one period old. Without a stored result, a
 *   request is sent at once. Any other fetch of the same data also starts a new period.
 * - Nothing is sent while the screen is hidden or the network is down. When the network is back,
 *   each poll fetches immediately.
 * - Periods vary by up to a tenth, so that clients do not poll at the same time. After each error,
 *   the period doubles, up to five minutes.
 * - Each request waits for the end of the previous one, for at most two minutes.
 * - After an error, existing data stays in the store.
 *
 * @example
 * ```ts
 * import { Controller, PollingManager, RestEndpoint } from 'restitch';
 *
 * const controller = new Controller({ managers: [new PollingManager()] });
 * const getPrice = new RestEndpoint({ path: '/price/:id', pollFrequency: 5_000 });
 * controller.subscribe(getPrice, { id: 'BTC' });
 * ```
 */
export class PollingManager implements Manager {
  /** By view: endpoints with the same cache key may process responses differently. */
  readonly #polls = new Map<View<unknown>, Poll>();
  #unwatch: (() => void) | undefined;

  readonly middleware = (controller: Controller): ((next: Dispatch) => Dispatch) => {
    internalsOf(controller).isPolled = true;
    return (next) => (action) => {
      next(action);
      if (action.type === 'subscribe') this.#begin(controller, action);
      else if (action.type === 'unsubscribe') this.#end(controller, action);
      for (const poll of this.#polls.values()) {
        if (action.type === 'reset') poll.restart();
        else poll.wake();
      }
    };
  };

  /** @internal Called by hooks that subscribe, such as `useLive`. */
  static startFor(controller: Controller): void {
    const core = internalsOf(controller);
    if (!core.isPolled) core.addManager(new PollingManager());
  }

  cleanup(): void {
    for (const poll of this.#polls.values()) poll.stop();
    this.#polls.clear();
    this.#rest();
  }

  #begin(controller: Controller, { key, endpoint, view }: SubscribeAction): void {
    const { pollFrequency: period = 0 } = endpoint;
    const { environment } = controller;
    if (!(period > 0)) {
      const message = isDevelopment
        ? `${key} has no \`pollFrequency\`. Set it in milliseconds, or add a manager that handles the subscription.`
        : key;
      environment.report(new RestitchError('no-poll-frequency', message));
      return;
    }
    let poll = this.#polls.get(view);
    if (!poll) {
      poll = new Poll(controller, view);
      this.#polls.set(view, poll);
      this.#watch(environment);
    }
    poll.add(period);
  }

  #end(controller: Controller, { key, endpoint, view }: UnsubscribeAction): void {
    const { pollFrequency: period = 0 } = endpoint;
    const poll = this.#polls.get(view);
    if (poll?.remove(period)) {
      if (!poll.isIdle) return;
      this.#polls.delete(view);
      if (this.#polls.size === 0) this.#rest();
    } else if (period > 0) {
      const message = isDevelopment
        ? `${key} has no subscription with a period of ${period} ms. Unsubscribe with the endpoint that subscribed.`
        : key;
      controller.environment.report(new RestitchError('not-subscribed', message));
    }
  }

  #watch({ isOnline, watch }: Environment): void {
    let wasOnline = isOnline();
    this.#unwatch ??= watch(() => {
      const isBack = isOnline() && !wasOnline;
      wasOnline = isOnline();
      for (const poll of this.#polls.values()) {
        if (isBack) poll.restart();
        else poll.plan();
      }
    });
  }

  #rest(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
  }
}
