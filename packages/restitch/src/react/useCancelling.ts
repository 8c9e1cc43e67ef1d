import { useEffect, useMemo, useState } from 'react';
import type { EndpointInterface } from '../index.js';
import { bareLoadsOf } from './bareLoads.js';
import { Asking, derive } from './cancelling.js';
import { firstLoadsOf } from './firstLoads.js';
import { useScope } from './scope.js';
import type { ArgsOrNull } from './useEndpointView.js';

/**
 * An endpoint whose request in flight is aborted when the component no longer wants it: when it asks for other arguments,
 * and when it unmounts. A request that somebody else waits for as well goes on.
 *
 * @remarks
 * With arguments, the returned endpoint stands for that one question and is the same object while they are equal. Without,
 * it may be asked for anything, by a reading hook or `controller.fetch`, and cancels what it was asked before: the form for
 * search as you type. It may be handed to a child that reads it.
 *
 * React keeps nothing of a component that waits for its first data; the nearest `AsyncBoundary` remembers what it asked for.
 * Below a bare `Suspense`, `useSuspense` and `useLive` cancel a first load when another one is asked for, and not when the
 * component goes away.
 *
 * An aborted call rejects with an `AbortError`; readers never see one.
 *
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
  // Rarely an endpoint changes; what was asked of the one before is then of no interest any more.
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
