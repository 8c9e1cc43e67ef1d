import { equal, isObject, sameItems } from './record.js';
import type {
  AddMember,
  AppendPage,
  Listing,
  RemoveMember,
  ReplaceMembers,
  Stored,
} from './state.js';

/**
 * What operations do to a list:
 *
 * ```
 *   replace [1 2 3]      1 2 3
 *   page    [4 5]        1 2 3 │ 4 5           the cursor beside the list is now that of the page
 *   add     9            1 2 3 │ 4 5 9
 *   replace [0 1 3]      0 1 3 │ 4 5 9         it still ends where the pages begin: they, and the cursor, stay
 *   replace [7 8 9]      7 8 9                 it does not: the pages are gone, the cursor is its own
 * ```
 */

type ListOperation = ReplaceMembers | AppendPage | AddMember | RemoveMember;

/**
 * Applies an operation to what a list's cell holds; gives the same object where nothing changes. `known`: the only members
 * that an answer may show now (see `knownMembers`).
 */
export function applyToList(
  value: Stored,
  operation: ListOperation,
  known: ReadonlySet<unknown> | undefined,
): Stored {
  const before = isListing(value) ? value : undefined;
  if (operation.type === 'replace') {
    return replace(before, operation, known);
  }
  // A page or a member of a list that is not known makes none: it is not a list of one.
  return before ? change(before, operation, known) : value;
}

/** Whether the cell of a list holds one. */
export function isListing(value: Stored): value is Listing {
  return isObject(value);
}

/** Whether two states of a list look the same to readers. */
export function looksSame(a: Stored, b: Stored): boolean {
  return isListing(a) && isListing(b)
    ? sameItems(a.members, b.members) && equal(a.beside, b.beside)
    : a === b;
}

function change(
  before: Listing,
  operation: Exclude<ListOperation, ReplaceMembers>,
  known: ReadonlySet<unknown> | undefined,
): Listing {
  switch (operation.type) {
    case 'page':
      return append(before, operation, known);
    case 'add':
      return add(before, operation);
    case 'remove':
      return remove(before, operation);
  }
}

function replace(
  before: Listing | undefined,
  { members, beside }: ReplaceMembers,
  known: ReadonlySet<unknown> | undefined,
): Listing {
  const first = known ? members.filter((member) => known.has(member)) : members;
  const joins =
    before?.isPaged && before.head > 0 && members.includes(before.members[before.head - 1]);
  if (!joins) {
    return update(before, { members: first, head: first.length, isPaged: false, beside });
  }
  const present = new Set(first);
  const rest = before.members.slice(before.head).filter((member) => !present.has(member));
  return update(before, { ...before, members: [...first, ...rest], head: first.length });
}

function append(
  before: Listing,
  { members, beside }: AppendPage,
  known: ReadonlySet<unknown> | undefined,
): Listing {
  const present = new Set(before.members);
  const added = members.filter((member) => !present.has(member) && (known?.has(member) ?? true));
  return update(before, {
    ...before,
    members: [...before.members, ...added],
    isPaged: true,
    beside,
  });
}

function add(before: Listing, { member, place }: AddMember): Listing {
  const { members, head } = before;
  if (members.includes(member)) {
    return before;
  }
  return place === 'end'
    ? { ...before, members: [...members, member] }
    : { ...before, members: [member, ...members], head: head + 1 };
}

function remove(before: Listing, { members: gone }: RemoveMember): Listing {
  const stays = (member: unknown): boolean => !gone.includes(member);
  const members = before.members.filter(stays);
  return members.length === before.members.length
    ? before
    : { ...before, members, head: before.members.slice(0, before.head).filter(stays).length };
}

/** The next state of a list, with every part that did not change the same object as before. */
function update(before: Listing | undefined, next: Listing): Listing {
  if (!before) {
    return next;
  }
  const members = sameItems(before.members, next.members) ? before.members : next.members;
  const beside = equal(before.beside, next.beside) ? before.beside : next.beside;
  const isSame =
    members === before.members &&
    beside === before.beside &&
    next.head === before.head &&
    next.isPaged === before.isPaged;
  return isSame ? before : { ...next, members, beside };
}
