import { extended, isListing } from '../lists/members.js';
import type { Operation } from './operations.js';
import type { Cell, Stored } from '../cells/Cell.js';
import type { Stack } from './Transaction.js';

/**
 * Plain edits of a list are pending and settled mutations that add members, all at the same end.
 * The members are in order of start, regardless of which mutation settles first:
 *
 * ```
 *   base [1 2]      M1 add ~a     M2 add ~b      M3 add ~c         value 1 2 ~a ~b ~c
 *   M2 settles                    M2 add 7                         value 1 2 ~a 7 ~c
 * ```
 *
 * Optimization: each of a thousand pending creates is placed and settled with one copy of the
 * members, without reading the others.
 */
export interface Adds {
  readonly place: 'start' | 'end';
  readonly members: unknown[];
  readonly present: Set<unknown>;
}

const MANY = 2;

/** Returns true if several patches each added a new member at the same end. */
export function noteAdds({ stack, current }: Cell): boolean {
  if (!stack || stack.patches.length < MANY || !isListing(current) || !isListing(stack.base)) {
    return false;
  }
  const { base, patches } = stack;
  const place = placeOf(patches[0]?.operation);
  const isPlain =
    place &&
    !base.keys &&
    current.members.length === base.members.length + patches.length &&
    patches.every(({ operation }) => placeOf(operation) === place);
  const members = [...current.members];
  stack.adds = isPlain ? { place, members, present: new Set(members) } : undefined;
  return stack.adds !== undefined;
}

/** Returns false if the patches are no longer plain edits. */
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
