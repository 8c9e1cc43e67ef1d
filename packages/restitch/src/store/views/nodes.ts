import type { Shape } from '../../schema/shapes.js';
import { commonEnds } from '../../schema/same.js';
import {
  UNBUILT,
  type BuiltNode,
  type CellNode,
  type Links,
  type Node,
  type Root,
} from './Node.js';
import type { Result } from '../cells/Result.js';
import type { Store } from '../cells/Store.js';

export function createRoot(
  shape: Shape,
  args: readonly unknown[],
  current: () => unknown,
  result?: Result,
): Root {
  return {
    shape,
    args,
    current,
    result,
    onChange: undefined,
    parents: undefined,
    links: NO_LINKS,
    dirty: NO_LINKS,
    value: undefined,
    source: UNBUILT,
    changedIn: 0,
    builtIn: 0,
    usedIn: 0,
  };
}

export const NO_LINKS: CellNode[] = [];

export function nodeList<T extends BuiltNode>(nodes: T | readonly T[]): readonly T[] {
  return isSingle(nodes) ? [nodes] : nodes;
}

export function nodeAt<T extends BuiltNode>(nodes: T | readonly T[], index: number): T | undefined {
  return isSingle(nodes) ? (index === 0 ? nodes : undefined) : nodes[index];
}

export function isSingle<T extends BuiltNode>(nodes: T | readonly T[]): nodes is T {
  return !Array.isArray(nodes);
}

export function link(child: Node, parent: Node): void {
  child.parents = withNode(child.parents, parent);
}

export function unlink(child: Node, parent: Node): void {
  child.parents = withoutNode(child.parents, parent);
}

function nodesIn(nodes: NodeSet = NO_LINKS): readonly Node[] {
  return nodes instanceof Set ? [...nodes] : nodeList(nodes);
}

export function parentsOf({ parents }: Node): readonly Node[] {
  return nodesIn(parents);
}

/** True if a node, or a node below it, may have changed since it was built. */
export function isStale({ dirty }: Node): boolean {
  return dirty !== undefined;
}

/** True while the nodes below a node are built: its `builtIn` is then inverted (`~`). */
export function isOpen({ builtIn }: Node): boolean {
  return builtIn < 0;
}

/** True for a row that is deleted or lacks a required row. An unknown row has no links. */
export function isMissing({ value, source, links }: CellNode): boolean {
  return value === undefined && (source === null || links !== NO_LINKS);
}

export function dirtyLinks({ dirty }: Node): readonly Node[] {
  return nodesIn(dirty);
}

/** The next read builds the node again and reuses equal parts. */
export function forgetLinks(node: Node): void {
  for (const child of nodeList(node.links)) {
    unlink(child, node);
  }
  node.links = NO_LINKS;
  node.source = UNBUILT;
  node.dirty = NO_LINKS;
}

export function relink(node: Node, next: Links): void {
  if (isSingle(next) && node.links === NO_LINKS) {
    node.links = next;
    link(next, node);
    return;
  }
  const before = nodeList(node.links);
  const links = nodeList(next);
  node.links = next;
  // Optimization: most lists change at one place, so the same links at both ends are skipped.
  const [start, tail] = commonEnds(before, links);
  for (const child of links.slice(start, links.length - tail)) {
    link(child, node);
  }
  if (before.length - tail > start) {
    const kept = new Set(links);
    for (const child of before.slice(start, before.length - tail)) {
      if (!kept.has(child)) {
        unlink(child, node);
      }
    }
  }
}

/** `isChange` is false during a read: otherwise, a broken node in a cycle would notify forever. */
export function mark(store: Store, node: Node, isChange = true): void {
  const queue: Node[] = [];
  markOne(store, node, undefined, queue, isChange);
  for (let next = queue.pop(); next; next = queue.pop()) {
    for (const parent of parentsOf(next)) {
      markOne(store, parent, next, queue, isChange);
    }
  }
}

function markOne(
  store: Store,
  node: Node,
  from: Node | undefined,
  queue: Node[],
  isChange: boolean,
): void {
  const wasBroken = isChange && store.broken.delete(node);
  if (!isStale(node) || wasBroken) {
    if (isRoot(node) && node.onChange) {
      store.notify.add(node);
    }
    queue.push(node);
  }
  node.dirty = from ? withNode(node.dirty, from) : (node.dirty ?? NO_LINKS);
}

export function rebuildParents(store: Store, node: Node, isChange = true): void {
  for (const parent of parentsOf(node)) {
    parent.source = UNBUILT;
    mark(store, parent, isChange);
  }
}

export function isRoot(node: Node): node is Root {
  return 'current' in node;
}

/** Optimization: one node, or an array of a few, uses less memory than a `Set`. */
export type NodeSet = Node | Node[] | Set<Node> | undefined;

const FEW = 64;

/** Changes an array or `Set` in place. */
function withNode(nodes: NodeSet, node: Node): NodeSet {
  if (nodes === undefined || nodes === NO_LINKS || nodes === node) {
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

/** Copies an array, because the caller may iterate over it. */
function withoutNode(nodes: NodeSet, node: Node): NodeSet {
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
