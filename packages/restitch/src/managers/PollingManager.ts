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
 * Fetches what is subscribed to every `pollFrequency` milliseconds. `useLive` and `useSubscription` bring one, unless the
 * controller has one: then it stands behind all managers. For `controller.subscribe` alone, pass one.
 *
 * @remarks
 * All who subscribe to one question share one timer, at the shortest period asked for. The first request is sent when the
 * stored answer is one period old, or at once when there is none; whatever else fetches the answer meanwhile counts too.
 * Nothing is sent while nobody can see the screen or the network is away; back on the network all fetch at once. Periods vary
 * by a tenth so that clients do not move in step; after errors they double, up to five minutes. A request is never sent before
 * the last one has ended, or hangs for two minutes. An error leaves the data there is in place.
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
  /** By question, whose view the poll retains: endpoints with one key may make different things of a response. */
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

  /**
   * Polls what the managers of a controller hand on, unless one of them polls already.
   *
   * @internal
   */
  static startFor(controller: Controller): void {
    const core = internalsOf(controller);
    if (!core.isPolled) core.addManager(new PollingManager());
  }

  cleanup(): void {
    for (const poll of this.#polls.values()) poll.stop();
    this.#polls.clear();
    this.#rest();
  }

  #begin(controller: Controller, { key, endpoint, args }: SubscribeAction): void {
    const { pollFrequency: period = 0 } = endpoint;
    const { environment } = controller;
    if (!(period > 0)) {
      const message = isDevelopment
        ? `${key} has no \`pollFrequency\`: set it, in milliseconds, or have a manager that handles the subscription.`
        : key;
      environment.report(new RestitchError('no-poll-frequency', message));
      return;
    }
    const view = controller.observe(endpoint, ...args);
    let poll = this.#polls.get(view);
    if (!poll) {
      poll = new Poll(controller, endpoint, args);
      this.#polls.set(view, poll);
      this.#watch(environment);
    }
    poll.add(period);
  }

  #end(controller: Controller, { key, endpoint, args }: UnsubscribeAction): void {
    const { pollFrequency: period = 0 } = endpoint;
    const view = controller.observe(endpoint, ...args);
    const poll = this.#polls.get(view);
    if (poll?.remove(period)) {
      if (!poll.isIdle) return;
      this.#polls.delete(view);
      if (this.#polls.size === 0) this.#rest();
    } else if (period > 0) {
      const message = isDevelopment
        ? `${key} was not subscribed to at ${period} ms: end a subscription with the endpoint it began with.`
        : key;
      controller.environment.report(new RestitchError('not-subscribed', message));
    }
  }

  /** Listens to the host while there is something to poll. */
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
