import type { Listing } from '../store/cells/Cell.js';
import { keepLast } from '../store/lists/fieldsByPlace.js';
import { distinct, movedEnds, noted, withoutMembers } from '../store/lists/members.js';
import { isFirst, marksOf } from './PageMark.js';

/**
 * A local write or a prediction contains the rows of an infinite list, but no page. So `loadNext`
 * continues after the same page. Each page keeps the number of its old rows:
 *
 * ```
 *   list    a b c │ d e f ║ z      z was created at the end
 *   write   f x e d c a z          b is removed, and x is new
 *   value   f x e │ d c a ║ z
 * ```
 *
 * Rows may now be on other pages than on the server, so no parameters select the loaded pages. The
 * next first page then makes the list unsure, and a round loads all pages again.
 *
 * The response of another endpoint can also contain the rows, for example a record with its first
 * comments. It replaces the first page if it contains the last row of this page. Otherwise, rows
 * may be missing before the further pages, so the list starts again:
 *
 * ```
 *   response  x a b c    x a b c │ d e f ║ z
 *   response  x a b      x a b              `loadNext` loads the first page
 * ```
 *
 * In a list with previous pages, the rows before the first row of the response stay:
 *
 * ```
 *   list      … │ 5 6 7    a chat that opens at its last page
 *   response  6 7 8        5 6 7 8
 * ```
 */
export function keepPages(before: Listing, own: Listing, isWrite: boolean): Listing {
  if (!isWrite && !replacesFirst(before, own)) {
    return own;
  }
  const named = new Set(own.members);
  const [first] = marksOf(before);
  // In a list that opens in the middle, `previous` of the first page names the rows before this page.
  const start = first?.previous ? before.members.findIndex((member) => named.has(member)) : 0;
  const members = isWrite
    ? own.members
    : distinct([
        ...before.members.slice(0, start),
        ...own.members,
        ...before.members.slice(before.head),
      ]);
  const old = new Set(before.members);
  const present = new Set(members);
  const left = withoutMembers(before, (member) => !present.has(member));
  const ends: number[] = [];
  const created: unknown[] = [];
  members.forEach((member, place) => {
    if (old.has(member)) {
      ends.push(place + 1);
    } else if (isWrite) {
      created.push(member);
    }
  });
  const moved = movedEnds(left, (end) => ends[end - 1] ?? 0);
  if (before.isPaged && isWrite) {
    // The marks are new objects, so they can be changed.
    for (const mark of moved.marks ?? []) {
      Object.assign(mark, { ask: undefined });
    }
  }
  const pageFields = keepLast(before.pageFields, own.pageFields);
  return { ...left, members, pageFields, ...moved, ...noted(left, created) };
}

/** False for an invalidated list, and if `maxPages` has dropped the first page. */
function replacesFirst(before: Listing, { members }: Listing): boolean {
  const [first, second] = marksOf(before);
  const { added, head, isPaged } = before;
  const last = before.members.slice(0, head).findLast((member) => !added?.includes(member));
  return isFirst(first?.ask) && (!second || isPaged) && members.includes(last);
}
