import type { Listing } from '../store/cells/Cell.js';
import { distinct } from '../store/lists/members.js';
import type { AppendPage } from '../store/journal/operations.js';
import { sizeOf } from './pageOperation.js';
import type { InfinitePagination, PageInfo } from './createPagination.js';
import { totalOf } from './listEnds.js';
import { madeUnsure, dropLast, finished, NO_EDGE } from './updateMarks.js';
import { lackOf, limitOf, markOf } from './markOf.js';
import { isFirst, marksOf, textOf } from './PageMark.js';
import { createdInFront, startOf } from './serverPositions.js';

export function prependPage(
  pagination: InfinitePagination,
  info: PageInfo,
  listing: Listing,
  page: AppendPage,
): Listing {
  const marks = marksOf(listing);
  const { removed } = page.meanwhile();
  const given = distinct(page.members).filter((member) => !removed.has(member));
  const named = new Set(given);
  const unlisted = sizeOf(page) - page.members.length;
  const size = given.length + unlisted;
  // On the server, the rows that this client created at the start are in this page or before it.
  const count = createdInFront(listing);
  // Rows that this client created or moved to the end stay there until their page is loaded.
  const members = listing.members.filter((member, at) => at < listing.tail || !named.has(member));
  const before = { ...listing, members };
  const front = members.slice(0, count).filter((member) => !named.has(member));
  const rest = members.slice(count);
  const known = new Set(rest);
  const own = given.filter((member) => !known.has(member));
  const isJoined = own.length < given.length;
  const length = front.length + own.length;
  const moved = length - count;
  // The new page `[x a]` takes `a` from the list `[a b]`: the server's next page begins with `b`.
  const shared = rest.findIndex((member) => !named.has(member));
  const end = length + (shared < 0 ? rest.length : shared);

  const { ask, previous } = marks[0] ?? {};
  const start = startOf(marks[0]);
  const { from, dropped, ...edge } = marks[0] ?? NO_EDGE;
  const text = textOf(info.ask);
  const isMoved = textOf(info.next) !== textOf(ask);
  if (isFirst(info.ask) && info.previous && previous && isMoved) {
    // The list opens in the middle, at a page that others moved. The next request is for the
    // previous page that the first loaded page names.
    return finished(listing, marks, {}, listing, { ...edge, from, dropped: [] });
  }
  const place = dropped.findLastIndex((other) => textOf(other ?? previous) === text);
  const position = info.at?.(limitOf(info, marks));
  const total = info.total ?? totalOf(before);
  // True if other clients may have created or deleted rows before the next page. Positions reveal
  // the change if this page does not end where the next page begins, or if the total is new.
  // Cursors reveal the change if a dropped page that named the page behind it names another one.
  const isOther =
    position === undefined
      ? Boolean(dropped[place]) && info.next !== null && isMoved
      : position + size + lackOf(info, marks, size) !== start + count ||
        total !== (totalOf(before) ?? total);
  const facts = markOf(info, marks, page, end);
  const mark = {
    ...facts,
    skew: (position ?? front.length) - front.length + unlisted,
    gap: isOther && !isJoined,
    isFront: true,
  };
  const all = [
    mark,
    ...marks.map((other) => ({
      ...other,
      ask: textOf(other.ask) === text ? undefined : other.ask,
      end: Math.max(end, other.end + moved),
      skew: other.skew - moved,
    })),
  ];
  const list = {
    ...before,
    members: [...front, ...own, ...rest],
    added: before.added?.filter((member) => !named.has(member)),
  };
  // The position counts the rows of `front`. If the server has them elsewhere, fewer or more rows
  // of the page stand before the next page.
  const isElsewhere =
    position !== undefined &&
    front.length > 0 &&
    position + own.length + unlisted !== start + count;
  const moves = { ...edge, from: from - moved, dropped: dropped.slice(0, Math.max(0, place)) };
  const placed = finished(list, all, info, before, moves);
  return dropLast(isElsewhere ? madeUnsure(placed) : placed, pagination.maxPages);
}
