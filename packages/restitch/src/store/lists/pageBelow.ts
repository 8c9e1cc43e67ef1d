import type { Patch } from '../journal/Transaction.js';

/**
 * Returns a patch as it applies below the patches from a position on. A page must not restore a
 * member that one of them adds. Since the page arrived, a pending create can have raised that
 * patch, which places its member. A page that ranks at its start leaves its own such members to them.
 */
export function pageBelow(patch: Patch, stack: readonly Patch[], from: number): Patch {
  const { operation } = patch;
  if (operation.type !== 'page') {
    return patch;
  }
  const { members, keys, removed } = operation.meanwhile;
  const above = stack.slice(from).map(({ operation: other }) => 'member' in other && other.member);
  const added = new Set<unknown>(above);
  const stays = (_: unknown, index: number): boolean => !added.has(members[index]);
  const meanwhile = operation.arrange?.ranksAtStart
    ? { members: above, keys: undefined, removed }
    : { members: members.filter(stays), keys: keys?.filter(stays), removed };
  return { ...patch, operation: { ...operation, meanwhile } };
}
