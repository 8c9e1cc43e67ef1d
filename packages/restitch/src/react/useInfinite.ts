import type { InfiniteList, PagedEndpoint } from '../index.js';
import { remember } from './failures.js';
import { waiting } from './readerModes.js';
import type { ArgsOrNull } from './useEndpointView.js';
import { emptyList, useInfiniteView } from './useInfiniteView.js';
import { suspend } from './useView.js';

/**
 * Reads a list that is loaded page by page, for "load more" buttons and infinite scrolling.
 * Suspends for the first page, and throws its error to the boundary. Errors of further pages are in
 * `nextError` and `previousError`.
 *
 * @remarks `null` as the only argument skips the list and returns an empty one.
 *
 * @example
 * ```tsx
 * import { byCursor, Collection, Entity, resource } from 'restitch';
 * import { useInfinite } from 'restitch/react';
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
 *   const { items, hasNext, isLoadingNext, loadNext } = useInfinite(Posts.getList);
 *   return (
 *     <>
 *       {items.map((post) => <p key={post.id}>{post.title}</p>)}
 *       {hasNext && <button disabled={isLoadingNext} onClick={() => void loadNext()}>More</button>}
 *     </>
 *   );
 * }
 * ```
 */
export function useInfinite<E extends PagedEndpoint>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): InfiniteList<E> {
  const { view, snapshot, asked, scope } = useInfiniteView(endpoint, args, waiting);
  if (!view) return emptyList();
  if (snapshot.status === 'ready') return snapshot.data;
  if (snapshot.status === 'error') {
    const { error } = snapshot;
    remember(error, view, () => {
      const now = view.getSnapshot();
      // If another boundary has already retried, the result of its retry must stay.
      if (now.status === 'error' && now.error === error)
        void scope.root.controller.invalidate(asked, ...args);
    });
    throw error;
  }
  const promise = view.load(undefined, true);
  scope.wait?.(promise, view);
  return suspend(promise);
}
