import type { Pagination } from '../endpoint/Pagination.js';
import type { ListArgs } from '../schema/Collection.js';
import type { Listing } from '../store/cells/Cell.js';
import type { Arrange } from '../store/journal/operations.js';
import type { Paging } from '../store/lists/pagingOf.js';
import { placePage } from './placePage.js';
import { type PageParams, textOf } from './PageMark.js';
import { responseOf, noteResponse } from './pickFromResponse.js';
import { overlaps } from './overlaps.js';
import { roundOf } from './Round.js';

/** Options of every style of pagination. */
export interface InfiniteOptions {
  /**
   * The maximum number of loaded pages. Beyond it, loading a further page drops the page at the
   * other end. Default: no maximum.
   */
  readonly maxPages?: number | undefined;
  /**
   * Decides what happens if a new first page has no row in common with the loaded pages. `'keep'`
   * keeps all pages; `loadNext` then fills the gap between them, see `gapAfter`. `'restart'` drops
   * the old pages. Default: `'keep'`.
   */
  readonly onGap?: 'restart' | 'keep' | undefined;
}

/** The parts of a response that a style of pagination reads. */
export interface PageResponse {
  /** The result of the call. */
  readonly body: unknown;
  /** The HTTP response. Undefined if the result did not come from a `RestEndpoint`. */
  readonly response: Response | undefined;
  readonly args: readonly unknown[];
  readonly listArgs: ListArgs;
}

/** The facts about a page that its response contains. */
export interface PageInfo {
  readonly ask: PageParams;
  readonly next: PageParams | null;
  readonly previous: PageParams | null;
  /** True if another page follows. Undefined if the response does not show this. */
  readonly more?: boolean | undefined;
  readonly total?: number | undefined;
  /** The requested page size, if it is known. */
  readonly limit?: number | undefined;
  /**
   * Returns the position of the first row of the page, given the page size. Only pages by position
   * have it.
   */
  readonly at?: ((limit: number) => number) | undefined;
  /** See `overlaps.ts`. */
  readonly isOverlapped?: boolean | undefined;
}

/** Chooses pages by the position of their first row. */
export interface Positions {
  /** Returns the parameters of the page that contains a position. */
  askAt(position: number, limit: number): PageParams;
  /** Returns the position of the first row of a page. */
  positionOf(ask: PageParams, limit: number): number;
  /** Returns the page size in the arguments of a call, if they have one. */
  sizeIn(args: readonly unknown[]): number | undefined;
  /** True if responses contain the number of rows in the whole list. */
  readonly hasTotal: boolean;
}

/** The differences between the styles of pagination. */
export interface Style {
  /** The page parameters, as for `paginationField`. */
  readonly params: readonly string[];
  /** Undefined for the styles whose responses name the next page: cursors and links. */
  readonly positions: Positions | undefined;
  /** The argument with the page size. It does not decide which rows are in the list. */
  readonly sizeKey?: string | undefined;
  /** True if the style can find the next page. False for a `byCursor` without `next`. */
  readonly isComplete: boolean;
  read(response: PageResponse): PageInfo;
  /** Returns the parameters of the page after the mark at `index`; null if there is none. */
  next(listing: Listing, index: number): PageParams | null;
  /** Returns the parameters of the page before the first mark; null if there is none. */
  previous(listing: Listing): PageParams | null;
}

export interface InfinitePagination extends Pagination, Paging, InfiniteOptions {
  readonly sizeKey: string | undefined;
  readonly style: Style;
}

/** Returns the `pagination` option of an endpoint. */
export function createPagination<F extends string>(
  param: F,
  style: Style,
  { maxPages, onGap }: InfiniteOptions,
): Pagination<F> {
  const pagination: InfinitePagination & Pagination<F> = {
    param,
    style,
    sizeKey: style.sizeKey,
    maxPages,
    onGap,
    $note: noteResponse,
    arrangeFor(body, args, listArgs): Arrange {
      const round = roundOf(args);
      const info = style.read({ body, response: responseOf(body), args, listArgs });
      const arrange: Arrange = (before, page) => {
        round?.pages.set(textOf(info.ask), { info, page });
        // After an invalidation, the first page replaces the list at once.
        return round && (before?.isPaged || page.type === 'page')
          ? before
          : placePage(pagination, { ...info, isOverlapped: page.isOverlapped }, before, page);
      };
      arrange.overlaps = overlaps;
      return arrange;
    },
  };
  return pagination;
}

export function paginationOf(endpoint: object): InfinitePagination | undefined {
  // The cast: `createPagination` creates every pagination.
  return (endpoint as { readonly pagination?: InfinitePagination | undefined }).pagination;
}
