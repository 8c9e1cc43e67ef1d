import type { Node } from './Node.js';

/** A set of nodes: a plain slot for the usual single one, and an array while they are few, which takes less room. */
export type NodeSet = Node | Node[] | Set<Node> | undefined;

/** Up to so many are looked through one by one. */
const FEW = 64;

/** A set with one more node, in place where it is more than a slot. */
export function withNode(nodes: NodeSet, node: Node): NodeSet {
  if (nodes === undefined || nodes === node) {
    return node;
  }
  if (nodes instanceof Set) {
    return nodes.add(node);
  }
  if (!Array.isArray(nodes)) {
    return [nodes, node];
  }
  if (nodes.includes(node)) {
    return nodes;
  }
  if (nodes.length === FEW) {
    return new Set(nodes).add(node);
  }
  nodes.push(node);
  return nodes;
}

/** A set without a node. An array is copied: somebody may be walking it. */
export function withoutNode(nodes: NodeSet, node: Node): NodeSet {
  if (nodes instanceof Set) {
    nodes.delete(node);
    return nodes;
  }
  if (Array.isArray(nodes)) {
    const rest = nodes.filter((other) => other !== node);
    return rest.length > 1 ? rest : rest[0];
  }
  return nodes === node ? undefined : nodes;
}

/** The nodes of a set. */
export function nodesIn(nodes: NodeSet): Iterable<Node> {
  return Array.isArray(nodes) || nodes instanceof Set ? nodes : nodes ? [nodes] : [];
}
