import { useEffect, useMemo, useState } from 'react';
import type { EndpointInterface } from '../index.js';
import { bareLoadsOf } from './bareLoads.js';
import { Asking, derive } from './cancelling.js';
import { firstLoadsOf } from './firstLoads.js';
import { useScope } from './scope.js';
import type { ArgsOrNull } from './useEndpointView.js';

/**
 * Returns an endpoint whose request in flight is aborted when the component reads other arguments
 * or unmounts. A request continues if other callers wait for it. An aborted call rejects with an
 * `AbortError`; readers never receive this error.
 *
 * @remarks Without arguments, the returned endpoint accepts any arguments, in a reading hook or
 * `controller.fetch`. Each request, even a direct call, cancels the previous one. Use this form for
 * search as you type. A child component may read the endpoint. With arguments, the returned
 * endpoint accepts only these arguments. It stays the same object while the arguments are equal.
 *
 * Below an `AsyncBoundary`, the first load of a component is canceled too. Without a boundary, only
 * `useSuspense` and `useLive` cancel a first load, and only when another load is requested.
 * @example
 * ```tsx
 * import { RestEndpoint } from 'restitch';
 * import { useCancelling, useSuspense } from 'restitch/react';
 *
 * const search = new RestEndpoint({ path: '/search', searchParams: {} as { q: string } });
 *
 * export function Hits({ q }: { q: string }) {
 *   const hits: { title: string }[] = useSuspense(useCancelling(search), { q });
 *   return <p>{hits.map((hit) => hit.title).join(', ')}</p>;
 * }
 * ```
 */
export function useCancelling<E extends EndpointInterface>(
  endpoint: E,
  ...args: ArgsOrNull<E> | readonly []
): E {
  const { root, attempts } = useScope();
  const firstLoads = attempts && firstLoadsOf(attempts);
  const bareLoads = firstLoads ? undefined : bareLoadsOf(root, endpoint);
  const [first] = useState(() => new Asking(endpoint, firstLoads, bareLoads));
  const asking = useMemo(
    () => (first.endpoint === endpoint ? first : new Asking(endpoint, firstLoads, bareLoads)),
    [first, endpoint, firstLoads, bareLoads],
  );
  const isFixed = args.length > 0;
  const isIdle = isFixed && args[0] === null;
  const key = !isFixed ? undefined : isIdle ? '' : endpoint.key(...args);
  const interest = key ? asking.ask(key) : undefined;
  useEffect(() => asking.mount(), [asking]);
  useEffect(() => interest?.hold(), [interest]);
  return useMemo(() => derive(endpoint, asking, key), [endpoint, asking, key]);
}
