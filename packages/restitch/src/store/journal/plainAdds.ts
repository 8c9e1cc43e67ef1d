import { extended, isListing } from '../lists/members.js';
import type { Operation } from './operations.js';
import type { Cell, Stored } from '../cells/Cell.js';
import type { Stack } from './Transaction.js';

/**
 * A list with plain edits alone: pending and settled mutations that add members at one end. They stand in order of start, whatever
 * settles first:
 *
 * ```
 *   base [1 2]      M1 add ~a     M2 add ~b      M3 add ~c         shows 1 2 ~a ~b ~c
 *   M2 is answered                M2 add 7                         shows 1 2 ~a 7 ~c
 * ```
 *
 * An optimization: each of a thousand pending creates is placed and settled with one copy of the members, without reading the others.
 */
export interface Adds {
  readonly place: 'start' | 'end';
  /** The members that the list shows. */
  readonly members: unknown[];
  /** The same members. */
  readonly present: Set<unknown>;
}

/** With one edit, a list is folded as any other: that needs no set of its members. */
const MANY = 2;

/** Looks whether the patches of a list that was just folded add members at one end, none of which was there before. */
export function noteAdds({ stack, shown }: Cell): boolean {
  if (!stack || stack.patches.length < MANY || !isListing(shown) || !isListing(stack.base)) {
    return false;
  }
  const { base, patches } = stack;
  const place = placeOf(patches[0]?.operation);
  const isPlain =
    place &&
    !base.keys &&
    shown.members.length === base.members.length + patches.length &&
    patches.every(({ operation }) => placeOf(operation) === place);
  const members = [...shown.members];
  stack.adds = isPlain ? { place, members, present: new Set(members) } : undefined;
  return stack.adds !== undefined;
}

/** Adds a member, as the patch at a place does, or removes it again; false if it is there already, or goes elsewhere. */
export function moveMember(
  { base, adds }: Stack,
  operation: Operation,
  place: number,
  isLeaving: boolean,
): boolean {
  if (!adds || !isListing(base) || operation.type !== 'add' || operation.place !== adds.place) {
    return false;
  }
  const { members, present } = adds;
  const { member } = operation;
  const count = base.members.length;
  const index = adds.place === 'end' ? count + place : members.length - count - place;
  if (isLeaving) {
    present.delete(member);
    members.splice(adds.place === 'end' ? index : index - 1, 1);
  } else if (present.has(member)) {
    return false;
  } else {
    present.add(member);
    members.splice(index, 0, member);
  }
  return true;
}

/** What the list shows. */
export function showAdds({ base, adds }: Stack): Stored {
  return adds && isListing(base)
    ? extended(
        base,
        [...adds.members],
        adds.place === 'end' ? 0 : adds.members.length - base.members.length,
      )
    : base;
}

function placeOf(operation: Operation | undefined): 'start' | 'end' | undefined {
  return operation?.type === 'add' && typeof operation.place === 'string'
    ? operation.place
    : undefined;
}
