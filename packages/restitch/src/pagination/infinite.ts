import { isDevelopment } from '../errors/development.js';
import type { ArgsOf } from '../endpoint/EndpointInterface.js';
import { RestitchError } from '../errors/RestitchError.js';
import type { EndpointView } from '../controller/EndpointView.js';
import type { Controller } from '../controller/Controller.js';
import { internalsOf } from '../controller/internals.js';
import { collectionOf } from '../schema/listsInSchema.js';
import { paginationOf } from './createPagination.js';
import type { InfiniteView, PagedEndpoint } from './InfiniteList.js';
import { InfiniteViewClass } from './infiniteViewClass.js';
import { listViewOf } from './listViewOf.js';

const views = new WeakMap<object, InfiniteViewClass>();

/**
 * Returns the live view of a list that is loaded page by page. While the view is in use, each call
 * with the same endpoint and arguments returns the same view.
 *
 * @throws RestitchError `no-pagination` if the `schema` has no `Collection`, or the `pagination`
 * cannot find the next page.
 * @example
 * ```ts
 * import { byCursor, Collection, Controller, Entity, infinite, resource } from 'restitch';
 *
 * class Post extends Entity {
 *   id = '';
 * }
 * const Posts = resource({
 *   path: '/posts/:id',
 *   schema: Post,
 *   pagination: byCursor({ param: 'cursor', next: 'nextCursor' }),
 * }).extend('getList', { schema: { results: new Collection([Post]), nextCursor: '' } });
 *
 * const controller = new Controller();
 * const posts = infinite(controller, Posts.getList);
 * const more = () => posts.loadNext();
 * ```
 */
export function infinite<E extends PagedEndpoint>(
  controller: Controller,
  endpoint: E,
  ...args: ArgsOf<E>
): InfiniteView<E> {
  // The cast: `observe` returns an `EndpointView` for an endpoint.
  const first = controller.observe(endpoint, ...args) as EndpointView<unknown>;
  const core = internalsOf(controller);
  const view = listViewOf(views, core, first, () => {
    const pagination = paginationOf(endpoint);
    if (!pagination?.style.isComplete || !collectionOf(first.endpoint.schema)) {
      const message = `${endpoint.name}: an infinite list needs a Collection in the \`schema\`, and a \`pagination\` that names the next page.`;
      throw new RestitchError('no-pagination', isDevelopment ? message : endpoint.name);
    }
    return new InfiniteViewClass(core, controller, { first, pagination });
  });
  // The cast: the view reads the list of this endpoint.
  return view as unknown as InfiniteView<E>;
}
