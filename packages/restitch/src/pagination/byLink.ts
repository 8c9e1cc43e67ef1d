import type { Pagination } from '../endpoint/Pagination.js';
import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import { splitQuery } from '../host/url.js';
import {
  createPagination,
  type InfiniteOptions,
  type PageInfo,
  type PageResponse,
} from './createPagination.js';
import { linksIn } from './linkHeader.js';
import { marksOf, type PageParams } from './PageMark.js';
import { paramIn } from './pageParams.js';
import { type Picked, pickNumber } from './pickFromResponse.js';

/** Options of `byLink`: the parameters of a link that select a page. */
export interface LinkOptions<F extends string> extends InfiniteOptions {
  /** The query parameters of a link that select a page. The other parameters identify the list. */
  readonly params: readonly [F, ...string[]];
  /** The path to the number of rows in the whole list, or a function that returns the number. */
  readonly total?: Picked<number | undefined> | undefined;
}

/**
 * Pagination by the `Link` header (RFC 8288): `rel="next"` and `rel="prev"`. Only the query
 * parameters in `params` are taken from a link, so the requests go to the endpoint's own server.
 * Across origins, a server must expose the header: `Access-Control-Expose-Headers: Link`.
 *
 * @example
 * ```ts
 * import { byLink, Entity, resource } from 'restitch';
 *
 * class Issue extends Entity {
 *   id = 0;
 * }
 *
 * const Issues = resource({
 *   path: '/repos/:owner/:repo/issues/:id',
 *   schema: Issue,
 *   pagination: byLink({ params: ['page'] }),
 * });
 * ```
 */
export function byLink<F extends string>(options: LinkOptions<F>): Pagination<F> {
  const { params, total } = options;
  let isReported = false;
  const report: PageInfo['noteStored'] = (store, { source = '' }) => {
    if (!isReported) {
      isReported = true;
      const text = `${source}: the link rel="next" has none of the parameters ${params.join()}. The list ends there.`;
      store.report(new RestitchError('page-repeats', isDevelopment ? text : source));
    }
  };
  return createPagination(
    params[0],
    {
      params,
      positions: undefined,
      isComplete: true,
      read(response) {
        const links = linksOf(response);
        const following = links.get('next');
        const next = chosen(params, following);
        return {
          ask: paramsOf(params, response.args),
          next,
          previous: chosen(params, links.get('prev') ?? links.get('previous')),
          more: next !== null,
          total: pickNumber(total, response),
          noteStored: following !== undefined && !next ? report : undefined,
        };
      },
      next: (listing, index) => marksOf(listing)[index]?.next ?? null,
      previous: (listing) => marksOf(listing)[0]?.previous ?? null,
    },
    options,
  );
}

function linksOf({ response }: PageResponse): ReadonlyMap<string, string> {
  return linksIn(response?.headers.get('link') ?? '');
}

function chosen(params: readonly string[], link = ''): PageParams | null {
  const [, ...pairs] = splitQuery(link.replace(/#.*/s, ''));
  const query = new Map<string, string>(pairs.map((pair) => [decoded(pair, 0), decoded(pair, 1)]));
  const found = params.flatMap((name) => {
    const value = query.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return found.length > 0 ? Object.fromEntries(found) : null;
}

function paramsOf(params: readonly string[], args: readonly unknown[]): PageParams {
  return Object.fromEntries(
    params.flatMap((name) => {
      const value = paramIn(args, name);
      const isGiven = typeof value === 'string' || typeof value === 'number';
      return isGiven ? [[name, String(value)] as const] : [];
    }),
  );
}

function decoded(pair: string, side: 0 | 1): string {
  const text = pair.replace('=', '\n').split('\n')[side]?.replaceAll('+', ' ') ?? '';
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
