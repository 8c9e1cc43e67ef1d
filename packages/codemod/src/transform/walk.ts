import { type Node, VISITOR_KEYS } from '@babel/types';

/** Visits a node and all nodes inside, in the order of the source. */
export function walk(
  node: Node,
  visit: (node: Node, parent: Node | undefined) => void,
  parent?: Node,
): void {
  visit(node, parent);
  for (const key of VISITOR_KEYS[node.type] ?? []) {
    // The cast: each visitor key contains nodes, a node or nothing.
    const child = (node as unknown as Record<string, Node | readonly Node[] | null | undefined>)[
      key
    ];
    if (!child) continue;
    for (const one of Array.isArray(child) ? (child as readonly (Node | null)[]) : [child as Node])
      if (one) walk(one, visit, node);
  }
}

/** Returns true if an identifier is the name of a property, not of a variable. */
export function isKey(node: Node, parent: Node | undefined): boolean {
  if (!parent || !('computed' in parent) || parent.computed) return false;
  if (parent.type === 'MemberExpression' || parent.type === 'OptionalMemberExpression')
    return parent.property === node;
  return 'key' in parent && parent.key === node && (!('value' in parent) || parent.value !== node);
}
