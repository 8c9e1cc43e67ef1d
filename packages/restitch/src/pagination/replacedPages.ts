import type { Listing } from '../store/cells/Cell.js';
import type { ReplaceMembers } from '../store/journal/operations.js';
import { wholeList } from '../store/lists/members.js';
import { markOf } from './markOf.js';
import { isFirst, marksOf, type PageMark, textOf } from './PageMark.js';
import { membersOf, type RoundPage } from './Round.js';
import { dropFirst, finished, NO_EDGE, withoutRepeat } from './updateMarks.js';

export function replacePages(
  pages: readonly RoundPage[],
  maxPages: number = Infinity,
): ReplaceMembers {
  const kept = pages.slice(-maxPages);
  return {
    type: 'replace',
    members: membersOf(kept),
    keys: undefined,
    pageFields: pages.at(-1)?.page.pageFields,
    arrange: (before, { pageFields }) =>
      before && dropFirst(replaced(pages, kept, pageFields, before), maxPages),
  };
}

function replaced(
  pages: readonly RoundPage[],
  kept: readonly RoundPage[],
  pageFields: ReplaceMembers['pageFields'],
  before: Listing,
): Listing {
  const old = marksOf(before);
  const rows = new Set<unknown>();
  const marks: PageMark[] = [];
  for (const loaded of pages) {
    const { info, page, isFront = false } = loaded;
    const count = rows.size;
    const own = kept.includes(loaded) ? page.members : [];
    own.forEach((member) => rows.add(member));
    const mark = { ...markOf(info, [...old, ...marks], page, rows.size), isFront };
    marks.push(withoutRepeat(mark, marks, info, own.length, rows.size - count));
  }
  const members = [...rows];
  const [first] = marks;
  const edge = {
    ...(old[0] ?? NO_EDGE),
    unsure: false,
    from: isFirst(kept[0]?.info.ask) ? (old[0]?.from ?? 0) : firstIndex(before, members),
    dropped: droppedBefore(old[0], first),
  };
  // The list loses the rows that this client created at the end, as they come with their page.
  const list = wholeList({ members, pageFields }, before);
  return finished({ ...list, end: members.at(-1) }, marks, pages.at(-1)?.info ?? {}, before, edge);
}

/** Returns the new `from`, with which the first row that is in both lists keeps its index. */
function firstIndex({ members, marks }: Listing, now: readonly unknown[]): number {
  const places = new Map<unknown, number>(now.map((member, place) => [member, place]));
  const place = members.findIndex((member) => places.has(member));
  const { from = 0 } = marksOf({ marks })[0] ?? {};
  return place < 0 ? from : from + place - (places.get(members[place]) ?? 0);
}

/**
 * Returns the dropped pages in front of the page `first`. During a round without the opening page, a
 * response of the opening page can put this page at the start again. It is then dropped, too.
 */
function droppedBefore(
  { ask, dropped }: Pick<PageMark, 'ask' | 'dropped'> = NO_EDGE,
  first: PageMark | undefined,
): PageMark['dropped'] {
  const all = [...dropped, ask ?? first?.ask ?? null];
  const place = all.map((other) => textOf(other ?? undefined)).indexOf(textOf(first?.ask));
  const isBehind = place < 0 && isFirst(ask) && !first?.isFront && !isFirst(first?.ask);
  return isBehind ? all : dropped.slice(0, Math.max(0, place));
}
