import { besideOf } from '../lists/pageFields.js';
import { markTouched } from '../journal/commit.js';
import {
  dirtyLinks,
  isCellNode,
  isRoot,
  isStale,
  nodeAt,
  isSingle,
  nodeList,
  NO_LINKS,
  parentsOf,
  relink,
} from './nodes.js';
import { sameShown } from '../../schema/same.js';
import { UNBUILT } from './Node.js';
import type { CellNode, Links, Node } from './Node.js';
import type { Store } from '../cells/Store.js';
import { collect, collectCell, lacksRequired } from './references.js';
import type { Previous } from '../../schema/KindMethods.js';
import { denormalizeList, denormalizeRoot } from './denormalize.js';
import { goneSince, setGoneSince } from './goneRows.js';
import { sameBut } from './sameInCircle.js';
import { allocateRow, relateRow } from './instances.js';

/**
 * Updates a node and returns its value. A node that is not stale costs nothing.
 *
 * The walk over stale nodes is iterative, so only memory limits the depth. Children are built
 * before parents. An equal value stays the same object, so nothing above it changes. Records in a
 * cycle receive their instances first and their relations afterward, and change together.
 *
 * ```
 *   list ──▶ issue 1 ──▶ user        the user changed:  user, issue 1 and the list are new objects,
 *       └──▶ issue 2                                    issue 2 is the same and was not visited
 * ```
 */
export function readNode(store: Store, node: Node): unknown {
  markTouched(store);
  if (isStale(node)) {
    store.rebuild += 1;
    if (!buildDirectly(store, node, [])) {
      store.rebuild += 1;
      rebuild(store, node);
    }
  }
  return node.value;
}

/** Levels that a read visits by recursion before the iterative walk takes over. */
const DIRECT_DEPTH = 8;

/**
 * Optimization for most reads: few levels, no cycle. Returns false otherwise; built nodes stay
 * built. `path` contains the nodes that were entered and are not built yet.
 */
function buildDirectly(store: Store, node: Node, path: Node[]): boolean {
  if (path.length > DIRECT_DEPTH || path.includes(node)) {
    return false;
  }
  const below = childrenToVisit(store, node);
  path.push(node);
  try {
    let index = 0;
    for (let child = nodeAt(below, 0); child; child = nodeAt(below, index)) {
      if (isStale(child) && !buildDirectly(store, child, path)) {
        return false;
      }
      index += 1;
    }
    buildIfChanged(store, node, below);
  } catch (error) {
    store.broken.add(node);
    throw error;
  }
  path.pop();
  return true;
}

function rebuild(store: Store, root: Node): void {
  const walk: Walk = { open: [], builtIn: [], below: [], low: [] };
  try {
    buildBelow(store, root, walk);
  } catch (error) {
    close(walk, 0);
    for (const node of walk.open) {
      if (isStale(node)) {
        store.broken.add(node);
      }
    }
    throw error;
  }
}

type Below = Node | readonly Node[];

/** Nodes that are entered and not built yet, in order of entry. Arrays, because chains are long. */
interface Walk {
  readonly open: Node[];
  /** For each node, its previous `builtIn`. The node's own now is its position from 1, negative. */
  readonly builtIn: number[];
  /** For each node, the contained nodes that may need a rebuild, or were rebuilt since. */
  readonly below: Below[];
  /** For each node, the lowest position reachable from it; a lower one than its own is a cycle. */
  readonly low: number[];
}

/**
 * Builds the stale nodes below a root in groups, contained groups first. A cycle is one group
 * (Tarjan's strongly connected components, with a path instead of recursion).
 */
function buildBelow(store: Store, root: Node, walk: Walk): void {
  const { open, builtIn, below, low } = walk;
  // The nodes from the root to the current one, and the number of visited children of each.
  const path: number[] = [];
  const seen: number[] = [];
  const enter = (node: Node): void => {
    below.push(childrenToVisit(store, node));
    path.push(open.length);
    seen.push(0);
    low.push(open.length);
    builtIn.push(node.builtIn);
    open.push(node);
    node.builtIn = -open.length;
  };
  const reach = (place: number, from: number): void => {
    low[from] = Math.min(low[from] ?? place, place);
  };
  enter(root);
  for (let top = 0; top >= 0; top = path.length - 1) {
    const place = path[top] ?? 0;
    const index = seen[top] ?? 0;
    const child = nodeAt(below[place] ?? NO_LINKS, index);
    seen[top] = index + 1;
    if (child) {
      if (child.builtIn < 0) {
        reach(-child.builtIn - 1, place);
      } else if (isStale(child) && child.builtIn !== store.rebuild) {
        enter(child);
      }
      continue;
    }
    path.pop();
    seen.pop();
    const container = path.at(-1);
    if (container !== undefined) {
      reach(low[place] ?? place, container);
    }
    if (low[place] === place) {
      close(walk, place);
      buildGroup(store, walk, place);
      // Up to date now, so not entered again. They stay open until here in case building fails.
      open.length = place;
      builtIn.length = place;
      below.length = place;
      low.length = place;
    }
  }
}

/** Restores `builtIn` of the open nodes from a position on. */
function close({ open, builtIn }: Walk, start: number): void {
  for (let index = start; index < open.length; index += 1) {
    const node = open[index];
    if (node && node.builtIn < 0) {
      node.builtIn = builtIn[index] ?? 0;
    }
  }
}

/** Builds the open nodes from a position on. They contain no other open nodes. */
function buildGroup(store: Store, { open, below }: Walk, start: number): void {
  const first = open[start];
  const isAlone = open.length === start + 1;
  const contained = below[start] ?? NO_LINKS;
  const isInItself = isSingle(contained)
    ? contained === first
    : first !== undefined && contained.includes(first);
  if (first && isAlone && !isInItself) {
    buildIfChanged(store, first, contained);
    return;
  }
  const nodes = open.slice(start);
  if (nodes.some((node, index) => hasChanged(node, below[start + index] ?? NO_LINKS))) {
    buildCircle(store, nodes);
    return;
  }
  for (const node of nodes) {
    clean(store, node);
  }
}

function childrenToVisit(store: Store, node: Node): Below {
  if (node.source === sourceOf(node)) {
    return dirtyLinks(node);
  }
  relink(node, contents(store, node));
  return node.links;
}

function hasChanged(node: Node, below: Below): boolean {
  if (node.source !== sourceOf(node)) {
    return true;
  }
  let index = 0;
  for (let child = nodeAt(below, 0); child; child = nodeAt(below, index)) {
    if (child.changedIn > node.builtIn) {
      return true;
    }
    index += 1;
  }
  return false;
}

function buildIfChanged(store: Store, node: Node, below: Below): void {
  if (hasChanged(node, below)) {
    buildOne(store, node);
  } else {
    clean(store, node);
  }
}

/** Builds a node whose children are up to date. An equal value stays the same object. */
function buildOne(store: Store, node: Node): void {
  if (isRoot(node)) {
    finish(store, node, denormalizeRoot(node, node.current()));
  } else if (isCellNode(node) && node.shape.kind === 'entity') {
    const before = node.value;
    const instance = allocateRow(node);
    const isLacking = instance !== undefined && !relateRow(node, instance, node);
    noteGone(store, node, isLacking);
    const value = isLacking ? undefined : instance;
    finish(store, node, value && sameShown(before, value) ? before : value);
  } else if (isCellNode(node)) {
    finish(store, node, denormalizeList(node));
  }
}

/**
 * Builds the nodes of a cycle. If one changes, all receive a new identity. If all are equal except
 * for their references to one another, they keep their old one.
 */
function buildCircle(store: Store, group: readonly Node[]): void {
  const nodes = group.filter(isCellNode);
  const saved = nodes.map((node) => {
    const { value, changedIn } = node;
    return { node, value, changedIn, gone: goneSince(node), beside: besideOf(node) };
  });
  const rows: { node: CellNode; was: Previous; instance: object }[] = [];
  for (const node of nodes) {
    const was = { value: node.value, source: node.source };
    if (node.shape.kind === 'entity') {
      const instance = allocateRow(node);
      noteGone(store, node, false);
      finish(store, node, instance);
      if (instance) {
        rows.push({ node, was, instance });
      }
    }
  }
  spreadGone(store, nodes);
  for (const { node, gone } of saved) {
    if (gone > 0 && goneSince(node) > 0) {
      // A row that was already missing keeps its tick.
      setGoneSince(node, gone);
    }
  }
  for (const node of nodes) {
    if (node.shape.kind !== 'entity') {
      finish(store, node, denormalizeList(node));
    }
  }
  for (const { node, was, instance } of rows) {
    if (node.value === instance) {
      relateRow(node, instance, was);
    }
  }
  const previous = new Map(saved.map(({ node, value }) => [node.value, value]));
  const isSame = saved.every(
    ({ node, value, gone, beside }) =>
      gone === goneSince(node) && beside === besideOf(node) && sameBut(previous, value, node.value),
  );
  if (isSame) {
    for (const { node, value, changedIn } of saved) {
      node.value = value;
      node.changedIn = changedIn;
    }
  }
}

/**
 * Propagates missing rows through a cycle: a row without a required row is missing, too. A row is
 * checked again only after one of its references went missing, so this ends.
 */
function spreadGone(store: Store, nodes: readonly CellNode[]): void {
  if (!nodes.some((node) => nodeList(node.links).some((child) => goneSince(child) > 0))) {
    return;
  }
  const circle = new Set<Node>(nodes);
  const queue = [...nodes];
  for (let node = queue.pop(); node; node = queue.pop()) {
    if (goneSince(node) === 0 && lacksRequired(store, node)) {
      noteGone(store, node, true);
      finish(store, node, undefined);
      for (const parent of parentsOf(node)) {
        if (circle.has(parent) && isCellNode(parent)) {
          queue.push(parent);
        }
      }
    }
  }
}

/**
 * Records if a row is missing: deleted or `isLacking` a required row. A change rebuilds parents.
 */
function noteGone(store: Store, node: CellNode, isLacking: boolean): void {
  const isGone = isLacking || node.cell.shown === null;
  if (isGone !== goneSince(node) > 0) {
    setGoneSince(node, isGone ? store.tick : 0);
    node.changedIn = store.rebuild;
  }
}

function contents(store: Store, node: Node): Links {
  if (isCellNode(node)) {
    return collectCell(store, node);
  }
  return isRoot(node) ? collect(store, node.shape, node.current()) : NO_LINKS;
}

function sourceOf(node: Node): unknown {
  return isCellNode(node) ? node.cell.shown : isRoot(node) ? node.current() : undefined;
}

function finish(store: Store, node: Node, value: unknown): void {
  const beside = besideOf(node);
  const wasBuilt = node.source !== UNBUILT;
  node.source = sourceOf(node);
  if (node.value !== value || !wasBuilt || beside !== besideOf(node)) {
    node.value = value;
    node.changedIn = store.rebuild;
  }
  clean(store, node);
}

function clean(store: Store, node: Node): void {
  node.dirty = undefined;
  node.builtIn = store.rebuild;
}
