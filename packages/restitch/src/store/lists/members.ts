import { isDevelopment } from '../../errors/development.js';
import type { CollectionMerge } from '../../schema/Collection.js';
import { isObject } from '../cells/plainValues.js';
import { joinFields, keepLast } from './fieldsByPlace.js';
import { markedLists } from './Paging.js';
import type { AppendPage, EndPages, ListEdit, ReplaceMembers } from '../journal/operations.js';
import type { Listing, Stored } from '../cells/Cell.js';

/**
 * The effects of operations on a list. `│` is the end of the first page, `║` of all pages:
 *
 * ```
 *   replace [1 2 3]      1 2 3
 *   page    [4 5]        1 2 3 │ 4 5           requested after 3; the page sets the cursor
 *   add     9            1 2 3 │ 4 5 ║ 9       follows the members from responses
 *   page    [6]          1 2 3 │ 4 5 6 ║ 9     requested after 5
 *   replace [0 1 3]      0 1 3 │ 4 5 6 ║ 9     contains 3, the end of the first page
 *   page    [1 7]        0 1 3 │ 4 5 6 7 ║ 9   no member occurs twice; 1 keeps its place
 *   replace [0 3]        0 3 │ 4 5 6 1 7 ║ 9   1 stays, because a page contained it
 *   replace [7 8]        7 8                   lacks 3: drops pages and 9, sets the cursor
 *   page    [8 9]        7 8                   dropped: requested when 6 was last; 6 is missing
 * ```
 */

type ListOperation = ReplaceMembers | AppendPage | EndPages | ListEdit;

export function applyToList(value: Stored, operation: ListOperation): Stored {
  const before = isListing(value) ? value : undefined;
  if ('arrange' in operation && operation.arrange) {
    return operation.arrange(before, operation) ?? value;
  }
  if (operation.type === 'replace') {
    return replace(before, operation);
  }
  if (!before) {
    // An unknown list stays unknown: one page or member is not the whole list.
    return value;
  }
  switch (operation.type) {
    case 'page':
      return append(before, operation);
    case 'unpage':
      return before.isPaged ? { ...before, isPaged: false } : before;
    default:
      return operation.type === 'add' && typeof operation.place === 'function'
        ? insert(before, operation.member, operation.place)
        : editAll(before, [operation]);
  }
}

/**
 * Adds members at the ends and removes members, or assigns members to keys. Optimization: many
 * edits copy the list once.
 */
export function editAll(value: Stored, edits: readonly ListEdit[]): Stored {
  if (!isListing(value)) {
    return value;
  }
  const removed = new Set<unknown>();
  for (const edit of edits) {
    for (const member of edit.type === 'remove' ? edit.members : []) {
      removed.add(member);
    }
  }
  const left = withoutMembers(value, (member) => removed.has(member));
  const { members, keys } = left;
  if (edits.every(({ type }) => type === 'remove' || (keys && type === 'add'))) {
    return left;
  }
  const rest = new Map<unknown, unknown>();
  slots(left).forEach((slot, index) => rest.set(slot, members[index]));
  const first = new Set<unknown>();
  for (const edit of edits) {
    if (edit.type === 'remove') {
      for (const member of edit.members) {
        rest.delete(member);
        first.delete(member);
      }
    } else if (edit.type === 'assign') {
      rest.set(edit.key, edit.member);
    } else if (rest.has(edit.member) || (edit.place !== 'start' && !first.has(edit.member))) {
      rest.set(edit.member, edit.member);
    } else {
      first.add(edit.member);
    }
  }
  const start = [...first].reverse();
  return {
    ...left,
    members: [...start, ...rest.values()],
    keys: keys && [...(rest.keys() as Iterable<string>)],
    ...movedEnds(left, (place) => place + start.length),
    ...noted(left, start),
  };
}

export function distinct(members: readonly unknown[]): readonly unknown[] {
  const once = new Set(members);
  return once.size === members.length ? members : [...once];
}

export function isListing(value: Stored): value is Listing {
  return isObject(value);
}

/** Slots are the keys of a map, or the members of any other list. No slot occurs twice. */
export function slots({ members, keys }: Pick<Listing, 'members' | 'keys'>): readonly unknown[] {
  return keys ?? members;
}

/** Rows that the prediction did not know stay. Rows that the list has lost since stay away. */
function rearranged(before: Slots, predicted: ReplaceMembers): ReplaceMembers {
  const { prediction } = predicted;
  if (!prediction || !differs(before, predicted)) {
    return predicted;
  }
  const { known } = prediction;
  const present = new Set(slots(before));
  const wanted = new Set(slots(predicted));
  const isOther = (slot: unknown): boolean => !known.has(slot) && !wanted.has(slot);
  // Rows at the start of the list stay there. The others follow.
  const first = slots(before).findIndex((slot) => !isOther(slot));
  const start = part(before, 0, Math.max(first, 0));
  const own = keep(predicted, (slot) => present.has(slot) || !known.has(slot));
  return { ...predicted, ...joined(joined(start, own), keep(before, isOther)) };
}

/** True if a list has rows that the prediction did not know, or has lost rows since. */
export function differs(before: Slots, { prediction, ...predicted }: ReplaceMembers): boolean {
  const known = prediction?.known;
  const present = new Set(slots(before));
  const wanted = new Set(slots(predicted));
  return (
    known !== undefined &&
    ([...present].some((slot) => !known.has(slot) && !wanted.has(slot)) ||
      [...wanted].some((slot) => known.has(slot) && !present.has(slot)))
  );
}

function replace(before: Listing | undefined, response: ReplaceMembers): Listing {
  const given = before ? rearranged(before, response) : response;
  const own = wholeList(given, before, before?.isPaged);
  if (before?.marks && markedLists.replace) {
    return markedLists.replace(before, own, response.isWrite === true);
  }
  if (!before?.isPaged) {
    return own;
  }
  const { added, head } = before;
  const last = slots(before)
    .slice(0, head)
    .findLast((slot) => !added?.includes(slot));
  if (last === undefined || !slots(own).includes(last)) {
    return own;
  }
  return {
    ...before,
    ...assembled(before, own, pagesOf(before)),
    ...UNMARKED,
    pageFields: keepLast(before.pageFields, own.pageFields),
  };
}

const UNMARKED = { added: undefined, marks: undefined };

export function wholeList(
  {
    members,
    keys,
    pageFields,
  }: Pick<Listing, 'members'> & Partial<Pick<Listing, 'keys' | 'pageFields'>>,
  before?: Listing,
  isRestart: boolean = false,
): Listing {
  const { length } = members;
  return {
    members,
    keys,
    head: length,
    tail: length,
    end: slots({ members, keys }).at(-1),
    isPaged: false,
    ...UNMARKED,
    pages: undefined,
    pageFields: joinFields(before?.pageFields, pageFields, isRestart),
  };
}

/**
 * `behind` is the list when the page was requested. The row `behind.end` must still be in the list.
 * If this row was deleted before the request, `now.end` must be the same row.
 */
export function isPlace(now: Listing, behind: Listing | undefined): boolean {
  if (!behind) {
    return !now.isPaged;
  }
  const { end } = behind;
  return isFromResponse(now, end) || (now.end === end && !isFromResponse(behind, end));
}

/** A slot that was only added does not count, because the server may place it elsewhere. */
function isFromResponse(list: Listing, slot: unknown): boolean {
  const { tail, added, pages } = list;
  const isAdded = added?.includes(slot) && !pages?.includes(slot);
  return !isAdded && slots(list).slice(0, tail).includes(slot);
}

export function noted(before: Listing, members: readonly unknown[]): Pick<Listing, 'added'> {
  return { added: members.length > 0 ? [...(before.added ?? []), ...members] : before.added };
}

function append(before: Listing, page: AppendPage): Listing {
  if (!isPlace(before, page.behind)) {
    return before;
  }
  const own = wholeList(page, before);
  const first = part(before, 0, before.head);
  const meanwhile = page.meanwhile();
  const { removed } = meanwhile;
  const pages = joined(
    pagesOf(before),
    keep(own, (_, member) => !removed.has(member)),
  );
  const { members, keys, ...parts } = assembled(before, first, pages);
  return {
    ...own,
    ...joined({ members, keys }, meanwhile),
    ...parts,
    end: own.end ?? before.end,
    isPaged: true,
    added: within(before.added, first),
  };
}

type Ends = Pick<Listing, 'head' | 'tail'> & Partial<Pick<Listing, 'marks'>>;
type Slots = Pick<Listing, 'members' | 'keys'>;

function joined(first: Slots, second: Slots): Slots {
  const present = new Set(slots(first));
  const rest = keep(second, (slot) => !present.has(slot));
  return {
    members: [...first.members, ...rest.members],
    keys: first.keys && [...first.keys, ...(rest.keys ?? [])],
  };
}

function assembled(
  before: Listing,
  first: Slots,
  pages: Slots,
): Slots & Ends & Pick<Listing, 'pages'> {
  const responded = joined(first, pages);
  const head = first.members.length;
  const tail = responded.members.length;
  return {
    ...joined(responded, part(before, before.tail)),
    head,
    tail,
    pages: tail < head + pages.members.length ? slots(pages) : undefined,
  };
}

function within(items: readonly unknown[] | undefined, list: Slots): typeof items {
  const present = items && new Set(slots(list));
  return items?.filter((slot) => present?.has(slot));
}

function pagesOf(list: Listing): Slots {
  const { members, pages, head, tail } = list;
  if (!pages) {
    return part(list, head, tail);
  }
  const places = new Map<unknown, number>(slots(list).map((slot, index) => [slot, index]));
  return {
    members: pages.map((slot) => members[places.get(slot) ?? -1]),
    keys: list.keys && pages.map(String),
  };
}

function part({ members, keys }: Slots, from: number, to?: number): Slots {
  return { members: members.slice(from, to), keys: keys?.slice(from, to) };
}

function keep(list: Slots, test: (slot: unknown, member: unknown) => boolean): Slots {
  const own = slots(list);
  const passes = (_: unknown, index: number): boolean => test(own[index], list.members[index]);
  return { members: list.members.filter(passes), keys: list.keys?.filter(passes) };
}

/**
 * Ignores keys that `merge` returns but did not receive. `merge` does not receive union members
 * without a known class, which are raw values. Each raw value stays after the member before it.
 */
function insert(before: Listing, member: string, merge: CollectionMerge): Listing {
  const { members } = before;
  if (before.keys || members.includes(member)) {
    return before;
  }
  const existing = members.filter((item) => typeof item === 'string');
  const given: unknown = merge(existing, [member]);
  if (!Array.isArray(given)) {
    throw new TypeError(
      isDevelopment
        ? 'The function given to `addWith` or `moveWith` must return the keys of the list in an array.'
        : 'addWith',
    );
  }
  const allowed = new Set<unknown>([...members, member]);
  const next = [...new Set<unknown>(given)].filter((item) => allowed.has(item));
  members.forEach((item, index) => {
    if (typeof item !== 'string') {
      next.splice(next.indexOf(members[index - 1]) + 1, 0, item);
    }
  });
  // The first page and the further pages end with the same members as before.
  return {
    ...before,
    members: next,
    ...movedEnds(before, (end) => next.indexOf(members[end - 1]) + 1 || Math.min(end, next.length)),
    pages: within(before.pages, { members: next, keys: undefined }),
    ...noted(before, [member]),
  };
}

export function movedEnds({ head, tail, marks }: Listing, move: (end: number) => number): Ends {
  return {
    head: move(head),
    tail: move(tail),
    marks: marks?.map((mark) => ({ ...mark, end: move(mark.end) })),
  };
}

export function withoutMembers(before: Listing, test: (member: unknown) => boolean): Listing {
  const stays = (member: unknown): boolean => !test(member);
  const { members } = before;
  if (members.every(stays)) {
    return before;
  }
  const kept = keep(before, (_, member) => stays(member));
  return {
    ...before,
    ...kept,
    ...movedEnds(before, (end) => members.slice(0, end).filter(stays).length),
    pages: within(before.pages, kept),
  };
}
