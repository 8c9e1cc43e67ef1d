import { useEffect, useState } from 'react';
import { type ArgsOf, PollingManager, type ReadEndpoint } from '../index.js';
import { useScope } from './scope.js';
import type { ArgsOrNull } from './useEndpointView.js';

interface Question<E> {
  /** What it shows; undefined while nothing is asked. */
  readonly view: object | undefined;
  readonly endpoint: E;
  readonly args: ArgsOf<E>;
}

/**
 * Keeps the stored answer of an endpoint up to date while mounted: it is fetched every `pollFrequency` milliseconds, unless a
 * manager takes the subscription and streams it. Returns nothing: read it with any hook, anywhere.
 *
 * @remarks
 * `null` as the only argument means "not now". All who want the same share one timer, at the shortest period. While the
 * screen is hidden or offline nothing is fetched, and an error leaves the data in place.
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

/** As `useSubscription`, for hooks that were given a list of arguments. */
export function useSubscribed<E extends ReadEndpoint>(endpoint: E, args: ArgsOrNull<E>): void {
  const { controller } = useScope().root;
  // The cast drops `[null]`, for which there is no key.
  const asked = args as ArgsOf<E>;
  const view = args[0] === null ? undefined : controller.observe(endpoint, ...asked);
  const [held, hold] = useState<Question<E>>({ view, endpoint, args: asked });
  let question = held;
  // Another object for the same endpoint is no reason to begin anew.
  if (held.view !== view || !Object.is(held.endpoint.pollFrequency, endpoint.pollFrequency)) {
    hold((question = { view, endpoint, args: asked }));
  }
  useEffect(() => {
    if (question.view === undefined) return;
    PollingManager.startFor(controller);
    controller.subscribe(question.endpoint, ...question.args);
    return () => controller.unsubscribe(question.endpoint, ...question.args);
  }, [controller, question]);
}
