import type { ArgsOf, Controller, ReadEndpoint, ValueOf } from 'restitch';

/** What `useQuery` of TanStack Query needs to know; pass it on, with further options beside it. */
export interface ControllerQuery<T> {
  readonly queryKey: readonly [string];
  readonly queryFn: () => Promise<T>;
}

/**
 * TanStack Query asks, the controller of restitch fetches.
 *
 * Use it to move an application screen by screen: components that still use TanStack Query fill the same normalized cache as
 * those that use restitch. `useQuery(controllerQuery(controller, getUser, { id }))` sends one request, and every restitch
 * reader of that user shows what it brought. The other way round, TanStack Query keeps what it was given until it asks again:
 * `queryClient.invalidateQueries` after a mutation, as before.
 */
export function controllerQuery<E extends ReadEndpoint>(
  controller: Controller,
  endpoint: E,
  ...args: ArgsOf<E>
): ControllerQuery<ValueOf<E>> {
  // The cache key of the request, so that equal calls share one query.
  return {
    queryKey: [endpoint.key(...args)],
    queryFn: () => controller.fetch(endpoint, ...args),
  };
}
