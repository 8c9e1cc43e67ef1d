import type { Pagination } from '../endpoint/Pagination.js';
import { byPosition, type PositionOptions } from './byPosition.js';

/** Options of `byPage`: the parameters for the page number and the page size. */
export interface PageNumberOptions<F extends string> extends PositionOptions {
  /** The parameter for the page number, in the format of `paginationField`. */
  readonly param: F;
  /** The number of the first page. Default: 1. */
  readonly first?: number | undefined;
  /**
   * The parameter for the page size, if calls have one. It is no filter: a created row joins lists
   * of any page size. Default: none; the page size is then the length of the longest page.
   */
  readonly size?: string | undefined;
}

/**
 * Pagination by page number. After creates and deletes, a page with missing rows is loaded again.
 * No row shows twice.
 *
 * @example
 * ```ts
 * import { byPage, Collection, Entity, resource } from 'restitch';
 *
 * class Post extends Entity {
 *   id = '';
 * }
 *
 * const Posts = resource({
 *   path: '/posts/:id',
 *   schema: Post,
 *   pagination: byPage({ param: 'page', total: 'total' }),
 * }).extend('getList', { schema: { results: new Collection([Post]), total: 0 } });
 * ```
 */
export function byPage<F extends string>(options: PageNumberOptions<F>): Pagination<F> {
  const { param, first = 1, size } = options;
  return byPosition(
    {
      param,
      size,
      isNumbered: true,
      positionOf: (page = first, limit) => (page - first) * limit,
      valueAt: (position, limit) => first + Math.floor(position / limit),
      valueBefore: (position, limit) => first + Math.floor((position - 1) / limit),
    },
    options,
  );
}
