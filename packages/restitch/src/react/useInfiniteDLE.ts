import { errorOf } from '../controller/LiveView.js';
import { useMemo } from 'react';
import type { EndpointError, InfiniteList, PagedEndpoint } from '../index.js';
import { telling } from './readerModes.js';
import type { ArgsOrNull } from './useEndpointView.js';
import { emptyList, useInfiniteView } from './useInfiniteView.js';

/** The result of `useInfiniteDLE`. */
export interface InfiniteDLE<E> extends InfiniteList<E> {
  /** True until the first page has arrived or failed. Until then, `items` is empty. */
  readonly loading: boolean;
  /** The error of the first page, or of its last refresh. */
  readonly error: EndpointError | undefined;
  /** True if the first page is stale, also if its last refresh failed. */
  readonly isStale: boolean;
}

/**
 * Same as `useInfinite`, but never suspends or throws. Returns the list with `loading` and `error`.
 *
 * @example
 * ```tsx
 * import { byCursor, Collection, Entity, resource } from 'restitch';
 * import { useInfiniteDLE } from 'restitch/react';
 *
 * class Post extends Entity {
 *   id = '';
 *   title = '';
 * }
 * const Posts = resource({
 *   path: '/posts/:id',
 *   schema: Post,
 *   pagination: byCursor({ param: 'cursor', next: 'nextCursor' }),
 * }).extend('getList', { schema: { results: new Collection([Post]), nextCursor: '' } });
 *
 * export function PostList() {
 *   const { items, loading, error, hasNext, loadNext } = useInfiniteDLE(Posts.getList);
 *   if (loading) return <p>Loading…</p>;
 *   if (error) return <p role="alert">{error.message}</p>;
 *   return (
 *     <>
 *       {items.map((post) => <p key={post.id}>{post.title}</p>)}
 *       {hasNext && <button onClick={() => void loadNext()}>More</button>}
 *     </>
 *   );
 * }
 * ```
 */
export function useInfiniteDLE<E extends PagedEndpoint>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): InfiniteDLE<E> {
  const { view, snapshot } = useInfiniteView(endpoint, args, telling);
  return useMemo(() => {
    const isReady = view !== undefined && snapshot.status === 'ready';
    const list = isReady
      ? snapshot.data
      : { ...emptyList<E>(), ...(view && { hasNext: true, refresh: view.refresh }) };
    return {
      ...list,
      loading: snapshot.status === 'pending',
      error: errorOf(snapshot),
      isStale: snapshot.status === 'ready' && snapshot.stale,
    };
  }, [view, snapshot]);
}
