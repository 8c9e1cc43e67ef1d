import { useEffect, useState } from 'react';
import { type ArgsOf, PollingManager, type ReadEndpoint } from '../index.js';
import { fixedOf } from '../controller/fixedOf.js';
import { useScope } from './scope.js';
import type { ArgsOrNull } from './useEndpointView.js';
import { isSameQuestion } from './useView.js';

interface Held<E> {
  /** Undefined for a skipped subscription. */
  readonly view: object | undefined;
  readonly endpoint: E;
  readonly args: ArgsOf<E>;
}

/**
 * Keeps the stored result of an endpoint up to date while mounted. Returns nothing: read the data
 * with any hook, in any component.
 *
 * @remarks The data is fetched every `pollFrequency` milliseconds, unless a manager handles the
 * subscription, for example with a stream. Nothing is fetched while the page is hidden or the host
 * is offline. After an error, the data stays in the store. Equal subscriptions share one timer, at
 * the shortest period. `null` as the only argument skips the subscription.
 *
 * @example
 * ```tsx
 * import { RestEndpoint } from 'restitch';
 * import { useCache, useSubscription } from 'restitch/react';
 *
 * const getUnread = new RestEndpoint({ path: '/unread', pollFrequency: 30_000 });
 *
 * export function Badge() {
 *   useSubscription(getUnread);
 *   return <b>{useCache(getUnread)?.count}</b>;
 * }
 * ```
 */
export function useSubscription<E extends ReadEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): void {
  useSubscribed(endpoint, args);
}

export function useSubscribed<E extends ReadEndpoint>(endpoint: E, args: ArgsOrNull<E>): void {
  const { controller } = useScope().root;
  // The cast: without a view (`[null]`), no code reads the arguments.
  const given = args as ArgsOf<E>;
  const view = args[0] === null ? undefined : controller.observe(endpoint, ...given);
  // The cast: `fixedOf` only replaces getters such as `urlPrefix` by their values.
  const now = { view, endpoint: fixedOf(endpoint) as E, args: given };
  const [held, hold] = useState<Held<E>>(now);
  let subscription = held;
  // An equal endpoint in a new object does not restart the subscription.
  const isSame = isSameQuestion(held.view, view);
  if (!isSame || !Object.is(held.endpoint.pollFrequency, endpoint.pollFrequency)) {
    hold((subscription = now));
  }
  useEffect(() => {
    if (subscription.view === undefined) return;
    PollingManager.startFor(controller);
    controller.subscribe(subscription.endpoint, ...subscription.args);
    return () => controller.unsubscribe(subscription.endpoint, ...subscription.args);
  }, [controller, subscription]);
}
