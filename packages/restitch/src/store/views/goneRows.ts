import type { CellNode } from './Node.js';

/**
 * The tick of the loss of missing rows: those that are deleted, or that lack a required row.
 * Optimization: nodes have no slot for it, because such rows are rare.
 */
const since = new WeakMap<CellNode, number>();

/** Returns the tick since which the row of a node is missing, or 0 if it is not. */
export function goneSince(node: CellNode): number {
  // The node of a missing row has no value.
  return node.value === undefined ? (since.get(node) ?? 0) : 0;
}

/** Sets the tick since which the row of a node is missing; 0 if it is not. */
export function setGoneSince(node: CellNode, tick: number): void {
  if (tick > 0) {
    since.set(node, tick);
  } else {
    since.delete(node);
  }
}
