import { useEffect, useState } from 'react';
import type { ArgsOf, ReadEndpoint, ValueOf } from '../index.js';
import type { AbsentOf } from './valueWithoutData.js';
import { cancellingOf } from './cancelling.js';
import { JoinedView, type Part } from './JoinedView.js';
import { waiting } from './readerModes.js';
import { useScope } from './scope.js';
import { rememberFailure } from './useResult.js';
import { suspend, useView } from './useView.js';

/** An endpoint and its arguments. `null` as the argument skips the request. */
export type EndpointCall<E extends ReadEndpoint = ReadEndpoint> = readonly [
  endpoint: E,
  ...args: Maybe<ArgsOf<E>>,
];

/** In a union of two tuples, `id ? { id } : null` would match neither tuple. */
type Maybe<Args extends readonly unknown[]> = Args extends readonly [infer First, ...infer Rest]
  ? readonly [First | null, ...Rest]
  : Args | readonly [null];

/** The data that `useSuspenseAll` returns for a tuple. */
export type DataOf<Q> = Q extends readonly [infer E, ...infer Args]
  ? ValueOf<E> | (null extends Args[0] ? AbsentOf<E> : never)
  : never;

/**
 * Reads several endpoints at once, like `useSuspense` reads one. All requests start together, and
 * the component waits for all responses.
 *
 * @remarks Several calls of `useSuspense` would send their first requests one after the other,
 * because each call suspends. The number of tuples may change between renders. `null` as the only
 * argument skips a request, and returns the same as in `useSuspense`.
 *
 * @example
 * ```tsx
 * import { RestEndpoint } from 'restitch';
 * import { useSuspenseAll } from 'restitch/react';
 *
 * const getUser = new RestEndpoint({ path: '/users/:id' });
 * const getPosts = new RestEndpoint({ path: '/users/:id/posts' });
 *
 * export function Profile({ id }: { id: string }) {
 *   const [user, posts] = useSuspenseAll([
 *     [getUser, { id }],
 *     [getPosts, { id }],
 *   ]);
 *   return <p>{user.name}: {posts.length} posts</p>;
 * }
 * ```
 */
export function useSuspenseAll<
  const Endpoints extends readonly ReadEndpoint[],
  const Calls extends { readonly [K in keyof Endpoints]: EndpointCall<Endpoints[K]> },
>(
  calls: Calls & { readonly [K in keyof Endpoints]: EndpointCall<Endpoints[K]> },
): { -readonly [K in keyof Calls]: DataOf<Calls[K]> } {
  const { root, wait } = useScope();
  const parts = calls.map(([endpoint, ...args]): Part => {
    const cancelling = cancellingOf(endpoint);
    const asked = cancelling?.endpoint ?? endpoint;
    const view = args[0] === null ? undefined : root.controller.observe(asked, ...args);
    return { endpoint: asked, args, view, interest: view && cancelling?.ask(view.key) };
  });
  const [held, hold] = useState(() => new JoinedView(parts));
  let joined = held;
  if (!held.renew(parts)) hold((joined = new JoinedView(parts)));
  const snapshot = useView(root, joined, waiting, undefined);
  useEffect(() => joined.hold(), [joined]);
  // The cast: the data is in the order of the tuples, and the schema of each endpoint describes it.
  type Data = { -readonly [K in keyof Calls]: DataOf<Calls[K]> };
  if (snapshot.status === 'ready') return snapshot.data as unknown as Data;
  if (snapshot.status === 'error') {
    const { error } = snapshot;
    // Registers all failed parts, even with other errors, so that one reset retries all of them.
    for (const { view, endpoint, args } of parts) {
      const part = view?.getSnapshot();
      if (view && part?.status === 'error')
        rememberFailure(root.controller, view, endpoint, args, part.error, error);
    }
    throw error;
  }
  const promises = joined.start(({ interest }) => interest?.signalInRender(false), false);
  for (const promise of promises) wait?.(promise, joined);
  // The cast: without data and error, at least one part loads.
  return suspend(promises[0] as Promise<unknown>);
}
