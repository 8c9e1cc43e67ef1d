import type { Listing } from '../store/cells/Cell.js';
import type { PageMark } from './PageMark.js';

/**
 * The known positions of the loaded rows in the server's list, for pages by number and by offset.
 *
 * ```
 *   server      a b c d e f g h i j
 *   position    0 1 2 3 4 5 6 7 8 9
 *   list        a b c │ d e │ h i      three pages; f and g are not loaded
 *   end               3     5     7    the index behind the last row of a page
 *   skew             +0    +0    +2    the position behind that row, minus `end`
 * ```
 *
 * - A create or delete of this client moves the end of each page behind the created or deleted row.
 *   A page that the server read after the change does not move: its position includes the change.
 *   A first page counts as read at the start of its request, a further page at its response (see
 *   `responseOrder.ts`).
 * - If the request of a page overlaps a create or delete, the page may or may not include that
 *   change. Then a round replaces all loaded pages; see `Round.ts`.
 * - If two pages share a row, no row is missing between them.
 * - Other clients move rows too. When a page arrives, the pages behind it are assumed to follow it
 *   directly, up to the next gap.
 */

/** The place of a page in a list. A page that begins within a loaded page divides that page. */
export interface Spot {
  /** The index at which the rows of the page begin. */
  readonly start: number;
  /** The index of the page's mark. */
  readonly index: number;
}

/** Returns the position behind the last row of a page; 0 if there is no page. */
export const endOf = (mark: PageMark | undefined): number => (mark ? mark.end + mark.skew : 0);

export const beginOf = (marks: readonly PageMark[], index: number): number =>
  marks[index - 1]?.end ?? 0;

/** Returns the number of rows that a full page has; 1 if it is unknown. */
export const pageSizeIn = (marks: readonly PageMark[]): number =>
  Math.max(1, ...marks.map(({ limit }) => limit));

/** Returns the place of a page at a position, or undefined if rows before it are not loaded. */
export function spotAt(marks: readonly PageMark[], position: number): Spot | undefined {
  // Positions behind a gap are out of date. If all rows of a page were deleted, its mark ends where
  // the mark before it ends. The first such mark is taken, so the new page replaces empty pages.
  const gap = marks.findIndex((mark) => mark.gap);
  const run = gap < 0 ? marks : marks.slice(0, gap + 1);
  const index = run.findIndex((mark) => endOf(mark) >= position);
  const { end = 0, skew = 0 } = run[index] ?? {};
  return index < 0
    ? undefined
    : end + skew === position
      ? { start: end, index: index + 1 }
      : { start: Math.max(beginOf(run, index), position - skew), index };
}

/**
 * Returns the number of rows that this client created at the start of the list. They begin at
 * position 0 on the server, even if the first pages are not loaded.
 */
export function createdInFront({ members, added = [] }: Listing): number {
  const count = members.findIndex((member) => !added.includes(member));
  return count < 0 ? members.length : count;
}
