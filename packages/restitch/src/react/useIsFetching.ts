import { useSyncExternalStore } from 'react';
import type { ArgsOf, EndpointInterface } from '../index.js';
import { useScope } from './scope.js';
import type { ArgsOrNull } from './useEndpointView.js';

/**
 * Returns the number of requests in flight, reads and mutations: all, of an endpoint, or with
 * arguments of one key. Joined reads count once. `null` as the only argument returns 0.
 *
 * @example
 * ```tsx
 * import { useIsFetching } from 'restitch/react';
 *
 * export function ProgressBar() {
 *   return useIsFetching() > 0 ? <progress /> : null;
 * }
 * ```
 */
export function useIsFetching<E extends EndpointInterface>(
  endpoint?: E,
  ...args: ArgsOrNull<E> | readonly []
): number {
  const { countFetching, watchFetching } = useScope().root.controller;
  // The cast: the condition has ruled out `[null]`.
  const count = (): number =>
    args[0] === null ? 0 : countFetching(endpoint, ...(args as ArgsOf<E>));
  return useSyncExternalStore(watchFetching, count, () => 0);
}
