import type { Patch } from '../journal/Transaction.js';

/**
 * Returns a patch as it applies below the patches from a position on. A page must not restore a
 * member that one of them adds. Since the page arrived, a pending create can have raised that
 * patch, which places its member. A response that ranks at its start leaves its own such members to
 * them, too.
 */
export function pageBelow(patch: Patch, stack: readonly Patch[], from: number): Patch {
  const { operation } = patch;
  if (!('arrange' in operation) || (operation.type === 'replace' && !operation.arrange)) {
    return patch;
  }
  const above = new Set<unknown>(
    stack.slice(from).map(({ operation: other }) => 'member' in other && other.member),
  );
  if (operation.arrange?.ranksAtStart) {
    return { ...patch, operation: { ...operation, above } };
  }
  if (operation.type !== 'page') {
    return patch;
  }
  const { members, keys, removed } = operation.meanwhile;
  const stays = (_: unknown, index: number): boolean => !above.has(members[index]);
  const meanwhile = { members: members.filter(stays), keys: keys?.filter(stays), removed };
  return { ...patch, operation: { ...operation, meanwhile } };
}
