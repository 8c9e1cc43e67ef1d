import type { Listing } from '../store/cells/Cell.js';
import { distinct } from '../store/lists/members.js';
import type { AppendPage } from '../store/journal/operations.js';
import type { InfinitePagination, PageInfo } from './createPagination.js';
import { dropLast, finished } from './finished.js';
import { limitOf, markOf } from './markOf.js';
import { marksOf, textOf } from './PageMark.js';

/** Puts a page before the first one of a list. */
export function prependPage(
  pagination: InfinitePagination,
  info: PageInfo,
  before: Listing,
  page: AppendPage,
): Listing {
  const marks = marksOf(before);
  const known = new Set(before.members);
  const { removed } = page.meanwhile;
  const own = distinct(page.members).filter((member) => !known.has(member) && !removed.has(member));
  const { length } = own;
  const { from = 0, dropped = [] } = marks[0] ?? {};
  const skew = info.at?.(limitOf(info, marks)) ?? 0;
  // A dropped page that names another next page than before: others created rows between.
  const isGap =
    !pagination.style.positions &&
    textOf(dropped.at(-1)) === textOf(info.ask) &&
    info.next !== null &&
    textOf(info.next) !== textOf(marks[0]?.ask) &&
    length === page.members.length;
  const facts = markOf(info, marks, page.members.length, length);
  const mark = { ...facts, skew, gap: isGap, isFront: true };
  const all = [
    mark,
    ...marks.map((other) => ({
      ...other,
      ask: textOf(other.ask) === textOf(info.ask) ? undefined : other.ask,
      end: other.end + length,
      skew: other.skew - length,
    })),
  ];
  const edge = { from: from - length, dropped: dropped.slice(0, -1) };
  const members = [...own, ...before.members];
  const { maxPages = Infinity } = pagination;
  return dropLast(finished({ ...before, members }, all, info, before, edge), maxPages);
}
