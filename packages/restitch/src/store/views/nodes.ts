import type { Shape } from '../../schema/shapes.js';
import { commonEnds } from '../../schema/same.js';
import { nodesIn, withNode, withoutNode } from './nodeSet.js';
import type { CellNode, Links, Node, Root } from './Node.js';
import type { Result } from '../cells/Result.js';
import type { Store } from '../cells/Store.js';
import { ITSELF, UNBUILT } from './Node.js';

/** A root that is not linked to anything yet. */
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
    dirty: ITSELF,
    value: undefined,
    source: UNBUILT,
    changedIn: 0,
    builtIn: 0,
    usedIn: 0,
  };
}

export const NO_LINKS: readonly CellNode[] = [];

/** One or several nodes, as an array. */
export function nodeList<T extends Node>(nodes: T | readonly T[]): readonly T[] {
  return isSingle(nodes) ? [nodes] : nodes;
}

/** One of several nodes, if there are so many. */
export function nodeAt<T extends Node>(nodes: T | readonly T[], index: number): T | undefined {
  return isSingle(nodes) ? (index === 0 ? nodes : undefined) : nodes[index];
}

/** Whether it is one node rather than several. */
export function isSingle<T extends Node>(nodes: T | readonly T[]): nodes is T {
  return !Array.isArray(nodes);
}

/** Notes that `parent` contains `child`, so that a change of the child marks the parent. */
export function link(child: Node, parent: Node): void {
  child.parents = withNode(child.parents, parent);
}

export function unlink(child: Node, parent: Node): void {
  child.parents = withoutNode(child.parents, parent);
}

/** The nodes that contain a node. */
export function parentsOf({ parents }: Node): Iterable<Node> {
  return nodesIn(parents);
}

/** Whether something in a node, or below it, may have changed since it was built. */
export function isStale({ dirty }: Node): boolean {
  return dirty !== undefined;
}

/** The links of a stale node that were marked. */
export function dirtyLinks({ dirty }: Node): readonly Node[] {
  return dirty === ITSELF ? NO_LINKS : [...nodesIn(dirty)];
}

/** Forgets what a node contains: the next look builds it again, equal parts kept. */
export function forgetLinks(node: Node): void {
  for (const child of nodeList(node.links)) {
    unlink(child, node);
  }
  node.links = NO_LINKS;
  node.source = UNBUILT;
  node.dirty = ITSELF;
}

/** Replaces what a node contains, keeping the parent links of what stays. */
export function relink(node: Node, next: Links): void {
  if (isSingle(next) && node.links === NO_LINKS) {
    node.links = next;
    link(next, node);
    return;
  }
  const before = nodeList(node.links);
  const links = nodeList(next);
  node.links = next;
  // What stays at both ends is linked already: most lists grow or shrink at one place.
  const [start, tail] = commonEnds(before, links);
  for (let index = start; index < links.length - tail; index += 1) {
    const child = links[index];
    if (child) {
      link(child, node);
    }
  }
  if (before.length - tail > start) {
    const kept = new Set(links);
    for (let index = start; index < before.length - tail; index += 1) {
      const child = before[index];
      if (child && !kept.has(child)) {
        unlink(child, node);
      }
    }
  }
}

/** Marks a node and everything that contains it, stopping at what is marked already: so it ends in cycles too. */
export function mark(store: Store, node: Node): void {
  const queue: Node[] = [];
  markOne(store, node, ITSELF, queue);
  for (let next = queue.pop(); next; next = queue.pop()) {
    for (const parent of parentsOf(next)) {
      markOne(store, parent, next, queue);
    }
  }
}

function markOne(store: Store, node: Node, from: Node | typeof ITSELF, queue: Node[]): void {
  const wasBroken = store.broken.delete(node);
  if (!isStale(node) || wasBroken) {
    if (isRoot(node) && node.onChange) {
      store.notify.add(node);
    }
    queue.push(node);
  }
  if (from === ITSELF) {
    node.dirty ??= ITSELF;
  } else {
    node.dirty = withNode(node.dirty === ITSELF ? undefined : node.dirty, from);
  }
}

/** Whether a node is a row or a list rather than a whole answer. */
export function isCellNode(node: Node): node is CellNode {
  return 'cell' in node;
}

/** Whether a node is a whole answer rather than a row or a list. */
export function isRoot(node: Node): node is Root {
  return 'current' in node;
}
