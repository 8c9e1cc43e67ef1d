import { type ArgsOf, PollingManager, type ReadEndpoint } from '../index.js';
import { fixedOf } from '../controller/fixedOf.js';
import { useScope } from './scope.js';
import type { ArgsOrNull } from './useEndpointView.js';
import { useOngoing } from './useOngoing.js';

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
  const fixed = fixedOf(endpoint) as E;
  // Equal copies have one view, so a copy in each render does not restart the subscription. It has
  // the endpoint of the render that changed the view or the period.
  const subscribe = (): (() => void) => {
    PollingManager.startFor(controller);
    controller.subscribe(fixed, ...given);
    return () => controller.unsubscribe(fixed, ...given);
  };
  useOngoing(controller, view, subscribe, endpoint.pollFrequency);
}
