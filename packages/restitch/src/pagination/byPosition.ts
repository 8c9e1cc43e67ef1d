import type { Pagination } from '../endpoint/Pagination.js';
import { createPagination, type InfiniteOptions, type Positions } from './createPagination.js';
import { HiddenRows } from './HiddenRows.js';
import { FIRST, isFirst, marksOf, type PageParams } from './PageMark.js';
import { argumentOf, paramIn } from './pageParams.js';
import { pick, type Picked, pickNumber } from './pickFromResponse.js';
import { createdInFront, endOf, pageSizeIn, startOf } from './serverPositions.js';

/** Options of `byPage` and `byOffset`. */
export interface PositionOptions extends InfiniteOptions {
  /**
   * The path to a boolean, or a function that returns it: true if another page follows. By default,
   * the total decides; without a total, the length of the page decides.
   */
  readonly more?: Picked<boolean | undefined> | undefined;
  /** The path to the number of rows in the whole list, or a function that returns the number. */
  readonly total?: Picked<number | undefined> | undefined;
}

interface Numbering<F extends string> {
  readonly param: F;
  readonly size: string | undefined;
  readonly isNumbered: boolean;
  readonly positionOf: (value: number | undefined, limit: number) => number;
  readonly valueAt: (position: number, limit: number) => number;
  /** Returns the number or offset of the page that ends before a position. */
  readonly valueBefore: (position: number, limit: number) => number;
}

/**
 * The position of the next page is the number of confirmed rows before it. So after a create or
 * delete of this client, the next page skips no row.
 *
 * ```
 *   a b c │ d e f        the next offset is 6
 *   a c │ d e f          b was deleted: 5
 *   x a c │ d e f        x was created at the start: 6
 * ```
 */
export function byPosition<F extends string>(
  { param, size, isNumbered, positionOf, valueAt, valueBefore }: Numbering<F>,
  options: PositionOptions,
): Pagination<F> {
  const { more, total } = options;
  const paramsFor = (value: number | undefined): PageParams =>
    value === undefined || positionOf(value, 1) === 0 ? FIRST : { [param]: value };
  const askAt = (position: number, limit: number): PageParams =>
    paramsFor(valueAt(position, Math.max(1, limit)));
  const sizeIn = (args: readonly unknown[]): number | undefined =>
    size === undefined ? undefined : sizeOf(paramIn(args, size));
  const positions: Positions = {
    askAt,
    positionOf: (ask, limit) => positionOf(numberIn(ask[param]), limit),
    sizeIn,
    hasTotal: total !== undefined,
    createHiddenRows: () => new HiddenRows(),
  };
  return createPagination(
    param,
    {
      params: [param],
      positions,
      sizeKey: size && argumentOf(size),
      isComplete: true,
      read(response) {
        const value = numberIn(paramIn(response.args, param));
        const isMore = pick(more, response);
        return {
          ask: paramsFor(value),
          next: null,
          previous: null,
          more: isMore === undefined ? undefined : Boolean(isMore),
          total: pickNumber(total, response),
          limit: sizeIn(response.requestArgs),
          at: (limit) => positionOf(value, limit),
          isNumbered,
        };
      },
      next(listing, index, limit) {
        const marks = marksOf(listing);
        const mark = marks[index];
        return mark ? askAt(endOf(mark) + (mark.lack ?? 0), pageSizeIn(marks, limit)) : null;
      },
      previous(listing, limit) {
        const marks = marksOf(listing);
        const start = startOf(marks[0]);
        const first = start + createdInFront(listing);
        return start > 0 && !isFirst(marks[0]?.ask)
          ? paramsFor(valueBefore(first, pageSizeIn(marks, limit)))
          : null;
      },
    },
    options,
  );
}

function sizeOf(given: unknown): number | undefined {
  const value = numberIn(given);
  return value !== undefined && value >= 1 ? value : undefined;
}

function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
