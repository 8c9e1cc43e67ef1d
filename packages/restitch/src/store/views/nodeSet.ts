import type { Node } from './Node.js';

/**
 * A set of nodes. Optimization: a plain slot for a single node and an array for a few, which use
 * less memory.
 */
export type NodeSet = Node | Node[] | Set<Node> | undefined;

/** The maximum size of a set that is searched linearly. */
const FEW = 64;

/** Returns a set with one more node. Anything but a plain slot is changed in place. */
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

/**
 * Returns a set without a node. An array is copied, because the caller can be iterating over it.
 */
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

export function nodesIn(nodes: NodeSet): Iterable<Node> {
  return Array.isArray(nodes) || nodes instanceof Set ? nodes : nodes ? [nodes] : [];
}
