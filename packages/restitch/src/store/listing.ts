import { isDevelopment } from '../errors/development.js';
import type { CollectionMerge } from '../schema/Collection.js';
import { isObject, reuseFields } from './record.js';
import type {
  AddMember,
  AppendPage,
  AssignMember,
  EndPages,
  RemoveMember,
  ReplaceMembers,
} from './operations.js';
import type { Listing, Stored } from './state.js';

/**
 * What operations do to a list:
 *
 * ```
 *   replace [1 2 3]      1 2 3
 *   page    [4 5]        1 2 3 │ 4 5           asked for behind 3; the cursor beside the list is now that of the page
 *   add     9            1 2 3 │ 4 5 9
 *   replace [0 1 3]      0 1 3 │ 4 5 9         it still ends where the pages begin: they, and the cursor, stay
 *   replace [7 8 9]      7 8 9                 it does not: the pages are gone, the cursor is its own
 *   page    [6]          7 8 9                 asked for behind 5, which is gone: it would leave a hole
 * ```
 */

type ListOperation =
  | ReplaceMembers
  | AppendPage
  | EndPages
  | AddMember
  | AssignMember
  | RemoveMember;

/** Applies an operation to what a list's cell holds. */
export function applyToList(value: Stored, operation: ListOperation): Stored {
  const before = isListing(value) ? value : undefined;
  if (operation.type === 'replace') {
    return replace(before, operation);
  }
  // A page or a member of a list that is not known makes none: it is not a list of one.
  return before ? change(before, operation) : value;
}

/** Adds members at the start or end, one after the other, with one copy of the list. */
export function addAll(value: Stored, adds: readonly AddMember[]): Stored {
  if (!isListing(value) || value.keys) {
    return value;
  }
  const present = new Set(value.members);
  const start: unknown[] = [];
  const end: unknown[] = [];
  for (const { member, place } of adds) {
    if (!present.has(member)) {
      present.add(member);
      (place === 'start' ? start : end).push(member);
    }
  }
  return {
    ...value,
    members: [...start.reverse(), ...value.members, ...end],
    head: value.head + start.length,
  };
}

/** A list without the doubtful members that are not known otherwise. */
export function withhold(
  list: Listing,
  doubtful: ReadonlySet<unknown>,
  known: ReadonlySet<unknown>,
): Listing {
  const stays = (member: unknown): boolean => known.has(member) || !doubtful.has(member);
  return list.members.every(stays)
    ? list
    : { ...list, ...keep(list, (_slot, _index, member) => stays(member)) };
}

/** Members, each at its first place alone. */
export function distinct(members: readonly unknown[]): readonly unknown[] {
  const once = new Set(members);
  return once.size === members.length ? members : [...once];
}

/** Whether the cell of a list holds one. */
export function isListing(value: Stored): value is Listing {
  return isObject(value);
}

function change(before: Listing, operation: Exclude<ListOperation, ReplaceMembers>): Listing {
  switch (operation.type) {
    case 'page':
      return append(before, operation);
    case 'unpage':
      return before.isPaged ? { ...before, isPaged: false } : before;
    case 'add':
      return add(before, operation);
    case 'assign':
      return assign(before, operation);
    case 'remove':
      return withoutMembers(before, (member) => operation.members.includes(member));
  }
}

/** What may stand once only: the keys of a map, the members of a list. */
function slots({ members, keys }: Pick<Listing, 'members' | 'keys'>): readonly unknown[] {
  return keys ?? members;
}

function replace(before: Listing | undefined, { members, keys, beside }: ReplaceMembers): Listing {
  const joins =
    before?.isPaged && slots({ members, keys }).includes(slots(before)[before.head - 1]);
  const own: Listing = {
    members,
    keys,
    head: members.length,
    isPaged: false,
    beside: reuseBeside(before, beside),
  };
  if (!joins) {
    return own;
  }
  const pages = keep(before, (_, index) => index >= before.head);
  return { ...before, ...joined(own, pages), head: members.length };
}

/** With what the answers of a list end. What was added at the end of a first page is none of them. */
export function endOf(list: Listing): unknown {
  const own = slots(list);
  return own[(list.isPaged ? own.length : list.head) - 1];
}

/** Whether what a page was asked behind is there: the end that the list had, or, where it was not known, a first page. */
export function isPlace(now: Listing, behind: Listing | undefined): boolean {
  const end = behind && endOf(behind);
  return end === undefined ? !(behind ? endOf(now) : now.isPaged) : slots(now).includes(end);
}

function append(before: Listing, { members, keys, beside, behind }: AppendPage): Listing {
  if (!isPlace(before, behind)) {
    return before;
  }
  return {
    ...before,
    ...joined(before, { members, keys }),
    isPaged: true,
    beside: reuseBeside(before, beside),
  };
}

/** What now stands beside a list; readers of what is equal keep what they have. */
function reuseBeside(before: Listing | undefined, beside: Listing['beside']): Listing['beside'] {
  return before?.beside && beside ? reuseFields(before.beside, beside) : beside;
}

type Slots = Pick<Listing, 'members' | 'keys'>;

/** What two parts of a list hold together, the second one without what stands in the first. */
function joined(first: Slots, second: Slots): Slots {
  const present = new Set(slots(first));
  const rest = keep(second, (slot) => !present.has(slot));
  return {
    members: [...first.members, ...rest.members],
    keys: first.keys && [...first.keys, ...(rest.keys ?? [])],
  };
}

/** The part of a list whose slots pass a test. */
function keep(
  list: Slots,
  test: (slot: unknown, index: number, member: unknown) => boolean,
): Slots {
  const own = slots(list);
  const passes = (_: unknown, index: number): boolean =>
    test(own[index], index, list.members[index]);
  return { members: list.members.filter(passes), keys: list.keys?.filter(passes) };
}

function add(before: Listing, { member, place }: AddMember): Listing {
  const { members, head } = before;
  if (before.keys || members.includes(member)) {
    return before;
  }
  if (place === 'end') {
    return { ...before, members: [...members, member] };
  }
  if (place === 'start') {
    return { ...before, members: [member, ...members], head: head + 1 };
  }
  return { ...before, ...placed(before, member, place) };
}

/** A member where a function wants it. Other keys than those it was given are nobody's. */
function placed(
  { members, head }: Listing,
  member: string,
  merge: CollectionMerge,
): Pick<Listing, 'members' | 'head'> {
  // Members are keys as text, except what a union passed through.
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
  // The first page still ends with the same member.
  const last = next.indexOf(members[head - 1]);
  return { members: next, head: last < 0 ? Math.min(head, next.length) : last + 1 };
}

function assign(before: Listing, { key, member }: AssignMember): Listing {
  const { members, keys = [] } = before;
  const index = keys.indexOf(key);
  if (index < 0) {
    return { ...before, members: [...members, member], keys: [...keys, key] };
  }
  return { ...before, members: members.map((other, at) => (at === index ? member : other)) };
}

/** A list without the members that pass a test: the same one where there are none. */
export function withoutMembers(before: Listing, test: (member: unknown) => boolean): Listing {
  const stays = (member: unknown): boolean => !test(member);
  if (before.members.every(stays)) {
    return before;
  }
  const head = before.members.slice(0, before.head).filter(stays).length;
  return { ...before, ...keep(before, (_slot, _index, member) => stays(member)), head };
}
