import type { Listing } from '../store/cells/Cell.js';
import { isEmpty, placeOfIndex, sparseLength, sparseMarks, startOfPage } from './arrangeSparse.js';
import type { WindowRange } from './SparseList.js';

export interface Reach {
  range: WindowRange;
}

export function startsIn(
  ranges: Iterable<Reach>,
  listing: Listing | undefined,
  limit: number,
): Set<number> {
  const length = sparseLength(listing);
  const starts = new Set<number>();
  for (const { range } of ranges) {
    // A range behind the end needs the last page, because rows may have been added.
    const first = Math.max(0, Math.min(range.start, (length ?? Infinity) - 1));
    // A range without an end begins with its first page, whose response contains the length. An
    // empty range needs a page as well, because the length changes with each create.
    const last = Math.min(range.end, length ?? (range.end < Infinity ? Infinity : first + 1));
    const end = Math.max(last, first + 1);
    for (let start = startOfPage(first, limit); start < end; start += limit || Infinity) {
      starts.add(start);
    }
  }
  return starts;
}

const WHOLE: Reach = { range: { start: 0, end: Infinity } };

/** In a new page, any missing row counts. In another page, only the ranges count. */
export function hasHole(
  ranges: Iterable<Reach>,
  listing: Listing | undefined,
  limit: number,
  start: number,
  isNew: boolean,
): boolean {
  const marks = sparseMarks(listing);
  const length = sparseLength(listing) ?? 0;
  const last = Math.min(start + (limit || Infinity), length);
  for (const { range } of isNew ? [WHOLE] : ranges) {
    const end = Math.min(range.end, last);
    for (let index = Math.max(range.start, start); index < end; index += 1) {
      if (placeOfIndex(marks, index) === undefined && !isEmpty(marks, index)) {
        return true;
      }
    }
  }
  return isNew && length === 0;
}
