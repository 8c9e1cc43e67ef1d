import { isDevelopment } from '../errors/development.js';
import type { Dispatch, SubscribeAction, UnsubscribeAction } from '../controller/actions.js';
import type { Controller } from '../controller/Controller.js';
import { internalsOf } from '../controller/internals.js';
import type { EndpointView } from '../controller/EndpointView.js';
import type { Manager } from '../controller/Manager.js';
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
  readonly #polls = new WeakMap<Controller, Polls>();

  readonly middleware = (controller: Controller): ((next: Dispatch) => Dispatch) => {
    internalsOf(controller).isPolled = true;
    const polls: Polls = new Set();
    this.#polls.set(controller, polls);
    return (next) => (action) => {
      next(action);
      if (action.type === 'subscribe') begin(controller, polls, action);
      else if (action.type === 'unsubscribe') end(controller, polls, action);
      for (const poll of polls) {
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

  cleanup(controller: Controller): void {
    const polls = this.#polls.get(controller);
    polls?.forEach((poll) => poll.stop());
    polls?.clear();
  }
}

type Polls = Set<Poll>;

/** By result: endpoints with the same cache key may process responses differently. */
function pollOf(polls: Polls, { result }: EndpointView<unknown>): Poll | undefined {
  return [...polls].find((poll) => poll.result === result);
}

function begin(
  controller: Controller,
  polls: Polls,
  { key, endpoint, view }: SubscribeAction,
): void {
  const { pollFrequency: period = 0 } = endpoint;
  if (!(period > 0)) {
    const message = isDevelopment
      ? `${key} has no \`pollFrequency\`. Set it in milliseconds, or add a manager that handles the subscription.`
      : key;
    controller.environment.report(new RestitchError('no-poll-frequency', message));
    return;
  }
  // The cast: a subscription has the view of an endpoint.
  const own = view as EndpointView<unknown>;
  const poll = pollOf(polls, own) ?? new Poll(controller, own);
  polls.add(poll);
  poll.add(own, period);
}

function end(
  controller: Controller,
  polls: Polls,
  { key, endpoint, view }: UnsubscribeAction,
): void {
  const { pollFrequency: period = 0 } = endpoint;
  // The cast: as in `begin`.
  const poll = pollOf(polls, view as EndpointView<unknown>);
  if (poll?.remove(view, period)) {
    if (poll.isIdle) polls.delete(poll);
  } else if (period > 0) {
    const message = isDevelopment
      ? `${key} has no subscription with a period of ${period} ms. Unsubscribe with the endpoint that subscribed.`
      : key;
    controller.environment.report(new RestitchError('not-subscribed', message));
  }
}
