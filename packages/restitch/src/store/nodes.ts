import type { Shape } from '../schema/shape.js';
import { record } from './history.js';
import type { CellNode, Links, Node, Result, Root, Store } from './state.js';
import { UNBUILT } from './state.js';

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
    stale: true,
    isBroken: false,
    dirty: undefined,
    value: undefined,
    source: UNBUILT,
    changedIn: 0,
    builtIn: 0,
    visitedIn: 0,
    usedIn: 0,
    place: 0,
  };
}

export const NO_LINKS: readonly CellNode[] = [];

/** What a node contains, as an array. */
export function linkList(links: Links): readonly CellNode[] {
  return isSingle(links) ? [links] : links;
}

/** One of the nodes that a node contains, if it contains so many. */
export function linkAt(links: Links, index: number): CellNode | undefined {
  return isSingle(links) ? (index === 0 ? links : undefined) : links[index];
}

function isSingle(links: Links): links is CellNode {
  return !Array.isArray(links);
}

/** Notes that `parent` contains `child`, so that a change of the child marks the parent. */
export function link(child: Node, parent: Node): void {
  if (child.parents === undefined || child.parents === parent) {
    child.parents = parent;
  } else if (child.parents instanceof Set) {
    child.parents.add(parent);
  } else {
    child.parents = new Set([child.parents, parent]);
  }
}

export function unlink(child: Node, parent: Node): void {
  if (child.parents === parent) {
    child.parents = undefined;
  } else if (child.parents instanceof Set) {
    child.parents.delete(parent);
  }
}

/** The nodes that contain a node. */
export function parentsOf({ parents }: Node): Iterable<Node> {
  return parents instanceof Set ? parents : parents ? [parents] : [];
}

/** Forgets what a node contains: the next look builds it again, equal parts kept. */
export function forgetLinks(node: Node): void {
  for (const child of linkList(node.links)) {
    unlink(child, node);
  }
  node.links = NO_LINKS;
  node.source = UNBUILT;
  node.stale = true;
}

/** Replaces what a node contains, keeping the parent links of what stays. */
export function relink(node: Node, next: Links): void {
  if (isSingle(next) && node.links === NO_LINKS) {
    node.links = next;
    link(next, node);
    return;
  }
  const before = linkList(node.links);
  const links = linkList(next);
  node.links = next;
  // What stays at both ends is linked already: most lists grow or shrink at one place.
  let start = 0;
  while (start < before.length && before[start] === links[start]) {
    start += 1;
  }
  let tail = 0;
  while (
    tail < Math.min(before.length, links.length) - start &&
    before.at(-1 - tail) === links.at(-1 - tail)
  ) {
    tail += 1;
  }
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
  stale(store, node, queue);
  for (let next = queue.pop(); next; next = queue.pop()) {
    for (const parent of parentsOf(next)) {
      dirty(store, parent, next, queue);
    }
  }
}

function dirty(store: Store, parent: Node, child: Node, queue: Node[]): void {
  (parent.dirty ??= new Set()).add(child);
  stale(store, parent, queue);
}

function stale(store: Store, node: Node, queue: Node[]): void {
  if (!node.stale || node.isBroken) {
    if (store.history && !node.stale && isCellNode(node)) {
      const { value, goneIn, builtIn } = node;
      record(store.history, node, { value, goneIn }, builtIn);
    }
    node.stale = true;
    node.isBroken = false;
    if (isRoot(node) && node.onChange) {
      store.notify.add(node);
    }
    queue.push(node);
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
