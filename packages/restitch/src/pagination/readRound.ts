import type { Listing } from '../store/cells/Cell.js';
import type { InfinitePagination } from './createPagination.js';
import { joinFront } from './joinFront.js';
import { nextIndex } from './listEnds.js';
import { behindFront, isFrontPage, lackOf, limitOf, moreOf } from './markOf.js';
import { FIRST, isFirst, marksOf, type PageMark, type PageParams } from './PageMark.js';
import { sizeOf } from './pageOperation.js';
import { membersOf, type Round, type RoundPage } from './Round.js';
import { createdInFront, endOf, pageSizeIn, startOf } from './serverPositions.js';
import { MOST_IDLE } from './updateMarks.js';

const MOST_TOGETHER = 4;

/**
 * A round loads another page while it has fewer rows than the list, or while its last row stands
 * before the last row of the list. With positions, repeated rows count, too:
 *
 * ```
 *   list    a b c │ d e f
 *   round   x a b │ c d e       one more page, because the last row `e` is before `f`
 * ```
 *
 * Pages by position are loaded four at a time. Other pages are loaded one by one, because each
 * response names the next page.
 */
export async function readRound(
  pagination: InfinitePagination,
  listing: Listing,
  limit: number | undefined,
  round: Round,
  load: (ask: PageParams) => Promise<RoundPage | undefined>,
): Promise<readonly RoundPage[]> {
  const marks = marksOf(listing);
  const { maxPages = Infinity } = pagination;
  const size = pageSizeIn(marks, limit);
  const { asks, wanted, inside } = extentOf(pagination, listing, size);
  const isInner = (row: unknown): boolean => inside.has(row) && row !== listing.members[0];
  const waiting = [...asks];
  const run = async (): Promise<void> => {
    for (let ask; (ask = waiting.shift()) && mayHaveRows(pagination, round, marks, size, ask);) {
      await load(ask);
    }
  };
  await Promise.all(Array.from({ length: MOST_TOGETHER }, run));
  let rows = new Set<unknown>();
  let pages: readonly RoundPage[] = [];
  let idle = 0;
  let isBetween = false;
  for (let ask = asks[0] ?? null; ask && !round.isInterrupted;) {
    const page = await load(ask);
    if (!page || pages.includes(page)) {
      break;
    }
    if (isBetween) {
      pages = await joinFront(page, pages, rows.size, isInner, round, load);
      rows = new Set(membersOf(pages));
    }
    pages = [...pages, page];
    const { members } = page.page;
    const count = rows.size;
    members.forEach((member) => rows.add(member));
    idle = rows.size > count ? 0 : idle + 1;
    const sent = rows.size + unlistedIn(pages);
    const isInside = (endOfPage(marks, page) ?? sent) < wanted || inside.has(members.at(-1));
    const isFull = pages.length >= maxPages;
    const next = nextOf(pagination, marks, page);
    isBetween = next !== page.info.next && !page.info.at;
    const isStuck = idle > MOST_IDLE && pages.length >= marks.length;
    const isOpen = (isInside && !isFull && !isStuck) || isBetween;
    ask = isOpen ? next : null;
    if (!ask && sent === 0 && !isFirst(page.info.ask)) {
      // All loaded rows were deleted, so the list starts again.
      pages = [];
      ask = FIRST;
    }
  }
  // The marks from before the round decide: a first page may have removed marks since then.
  return pages.map((page) => ({ isFront: isFrontPage(marks, page.info.ask), ...page }));
}

interface Extent {
  readonly asks: readonly PageParams[];
  /**
   * The number of rows as sent. With positions: the position behind the last row, or one more if the
   * list has ended, so that one more page confirms the end.
   */
  readonly wanted: number;
  readonly inside: ReadonlySet<unknown>;
}

function extentOf(
  { style: { positions }, maxPages = Infinity }: InfinitePagination,
  listing: Listing,
  size: number,
): Extent {
  const marks = marksOf(listing);
  const { ask, dropped = [] } = marks[0] ?? {};
  const first = startOf(marks[0]);
  const { members, tail } = listing;
  const created = createdInFront(listing);
  const isEnded = nextIndex(listing) === undefined;
  const rows = isEnded ? members.length : tail;
  // If the list has ended, `inside` has its last row too, so that one more page confirms the end.
  const inside = new Set(members.slice(0, isEnded ? rows : rows - 1));
  if (!positions) {
    let all = rows;
    for (const { unlisted = 0 } of marks) {
      all += unlisted;
    }
    const opening = ask ?? dropped.at(-1) ?? FIRST;
    return { asks: [opening], wanted: isFirst(opening) ? all : all - created, inside };
  }
  // On the server, the rows that this client created at the start stand before the dropped pages.
  // After an overlap with a mutation, `skew` may be wrong, but the first page still starts at 0.
  const start = first > 0 && !isFirst(ask) ? first + created : 0;
  // A gap hides the positions behind it.
  const last = marks.some(({ gap }) => gap) ? undefined : marks.at(-1);
  // Each page covers at most `size` positions. Without this limit, a round of a damaged hydrated list
  // would load billions of pages.
  const most = start + size * (marks.length + members.length);
  const end = Math.min(last ? endOf(last) + rows - tail : first + rows, most);
  const asks: PageParams[] = [];
  const begin = positions.positionOf(positions.askAt(start, size), size);
  for (let at = begin; at === begin || (at < end && asks.length < maxPages); at += size) {
    asks.push(positions.askAt(at, size));
  }
  return { asks, wanted: isEnded ? end + 1 : end, inside };
}

function unlistedIn(pages: readonly RoundPage[]): number {
  let count = 0;
  for (const { page } of pages) {
    count += sizeOf(page) - page.members.length;
  }
  return count;
}

function mayHaveRows(
  { style: { positions } }: InfinitePagination,
  { pages, isInterrupted }: Round,
  marks: readonly PageMark[],
  size: number,
  ask: PageParams,
): boolean {
  const position = positions?.positionOf(ask, size) ?? 0;
  const isBefore = (page: RoundPage): boolean =>
    hasMore(page, marks) && position < (page.info.total ?? Infinity);
  return !isInterrupted && [...pages.values()].every(isBefore);
}

function hasMore({ info, page }: RoundPage, marks: readonly PageMark[]): boolean {
  return moreOf(info, marks, sizeOf(page));
}

/** Counts the rows of the page as sent, also repeated rows. Undefined for cursors and links. */
function endOfPage(marks: readonly PageMark[], { info, page }: RoundPage): number | undefined {
  const size = sizeOf(page);
  return info.at && info.at(limitOf(info, marks, size)) + size + lackOf(info, marks, size);
}

function nextOf(
  { style: { positions } }: InfinitePagination,
  marks: readonly PageMark[],
  page: RoundPage,
): PageParams | null {
  const { info } = page;
  if (positions && info.at) {
    const limit = limitOf(info, marks, sizeOf(page.page));
    return hasMore(page, marks) ? positions.askAt(endOfPage(marks, page) ?? 0, limit) : null;
  }
  const behind = behindFront(marks, info.ask);
  // A chat opens with its last page, without page parameters. If a round loaded this page with
  // parameters, a later poll of the page would match no page of the list.
  const isChat = marks.findIndex((mark) => isFirst(mark.ask)) > 0;
  return (isChat ? (behind ?? info.next) : (info.next ?? behind)) ?? null;
}
