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
 * - A create or delete of this client moves the end of each page behind it. A page that the server
 *   read after the change does not move: its position includes the change.
 * - A first page counts as read at the start of its request, a further page at its response.
 * - Other clients move rows too. When a page arrives, the pages behind it are assumed to follow it
 *   directly, up to the next gap.
 */

/** `start` is an index in the list, `index` the index of the mark of the page. */
export interface Spot {
  readonly start: number;
  readonly index: number;
}

export const endOf = (mark: PageMark | undefined): number => (mark ? mark.end + mark.skew : 0);

/** Returns the position at which the first page begins. */
export const startOf = ({ skew = 0, unlisted = 0 }: Partial<PageMark> = {}): number =>
  skew - unlisted;

export const beginOf = (marks: readonly PageMark[], index: number): number =>
  marks[index - 1]?.end ?? 0;

/** Any position is then on the first page. */
export const UNKNOWN_SIZE: number = Number.MAX_SAFE_INTEGER;

/** Readers of one list can request pages of different sizes. `size` is that of the reader. */
export const pageSizeIn = (marks: readonly PageMark[], size?: number): number =>
  size ?? (Math.max(0, ...marks.map(({ limit }) => limit)) || UNKNOWN_SIZE);

/** Returns undefined if rows before the position are not loaded. */
export function spotAt(marks: readonly PageMark[], position: number): Spot | undefined {
  // Positions behind a gap are out of date. Pages whose rows were all deleted end at the same
  // index. The first of them is taken, so the new page replaces them.
  const gap = marks.findIndex((mark) => mark.gap);
  const run = gap < 0 ? marks : marks.slice(0, gap + 1);
  const index = run.findIndex((mark) => endOf(mark) >= position);
  const mark = run[index];
  if (!mark) {
    return undefined;
  }
  // The places of rows that the page sent twice are unknown. They count as its last rows.
  const start = startOf(mark);
  return position >= start + mark.end
    ? { start: mark.end, index: index + 1 }
    : { start: Math.max(beginOf(run, index), position - start), index };
}

/**
 * Rows that this client created at the start begin at position 0 on the server. This holds even if
 * the first pages are not loaded.
 */
export function createdInFront({ members, added = [] }: Listing): number {
  const count = members.findIndex((member) => !added.includes(member));
  return count < 0 ? members.length : count;
}
