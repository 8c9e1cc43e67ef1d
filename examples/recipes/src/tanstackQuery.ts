import type { ArgsOf, Controller, ReadEndpoint, ValueOf } from 'restitch';

/** Options for `useQuery` of TanStack Query. You can add more. */
export interface ControllerQuery<T> {
  readonly queryKey: readonly [string];
  readonly queryFn: () => Promise<T>;
}

/**
 * Lets TanStack Query send its requests through the controller of restitch.
 *
 * Use it to migrate an application screen by screen. Components that still use TanStack Query fill
 * the same normalized cache as those that use restitch. `useQuery(controllerQuery(controller,
 * getUser, { id }))` sends one request, and every restitch reader of that user shows the response.
 * TanStack Query keeps its own copy until it fetches again: call `queryClient.invalidateQueries`
 * after a mutation, as before.
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
