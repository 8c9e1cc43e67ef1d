import type { Listing } from '../store/cells/Cell.js';
import { movedEnds, noted, withoutMembers } from '../store/lists/members.js';

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
 */
export function keepPages(before: Listing, { members }: Pick<Listing, 'members'>): Listing {
  const old = new Set(before.members);
  const present = new Set(members);
  const left = withoutMembers(before, (member) => !present.has(member));
  const ends: number[] = [];
  const created: unknown[] = [];
  members.forEach((member, place) => {
    if (old.has(member)) {
      ends.push(place + 1);
    } else {
      created.push(member);
    }
  });
  const moved = movedEnds(left, (end) => ends[end - 1] ?? 0);
  if (before.isPaged) {
    // The marks are new objects, so they can be changed.
    for (const mark of moved.marks ?? []) {
      Object.assign(mark, { ask: undefined });
    }
  }
  return { ...left, members, ...moved, ...noted(left, created) };
}
