import { isDevelopment } from '../errors/development.js';
import type { ArgsOf, EndpointInterface } from '../endpoint/EndpointInterface.js';
import { RestitchError } from '../errors/RestitchError.js';
import type { EndpointView } from '../controller/EndpointView.js';
import type { Controller } from '../controller/Controller.js';
import { internalsOf } from '../controller/internals.js';
import { collectionOf } from '../schema/listsInSchema.js';
import { paginationOf } from './createPagination.js';
import type { InfiniteView, PagedEndpoint } from './InfiniteList.js';
import { InfiniteViewClass } from './infiniteViewClass.js';
import { listViewOf } from './listViewOf.js';
import { paramIn } from './pageParams.js';

const views = new WeakMap<object, InfiniteViewClass>();

/**
 * Returns the live view of a list that is loaded page by page. While the view is in use, each call
 * with the same endpoint and arguments returns the same view.
 *
 * @throws RestitchError `no-pagination` if the `schema` has no `Collection`, or the `pagination`
 * cannot find the next page; `page-in-arguments` if the arguments contain a page parameter.
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
    refusePage(endpoint, first.args, pagination.style.params);
    return new InfiniteViewClass(core, controller, { first, pagination });
  });
  // The cast: the view reads the list of this endpoint.
  return view as unknown as InfiniteView<E>;
}

/** The list of such a call has one page only: `/posts?page=2` is another list than `/posts`. */
function refusePage(
  { name }: EndpointInterface,
  args: readonly unknown[],
  params: readonly string[],
): void {
  for (const param of params) {
    if (paramIn(args, param) != null) {
      const message = `${name}: remove the page parameter \`${param}\` from the arguments. An infinite list starts with its first page and loads the other pages with \`loadNext\`.`;
      throw new RestitchError('page-in-arguments', isDevelopment ? message : name);
    }
  }
}
