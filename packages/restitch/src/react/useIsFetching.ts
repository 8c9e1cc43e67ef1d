import { useSyncExternalStore } from 'react';
import { countRequests, type EndpointInterface, type Filter } from '../index.js';
import { useScope } from './scope.js';
import type { FailedArgs } from './useError.js';

/**
 * Returns the number of reads and mutations in flight. Pass an endpoint, an endpoint with arguments
 * or a filter to count only some of them.
 *
 * @remarks A read with several callers counts as one. `null` as the only argument returns 0. The
 * component renders again only when the number changes.
 *
 * @example
 * ```tsx
 * import { useIsFetching } from 'restitch/react';
 *
 * export function ProgressBar() {
 *   return useIsFetching({ sideEffect: false }) > 0 ? <progress /> : null;
 * }
 * ```
 */
export function useIsFetching<E extends EndpointInterface>(
  endpoint?: E,
  ...args: FailedArgs<E> | readonly []
): number;
export function useIsFetching(filter: Filter): number;
export function useIsFetching(
  selected?: EndpointInterface | Filter,
  ...args: readonly unknown[]
): number {
  return useRequestCount(selected, args);
}

export function useRequestCount(
  selected: EndpointInterface | Filter | undefined,
  args: readonly unknown[],
  more?: Filter,
): number {
  const { controller } = useScope().root;
  const filter =
    typeof selected === 'function'
      ? { endpoint: selected, ...(args.length > 0 && { args }) }
      : selected;
  const count = (): number =>
    args[0] === null
      ? 0
      : countRequests(controller, filter || more ? { ...filter, ...more } : undefined);
  return useSyncExternalStore(controller.watchFetching, count, () => 0);
}
