import type { Listing } from '../store/cells/Cell.js';
import { marksOf, type PageMark } from './PageMark.js';
import type { PageOperation } from './pageOperation.js';

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
 * - A create or delete of this client moves the ends of the pages, and so the positions of all rows
 *   behind it. A page ranks at the start of its request. Changes confirmed before that start are
 *   below the page. Changes confirmed later move the page, too.
 * - If a mutation was in flight together with a request, the page may or may not include it. The
 *   page is placed by the parameters of the request and becomes `unsure`: rows before it may be
 *   missing. The pages behind it become `unsure`, too. When no mutation is in flight, `loadNext`
 *   reads these pages again, one after another.
 * - A row that two pages have in common joins them: no row between them is missing.
 * - Other clients move rows as well. The newest page decides: the pages behind it begin at its end.
 */

/** The place of a page in a list. A page that begins within a loaded page divides that page. */
export interface Spot {
  /** The index at which the rows of the page begin. */
  readonly start: number;
  /** The index of the page's mark. */
  readonly index: number;
}

/** Returns the position behind a page. */
export const endOf = ({ end, skew }: PageMark): number => end + skew;

/** Returns the index of the first row of a page. */
export const beginOf = (marks: readonly PageMark[], index: number): number =>
  marks[index - 1]?.end ?? 0;

/** Returns the number of rows that a full page has; 1 if it is unknown. */
export const pageSizeIn = (marks: readonly PageMark[]): number =>
  Math.max(1, ...marks.map(({ limit }) => limit));

/** Returns the place of a page at a position, or undefined if rows before it are not loaded. */
export function spotAt(marks: readonly PageMark[], position: number): Spot | undefined {
  // Behind a gap, positions are out of date. Empty pages at the position are read again.
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
 * Returns the number of rows at the start of a list that this client created. If pages before the
 * list are not loaded, the server has these rows before those pages.
 */
export function createdInFront({ members, added = [] }: Listing): number {
  const count = members.findIndex((member) => !added.includes(member));
  return count < 0 ? members.length : count;
}

/** Returns the mark of a page with its position behind the pages ahead. */
export function placedBehind(
  ahead: readonly PageMark[],
  mark: PageMark,
  page: PageOperation,
  isJoined: boolean,
): PageMark {
  const last = ahead.at(-1);
  const { above } = page;
  // These rows were created after the request began. The page moves when their creates are
  // replayed.
  const created = page.members.filter((member) => above?.has(member)).length;
  const isOverlapped = created > 0 || (page.type === 'page' && page.isOverlapped);
  // The first mark does not count, because `maxPages` may have dropped the pages before it.
  const isBehindUnsure = ahead.some(({ unsure }, index) => index > 0 && unsure);
  return {
    ...mark,
    skew: isOverlapped && last ? last.skew : mark.skew - created,
    unsure: !isJoined && last !== undefined && (isOverlapped || isBehindUnsure),
  };
}

/** Returns the index of the mark behind which an `unsure` page stands, or undefined. */
export function unsureIndex(listing: Listing): number | undefined {
  const unsure = marksOf(listing).findIndex((mark, index) => index > 0 && mark.unsure);
  return unsure < 0 ? undefined : unsure - 1;
}
