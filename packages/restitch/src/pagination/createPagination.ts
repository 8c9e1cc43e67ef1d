import type { Pagination } from '../endpoint/Pagination.js';
import type { Listing } from '../store/cells/Cell.js';
import type { Store } from '../store/cells/Store.js';
import type { Arrange } from '../store/journal/operations.js';
import type { Transaction } from '../store/journal/Transaction.js';
import { markedLists, type Paging } from '../store/lists/Paging.js';
import type { HiddenRows } from './HiddenRows.js';
import { keepPages } from './keepPages.js';
import { placePage } from './placePage.js';
import { isFirst, type PageParams, textOf } from './PageMark.js';
import { withoutSkipped } from './pageOperation.js';
import { responseOf, noteResponse } from './pickFromResponse.js';
import { leavesOutdated } from './outdatedRows.js';
import { overlaps } from './overlaps.js';
import { noteOpening, type Opening, roundOf } from './Round.js';

/** Options of every style of pagination. */
export interface InfiniteOptions {
  /**
   * The maximum number of loaded pages. Default: no maximum. At the maximum, `loadNext` drops the
   * first page. `loadPrevious` drops the last page, but only if `loadNext` can load it again.
   */
  readonly maxPages?: number | undefined;
  /**
   * Decides what happens if a new first page has no row in common with the loaded pages. `'keep'`
   * keeps all pages; `loadNext` then fills the gap between them, see `gapAfter`. `'restart'` drops
   * the old pages. Default: `'keep'`.
   */
  readonly onGap?: 'restart' | 'keep' | undefined;
}

export interface PageResponse {
  readonly body: unknown;
  /** Undefined if the result did not come from a `RestEndpoint`. */
  readonly response: Response | undefined;
  readonly args: readonly unknown[];
  /** The arguments with the default search parameters of the endpoint. */
  readonly requestArgs: readonly unknown[];
}

export interface PageInfo {
  readonly ask: PageParams;
  readonly next: PageParams | null;
  readonly previous: PageParams | null;
  readonly more?: boolean | undefined;
  readonly total?: number | undefined;
  readonly limit?: number | undefined;
  /** The position of the first row. Undefined for pages by cursor or link. */
  readonly at?: ((limit: number) => number) | undefined;
  readonly isNumbered?: boolean | undefined;
  readonly isOverlapped?: boolean | undefined;
  readonly noteStored?: ((store: Store, transaction: Transaction) => void) | undefined;
}

export interface Positions {
  askAt(position: number, limit: number): PageParams;
  positionOf(ask: PageParams, limit: number): number;
  sizeIn(args: readonly unknown[]): number | undefined;
  readonly hasTotal: boolean;
  /** The next page would skip a row for each row that the server deleted. */
  createHiddenRows(): HiddenRows;
}

export interface Style {
  /** The page parameters, in the format of `paginationField`. */
  readonly params: readonly string[];
  /** Undefined for cursors and links: their responses name the next page. */
  readonly positions: Positions | undefined;
  /** The argument with the page size. It is no filter: a created row joins lists of any size. */
  readonly sizeKey?: string | undefined;
  /** False for a `byCursor` without `next`, which cannot find the next page. */
  readonly isComplete: boolean;
  read(response: PageResponse): PageInfo;
  /** Pages by position need the page size of the reader, if it has one. */
  next(listing: Listing, index: number, limit?: number): PageParams | null;
  previous(listing: Listing, limit?: number): PageParams | null;
}

export interface InfinitePagination extends Pagination, Paging, InfiniteOptions {
  readonly sizeKey: string | undefined;
  readonly style: Style;
}

export function createPagination<F extends string>(
  param: F,
  style: Style,
  { maxPages, onGap }: InfiniteOptions,
): Pagination<F> {
  markedLists.replace = keepPages;
  const pagination: InfinitePagination & Pagination<F> = {
    param,
    style,
    sizeKey: style.sizeKey,
    maxPages,
    onGap,
    $note: noteResponse,
    arrangeFor(body, args, requestArgs): Arrange {
      const round = roundOf(args);
      const info = style.read({ body, response: responseOf(body), args, requestArgs });
      let opening: Opening | undefined;
      const arrange: Arrange = (before, given) => {
        const page = withoutSkipped(given);
        round?.pages.set(textOf(info.ask), { info, page });
        if (opening) {
          opening.page = { info, page };
        }
        // While a round loads all pages again, a list of several pages does not change. A list of
        // one page needs only its first page.
        return round && (before?.isPaged || page.type === 'page')
          ? before
          : placePage(pagination, { ...info, isOverlapped: page.isOverlapped }, before, page);
      };
      arrange.noteStored = (store, cell, transaction, members) => {
        info.noteStored?.(store, transaction);
        if (overlaps(store, cell, transaction)) {
          return true;
        }
        const isOpening = isFirst(info.ask);
        const isUnsure = leavesOutdated(store, cell, transaction, members, isOpening);
        const isNew = (cell.lifetime.expiredIn ?? 0) <= transaction.start;
        opening = isUnsure && isOpening && isNew ? noteOpening(store, cell) : undefined;
        return isUnsure;
      };
      return arrange;
    },
  };
  return pagination;
}

export function paginationOf(endpoint: object): InfinitePagination | undefined {
  // The cast: `createPagination` creates every pagination.
  return (endpoint as { readonly pagination?: InfinitePagination | undefined }).pagination;
}
