import type { Listing, PageMark } from '../store/cells/Cell.js';
import type { Arrange, ReplaceMembers } from '../store/journal/operations.js';
import { wholeList } from '../store/lists/members.js';
import type { PageInfo } from './createPagination.js';

/**
 * Loaded rows of a windowed list with consecutive indexes. Creates and deletes move the ends, and
 * so the indexes of all rows behind.
 *
 * ```
 *   index     0 1 2 … … … 6 7 8          length 10
 *   members   a b c       g h i
 *   marks         3 +0        6 +3       end, and the index of a row minus its index in `members`
 * ```
 *
 * An index is `empty` if its page has no row for it: the page sent the row twice, or `process`
 * skipped the row.
 */
export interface SparseMark extends PageMark {
  readonly skew: number;
  /** The number of rows in the whole list, minus the members. Undefined if it is unknown. */
  readonly over: number | undefined;
  readonly limit: number;
  /** The number of empty indexes directly behind the rows. */
  readonly empty?: number | undefined;
}

export function sparseMarks(listing: Listing | undefined): readonly SparseMark[] {
  return (listing?.marks ?? []) as readonly SparseMark[];
}

export function sparseLength(listing: Listing | undefined): number | undefined {
  const over = sparseMarks(listing)[0]?.over;
  return listing && over !== undefined ? listing.members.length + over : undefined;
}

/** A damaged limit counts as unknown: pages of less than one row would have no end. */
export function sparseLimit(listing: Listing | undefined): number {
  const { limit = 0 } = sparseMarks(listing)[0] ?? {};
  return limit >= 1 ? limit : 0;
}

export function placeOfIndex(marks: readonly SparseMark[], index: number): number | undefined {
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { end = 0, skew = 0 } = marks[middle] ?? {};
    [low, high] = end + skew > index ? [low, middle] : [middle + 1, high];
  }
  const { skew = 0 } = marks[low] ?? {};
  const place = index - skew;
  return low < marks.length && place >= (marks[low - 1]?.end ?? 0) ? place : undefined;
}

export function isEmpty(marks: readonly SparseMark[], index: number): boolean {
  return marks.some(
    ({ end, skew, empty = 0 }) => index >= end + skew && index < end + skew + empty,
  );
}

export function arrangeSparse(info: PageInfo): Arrange {
  return (before, page) => {
    // After an invalidation, the list starts again with the next page that arrives.
    const old = before?.isPaged ? before : undefined;
    const { members: given, sent = given } = page;
    const length = info.total ?? sparseLength(old);
    const limit = info.limit ?? limitOf(info, sparseLimit(old), sent.length, length);
    const start = info.at?.(Math.max(1, limit)) ?? 0;
    if (start > 0 && limit === 0) {
      // Without a page size, the index of a further page is unknown.
      return undefined;
    }
    const end = start + Math.max(limit, sent.length);
    const rows = new Map<unknown, number>();
    const empty: Indexed[] = [];
    for (const [row, index] of indexed(old)) {
      // The page may have become shorter, so its old rows are dropped.
      if (index < start || index >= end) {
        if (row === EMPTY) {
          empty.push([row, index]);
        } else {
          rows.set(row, index);
        }
      }
    }
    const named = new Set<unknown>([undefined]);
    sent.forEach((row, at) => {
      if (named.has(row)) {
        empty.push([EMPTY, start + at]);
      } else {
        // A row that moved gets its index from the newest page.
        rows.set(row, start + at);
        named.add(row);
      }
    });
    return sparse([...rows, ...empty], page, before, length, limit);
  };
}

/** The first page is full if rows follow it, so its length is the page size. */
function limitOf({ at }: PageInfo, known: number, count: number, length = 0): number {
  return at?.(1) === 0 && count < length ? Math.max(known, count) : known;
}

/** Without a page size (0), there is only one page. */
export const startOfPage = (index: number, limit: number): number =>
  limit > 0 ? index - (index % limit) : 0;

export function keepPages(starts: readonly number[], limit: number): ReplaceMembers {
  const kept = new Set(starts);
  return {
    type: 'replace',
    // These numbers never become rows, because `arrange` does not read `members`.
    members: [limit, ...starts],
    keys: undefined,
    pageFields: undefined,
    arrange: (before, page) =>
      before?.isPaged
        ? sparse(
            indexed(before).filter(([, index]) => kept.has(startOfPage(index, limit))),
            page,
            before,
            sparseLength(before),
            sparseLimit(before),
          )
        : before,
  };
}

type Indexed = readonly [row: unknown, index: number];

/** Stands for the row of an empty index. */
const EMPTY = Symbol('empty');

function indexed(listing: Listing | undefined): readonly Indexed[] {
  let mark = 0;
  const marks = sparseMarks(listing);
  const rows = (listing?.members ?? []).map((row, place): Indexed => {
    while (place >= (marks[mark]?.end ?? Infinity)) {
      mark += 1;
    }
    return [row, place + (marks[mark]?.skew ?? 0)];
  });
  const empty = marks.flatMap((one) =>
    Array.from({ length: one.empty ?? 0 }, (_, at): Indexed => [EMPTY, one.end + one.skew + at]),
  );
  return [...rows, ...empty];
}

function sparse(
  rows: readonly Indexed[],
  page: Pick<ReplaceMembers, 'pageFields'>,
  before: Listing | undefined,
  length: number | undefined,
  limit: number,
): Listing {
  const sorted = rows
    .filter(([, index]) => index < (length ?? Infinity))
    .sort(([, a], [, b]) => a - b);
  const members = sorted.map(([row]) => row).filter((row) => row !== EMPTY);
  const over = length === undefined ? undefined : length - members.length;
  const marks: SparseMark[] = [];
  let place = 0;
  for (const [row, index] of sorted) {
    const last = marks.at(-1);
    const { skew, empty = 0 } = last ?? {};
    const own = row === EMPTY ? 1 : 0;
    const isNext = skew === index - place - empty && (own || !empty);
    const mark = { end: place + 1 - own, skew: index - place, over, limit, empty: own };
    place = mark.end;
    marks.splice(
      isNext ? -1 : marks.length,
      isNext ? 1 : 0,
      isNext ? { ...mark, skew, empty: empty + own } : mark,
    );
  }
  const { pageFields } = page;
  return {
    ...wholeList({ members, keys: undefined, pageFields }, before),
    isPaged: true,
    // The first mark stores the length, so a list without rows also needs a mark.
    marks: marks.length > 0 ? marks : [{ end: 0, skew: 0, over, limit }],
  };
}
