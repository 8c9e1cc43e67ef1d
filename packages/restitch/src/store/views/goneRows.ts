import type { CellNode } from './Node.js';

/**
 * The nodes of missing rows: those that are deleted, or that lack a required row. Optimization:
 * nodes have no slot for it, because such rows are rare.
 */
const gone = new WeakSet<CellNode>();

/** Returns true if the row of a node is missing. */
export function isGone(node: CellNode): boolean {
  // The node of a missing row has no value.
  return node.value === undefined && gone.has(node);
}

/** Sets the result of `isGone`. */
export function setGone(node: CellNode, isMissing: boolean): void {
  if (isMissing) {
    gone.add(node);
  } else {
    gone.delete(node);
  }
}
