import type { Listing } from '../store/cells/Cell.js';
import { sameItems } from '../schema/same.js';
import { keepLast } from '../store/lists/fieldsByPlace.js';
import { wholeList } from '../store/lists/members.js';
import type { InfinitePagination, PageInfo } from './createPagination.js';
import { madeUnsure, dropFirst, finished, withoutRepeat } from './updateMarks.js';
import { behindFront, markOf, moreOf } from './markOf.js';
import { nextIndex, totalOf } from './listEnds.js';
import { marksOf, type PageMark, textOf } from './PageMark.js';
import { beginOf, type Spot, startOf } from './serverPositions.js';
import { type PageOperation, sizeOf } from './pageOperation.js';

export function firstPage(
  info: PageInfo,
  before: Listing | undefined,
  page: PageOperation,
): Listing {
  const own = wholeList(page, before);
  const mark = markOf(info, marksOf(before), page, own.members.length);
  return finished(own, [mark], info, undefined);
}

export function insertPage(
  pagination: InfinitePagination,
  info: PageInfo,
  before: Listing,
  page: PageOperation,
  spot: Spot,
): Listing {
  const { members, tail } = before;
  const given = wholeList(page, before);
  const meanwhile = page.type === 'page' ? page.meanwhile() : NOTHING;
  const { cut, isGap } = cutOf(pagination, info, before, page, spot);
  const { start } = spot;

  const ahead = members.slice(0, start);
  const named = new Set(given.members);
  const known = new Set(ahead);
  const current = given.members.filter((member) => !meanwhile.removed.has(member));
  const own = current.filter((member) => !known.has(member));
  const present = new Set(own);
  const isKept = members
    .slice(start, tail)
    .map((member, index) => index >= cut && !present.has(member));
  const kept = members.slice(start, tail).filter((_, index) => isKept[index]);
  const list = [...ahead, ...own, ...kept];

  const marks = marksOf(before);
  const end = start + own.length;
  const aheadMarks = marksAhead(marks, spot, info);
  const fresh = markOf(info, marks, page, end);
  // The server deleted the removed rows after it read the page, so all rows behind have moved.
  const removed = info.at ? given.members.length - current.length : 0;
  const facts = { ...fresh, skew: fresh.skew - removed, gap: isGap };
  const mark = withoutRepeat(facts, aheadMarks, info, given.members.length, own.length);
  const moved = (old: number): number =>
    end + isKept.slice(0, Math.max(0, old - start)).filter(Boolean).length;
  const isEnd = mark.more === false && kept.length === 0 && !isOpen(info, marks);
  const behind = isEnd
    ? []
    : marksBehind(marks, spot, mark, moved, start + cut, info.at !== undefined);
  const isLast = behind.length === 0;
  const rest = members.slice(tail).filter((member) => !named.has(member));
  const next = {
    ...before,
    members: [...list, ...rest],
    tail: list.length,
    added: before.added?.filter((member) => !named.has(member)),
    pages: undefined,
    end: isLast ? (given.end ?? before.end) : before.end,
    pageFields: isLast ? given.pageFields : keepLast(before.pageFields, page.pageFields),
  };
  const all = [...aheadMarks, mark, ...behind];
  const whole = finished(next, all, info, before);
  const created = before.added?.filter((member) => info.at && known.has(member)) ?? [];
  // The page lacks a row that this client created there, so the server has the row elsewhere.
  const replaced = members.slice(start, start + cut);
  const isElsewhere = before.added?.some((row) => replaced.includes(row) && !named.has(row));
  const isUnsure =
    isElsewhere || hasMoved(info, page, ahead) || isUnclear(created, named, before, whole);
  const placed = isUnsure ? madeUnsure(whole) : whole;
  return isLast && all.length > marks.length ? dropFirst(placed, pagination.maxPages) : placed;
}

/**
 * A refresh changed the rows before the page while the page was requested. So the server may have
 * read the page before other clients created or deleted rows, and the page may skip a row.
 */
function hasMoved(info: PageInfo, page: PageOperation, ahead: readonly unknown[]): boolean {
  const behind = page.type === 'page' && info.at ? page.behind : undefined;
  return behind !== undefined && !sameItems(behind.members.slice(0, ahead.length), ahead);
}

/**
 * The position of a page counts the rows that this client `created` before it. If the server has
 * such a row elsewhere, the page skips a row:
 *
 * ```
 *   list     x a b c │            x was created at the start, so the next offset is 4
 *   server   a b c d e f x        x is last: the page `e f x` contains x, and d is missing
 * ```
 *
 * Another total than expected also shows it. At the end of the list, created rows are unsure if
 * the total does not confirm them, or if they stand behind the last page.
 */
function isUnclear(
  created: readonly unknown[],
  named: ReadonlySet<unknown>,
  before: Listing,
  now: Listing,
): boolean {
  const { members, tail } = now;
  const total = totalOf(now);
  const isEnd = nextIndex(now) === undefined;
  return (
    (isEnd && members.length > tail) ||
    (created.length > 0 && ((isEnd && total !== members.length) || total !== totalOf(before))) ||
    created.some((member) => named.has(member))
  );
}

const NOTHING = { members: [], removed: new Set<unknown>() };

/** The rows behind a page of `loadPrevious` stay if the page names no next page. */
function isOpen({ ask, next, at }: PageInfo, marks: readonly PageMark[]): boolean {
  return !next && !at && behindFront(marks, ask) !== undefined;
}

/**
 * Returns the number of old rows after `start` that a page replaces, up to the last shared row. For
 * example, the page `x b` replaces the first two rows of the list `a b c`.
 */
function cutOf(
  { onGap }: InfinitePagination,
  info: PageInfo,
  { members, tail, added = [], marks }: Listing,
  page: PageOperation,
  { start, index }: Spot,
): { readonly cut: number; readonly isGap: boolean } {
  const given = page.members;
  const rest = members.slice(start, tail);
  const all = marksOf({ marks });
  // On the server, a created row may be nearer to the start than in the list. As the last shared
  // row, it would cut off too many rows, so it counts only if the page has no new row.
  const known = new Set(rest);
  const isOld = given.every((member) => known.has(member));
  const shared = given.findLast(
    (member) => isOld || (known.has(member) && !added.includes(member)),
  );
  if (isOpen(info, all)) {
    return { cut: Math.max(0, (all[index]?.end ?? 0) - start), isGap: false };
  }
  const named = new Set(given);
  const isWhole = rest.every((member) => named.has(member));
  if (isWhole || !moreOf(info, all, sizeOf(page))) {
    return { cut: rest.length, isGap: false };
  }
  if (shared !== undefined) {
    const cut = rest.indexOf(shared) + 1;
    // If a page is loaded again, the gap behind it stays.
    const isGap =
      cut < rest.length && all.slice(index).some(({ gap, end }) => gap && end === start + cut);
    return { cut, isGap };
  }
  return onGap === 'restart' ? { cut: rest.length, isGap: false } : { cut: 0, isGap: true };
}

const isDividing = (marks: readonly PageMark[], { start, index }: Spot): boolean =>
  index < marks.length && start > beginOf(marks, index);

function marksAhead(
  marks: readonly PageMark[],
  spot: Spot,
  { ask, at: isByPosition }: PageInfo,
): PageMark[] {
  const { start, index } = spot;
  // With cursors and links, the new mark replaces the old mark with the same parameters. With
  // positions, the old mark stays: after a create, page 2 has other rows than before.
  const ahead = marks
    .slice(0, isDividing(marks, spot) ? index + 1 : index)
    .filter((mark) => isByPosition || textOf(mark.ask) !== textOf(ask));
  return ahead.map((mark, at) => ({
    ...mark,
    end: Math.min(mark.end, start),
    gap: mark.gap && at < ahead.length - 1,
  }));
}

function marksBehind(
  marks: readonly PageMark[],
  { index, start }: Spot,
  page: PageMark,
  moved: (old: number) => number,
  covered: number,
  isByPosition: boolean,
): PageMark[] {
  const { ask, gap } = page;
  let isAligned = !gap;
  let { next, skew } = page;
  const behind = marks.slice(index).flatMap((mark, at): PageMark[] => {
    const begin = Math.max(start, marks[index + at - 1]?.end ?? 0);
    const isRead =
      begin < covered ||
      (isByPosition && mark.end === start) ||
      (!gap && textOf(mark.ask) === textOf(ask));
    // An empty page stays if the page before it names it as the next page, or names none, as a page
    // of `loadPrevious` may do. With positions, an empty page stays if it begins where `page` ends.
    const follows =
      next === null ? !isByPosition || startOf(mark) === skew : textOf(mark.ask) === textOf(next);
    if ((isRead || !follows) && moved(mark.end) === moved(begin)) {
      return [];
    }
    // Up to the next gap, the pages behind `page` follow it directly, so they have its `skew`, plus
    // their own rows that are not in the list.
    skew += mark.unlisted ?? 0;
    const aligned = isAligned ? { skew } : {};
    isAligned &&= !mark.gap;
    next &&= mark.next;
    // Null means that the total decides if a page follows. If the total decides for `page`, it also
    // decides for the pages behind, except for marks with `repeats`.
    const more = page.more === null && mark.more === false && !mark.repeats ? null : mark.more;
    return [{ ...mark, ...aligned, more, end: moved(mark.end) }];
  });
  // The first page behind a gap may now have other rows, so its old parameters are dropped. The
  // same holds for a page by cursor or link that `page` has replaced in part.
  const isStale = (mark: PageMark, at: number): boolean =>
    (gap && at === 0) || (!isByPosition && textOf(mark.ask) === textOf(ask));
  return behind.map((mark, at) => (isStale(mark, at) ? { ...mark, ask: undefined } : mark));
}
