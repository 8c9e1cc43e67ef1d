import type { Pagination } from '../endpoint/Pagination.js';
import { byPosition, type PositionOptions } from './byPosition.js';

/** Options of `byOffset`: the parameters for the offset and the page size. */
export interface OffsetOptions<F extends string> extends PositionOptions {
  /** The parameter for the number of rows before the page, in the format of `paginationField`. */
  readonly param: F;
  /**
   * The parameter for the page size, if calls have one. It is no filter: a created row joins lists
   * of any page size. Default: none; the page size is then the length of the longest page.
   */
  readonly limit?: string | undefined;
}

/**
 * Pagination by offset. The offset counts confirmed rows. So after a create or delete, the next
 * page neither repeats nor skips a row.
 *
 * @example
 * ```ts
 * import { byOffset, Entity, resource } from 'restitch';
 *
 * class Post extends Entity {
 *   id = '';
 * }
 *
 * const Posts = resource({
 *   path: '/posts/:id',
 *   schema: Post,
 *   searchParams: { limit: 20 } as { limit?: number },
 *   pagination: byOffset({ param: 'offset', limit: 'limit' }),
 * });
 * ```
 */
export function byOffset<F extends string>(options: OffsetOptions<F>): Pagination<F> {
  const { param, limit } = options;
  return byPosition(
    {
      param,
      size: limit,
      isNumbered: false,
      positionOf: (offset = 0) => offset,
      valueAt: (position) => position,
      valueBefore: (position, size) => Math.max(0, position - size),
    },
    options,
  );
}
