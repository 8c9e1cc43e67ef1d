import type { Listing } from '../store/cells/Cell.js';
import type { AppendPage } from '../store/journal/operations.js';
import type { InfinitePagination, PageInfo, Positions } from './createPagination.js';
import { insertPage } from './insertPage.js';
import { limitOf, moreOf } from './markOf.js';
import { marksOf, type PageMark, textOf } from './PageMark.js';
import { isOfRound, type Round } from './roundNumbers.js';
import { beginOf, endOf } from './serverPositions.js';

/**
 * Places a page of a refresh round by its position (see `roundNumbers.ts`). If the page before it
 * has not arrived yet, old rows may have moved to that page. They stay in a mark without
 * parameters, whose end is `:` in this example:
 *
 * ```
 *   list            a b c │ d e f │ g h i
 *   page 3: h i j   a b c │ d e f │ g : h i j     page 2 may contain g
 *   page 2: d f g   a b c │ d f g │ h i j         e is removed
 *   page 2: d e f   a b c │ d e f │ h i j         g is removed
 * ```
 */
export function refreshedPage(
  pagination: InfinitePagination,
  info: PageInfo & { readonly round: Round },
  before: Listing,
  page: AppendPage,
): Listing {
  const { members, tail, added = [] } = before;
  const marks = marksOf(before);
  const position = info.at?.(limitOf(info, marks)) ?? 0;
  const own = textOf(info.ask);
  const isStart = position === info.round.start;
  // Skips the other pages of this round, because their rows are already in place. The round begins
  // at the first unsure page, whose position does not count.
  const at = marks.findIndex(
    (mark) =>
      (endOf(mark) > position || (isStart && mark.unsure)) &&
      (!isOfRound(info.round, mark) || textOf(mark.ask) === own),
  );
  // An old page without rows has no certain position.
  const isEmpty = (mark: PageMark, index: number): boolean =>
    !isOfRound(info.round, mark) && mark.end === beginOf(marks, index);
  const index =
    marks.slice(0, at < 0 ? undefined : at).findLastIndex((mark, i) => !isEmpty(mark, i)) + 1;
  const first = marks[0];
  const inFirst = index === 0 && first && textOf(first.ask) !== own ? position - first.skew : 0;
  // The first page may have grown beyond this position. Its rows before the position stay.
  const start =
    index === 0 ? Math.min(Math.max(0, inFirst), first?.end ?? 0) : beginOf(marks, index);
  const spot = { start, index };
  const ahead = marks[index - 1];
  const rest = members.slice(start, tail);
  const isBehind = !ahead || endOf(ahead) >= position;
  const isFollowing = isStart || !ahead || isOfRound(info.round, ahead);
  if (isBehind && (isFollowing || rest.length === 0)) {
    return insertPage(pagination, info, before, page, spot);
  }
  if (page.members.length === 0 || rest.length === 0) {
    return before;
  }
  const given = new Set(page.members);
  const common = rest.findIndex((member) => given.has(member) && !added.includes(member));
  const oldEnd = marks[index]?.end ?? tail;
  const others = moreOf(info, marks, page.members.length) ? oldEnd - start : rest.length;
  const end = start + (common < 0 ? others : common);
  if (end === start) {
    return insertPage(pagination, info, before, page, spot);
  }
  const behind = marks.slice(index);
  const left = { ...behind[0], ...LEFT, end, skew: position + 1 - end, over: behind.at(-1)?.over };
  // The cast: the other fields come from the divided page.
  const divided = [
    ...marks.slice(0, index),
    left as PageMark,
    ...behind.filter((mark) => mark.end > end),
  ];
  const behindLeft = { start: end, index: index + 1 };
  return insertPage(pagination, info, { ...before, marks: divided }, page, behindLeft);
}

/** The fields of a mark for rows that may have moved to the page before. */
const LEFT = { ask: undefined, next: null, previous: null, gap: false };

/**
 * Returns the index at which the next page begins, if that page arrived in the same round. No other
 * rows stand between the two pages.
 */
export function followerOf(
  positions: Positions,
  info: PageInfo,
  marks: readonly PageMark[],
  size: number,
  from: number,
): number | undefined {
  const { round } = info;
  const limit = limitOf(info, marks, size);
  if (!round || !info.at) {
    return undefined;
  }
  const next = textOf(positions.askAt(info.at(limit) + size, limit));
  const at = marks.findIndex(
    (mark, index) => index >= from && isOfRound(round, mark) && textOf(mark.ask) === next,
  );
  return at < 0 ? undefined : beginOf(marks, at);
}
