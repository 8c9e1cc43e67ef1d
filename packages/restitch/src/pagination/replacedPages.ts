import type { Listing } from '../store/cells/Cell.js';
import type { ReplaceMembers } from '../store/journal/operations.js';
import { wholeList } from '../store/lists/members.js';
import { nextIndex } from './listEnds.js';
import { markOf } from './markOf.js';
import { isFirst, marksOf, type PageMark, type PageParams, textOf } from './PageMark.js';
import { membersOf, type RoundPage } from './Round.js';
import { finished, NO_EDGE, withoutRepeat } from './updateMarks.js';

export function replacePages(
  all: readonly RoundPage[],
  maxPages: number = Infinity,
): ReplaceMembers {
  const pages = all.slice(-maxPages);
  const far = all.slice(0, all.length - pages.length);
  return {
    type: 'replace',
    members: membersOf(pages),
    keys: undefined,
    pageFields: pages.at(-1)?.page.pageFields,
    arrange: (before, { pageFields }) => before && replaced(pages, far, pageFields, before),
  };
}

function replaced(
  pages: readonly RoundPage[],
  far: readonly RoundPage[],
  pageFields: ReplaceMembers['pageFields'],
  before: Listing,
): Listing {
  const old = marksOf(before);
  const rows = new Set<unknown>();
  const marks: PageMark[] = [];
  for (const { info, page, isFront = false } of pages) {
    const count = rows.size;
    page.members.forEach((member) => rows.add(member));
    const mark = { ...markOf(info, [...old, ...marks], page, rows.size), isFront };
    marks.push(withoutRepeat(mark, marks, info, page.members.length, rows.size - count));
  }
  const members = [...rows];
  const ask = marks[0]?.ask;
  const edge = {
    ...(old[0] ?? NO_EDGE),
    unsure: false,
    from: isFirst(ask) ? (old[0]?.from ?? 0) : firstIndex(before, members),
    dropped: [
      ...droppedBefore(old[0], (far[0] ?? pages[0])?.info.ask),
      ...far.map(({ info }) => info.ask),
    ],
  };
  const create = (pushed: readonly unknown[]): Listing => {
    const list = wholeList({ members: [...members, ...pushed], pageFields }, before);
    return finished(
      { ...list, end: members.at(-1) },
      marks,
      pages.at(-1)?.info ?? {},
      before,
      edge,
    );
  };
  const whole = create([]);
  // Rows that this client created at the end stay there until their page is loaded.
  return nextIndex(whole) === undefined
    ? whole
    : create(before.members.slice(before.tail).filter((member) => !rows.has(member)));
}

/** Returns the new `from`, with which the first row that is in both lists keeps its index. */
function firstIndex({ members, marks }: Listing, now: readonly unknown[]): number {
  const places = new Map<unknown, number>(now.map((member, place) => [member, place]));
  const place = members.findIndex((member) => places.has(member));
  const { from = 0 } = marksOf({ marks })[0] ?? {};
  return place < 0 ? from : from + place - (places.get(members[place]) ?? 0);
}

/** Returns the dropped pages in front of the page `ask`. None if this page was never loaded. */
function droppedBefore(
  { ask: first, dropped }: Pick<PageMark, 'ask' | 'dropped'> = NO_EDGE,
  ask: PageParams | undefined,
): readonly PageParams[] {
  const asks = [...dropped, first].map(textOf);
  return dropped.slice(0, Math.max(0, asks.indexOf(textOf(ask))));
}
