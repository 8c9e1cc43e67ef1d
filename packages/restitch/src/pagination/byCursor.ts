import type { Pagination } from '../endpoint/Pagination.js';
import { createPagination, type InfiniteOptions } from './createPagination.js';
import { FIRST, marksOf, type PageParams } from './PageMark.js';
import { paramIn } from './pageParams.js';
import { pick, type Picked, pickNumber } from './pickFromResponse.js';

/**
 * The cursor of the next or previous page in a response. Null, undefined, false and an empty text
 * stand for no page.
 */
export type Cursor = string | number | false | null | undefined;

/** Options of `byCursor`: where requests and responses contain the cursor. */
export interface CursorOptions<F extends string> extends InfiniteOptions {
  /** The parameter for the cursor, in the format of `paginationField`. */
  readonly param: F;
  /** The path to the cursor of the next page, or a function that returns the cursor. */
  readonly next?: Picked<Cursor> | undefined;
  /**
   * The path to the cursor of the previous page, or a function that returns the cursor. Set it for
   * lists that also grow at the start.
   */
  readonly previous?: Picked<Cursor> | undefined;
  /** The parameter for the cursor of the previous page. Default: `param`. */
  readonly previousParam?: string | undefined;
  /** The path to the number of rows in the whole list, or a function that returns the number. */
  readonly total?: Picked<number | undefined> | undefined;
}

/**
 * Pagination by cursor: each response contains the cursor of the next page.
 *
 * @example
 * ```ts
 * import { byCursor, Collection, Entity, resource } from 'restitch';
 *
 * class Post extends Entity {
 *   id = '';
 * }
 *
 * const Posts = resource({
 *   path: '/posts/:id',
 *   schema: Post,
 *   pagination: byCursor({ param: 'cursor', next: 'nextCursor' }),
 * }).extend('getList', { schema: { results: new Collection([Post]), nextCursor: '' } });
 * ```
 */
export function byCursor<F extends string>(options: CursorOptions<F>): Pagination<F> {
  const { param, next, previous, previousParam = param, total } = options;
  const params = [...new Set<string>([param, previousParam])];
  return createPagination(
    param,
    {
      params,
      positions: undefined,
      isComplete: next !== undefined,
      read(response) {
        const following = asParams(param, pick(next, response));
        const given = params.map((name) => asParams(name, paramIn(response.args, name)));
        return {
          ask: given.find((ask) => ask !== null) ?? FIRST,
          next: following,
          previous: asParams(previousParam, pick(previous, response)),
          more: following !== null,
          total: pickNumber(total, response),
        };
      },
      next: (listing, index) => marksOf(listing)[index]?.next ?? null,
      previous: (listing) => marksOf(listing)[0]?.previous ?? null,
    },
    options,
  );
}

function asParams(name: string, cursor: unknown): PageParams | null {
  const isNone = (cursor ?? false) === false || cursor === '';
  return isNone ? null : { [name]: cursor };
}
