import { sameItems } from '../../schema/same.js';
import { equal } from '../cells/plainValues.js';
import type { Listing } from '../cells/Cell.js';
import type { Operation } from '../journal/operations.js';

/** True if a whole list from a response lacks the edit, or differs from another whole list. */
export function lacks(
  { members, keys }: Pick<Listing, 'members' | 'keys'>,
  edit: Operation,
): boolean {
  switch (edit.type) {
    case 'add':
      return !members.includes(edit.member);
    case 'assign':
      return members[keys?.indexOf(edit.key) ?? -1] !== edit.member;
    case 'remove':
      return edit.members.some((member) => members.includes(member));
    case 'replace':
      return !sameItems(members, edit.members) || !equal(keys, edit.keys);
    default:
      return false;
  }
}
