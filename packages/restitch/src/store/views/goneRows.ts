import type { CellNode } from './Node.js';

/**
 * Rows that are gone: deleted, or without a row that they require. There are few of them, so nodes have no slot for it.
 */
const since = new WeakMap<CellNode, number>();

/** The tick since which the row of a node is gone; 0 if it is not. */
export function goneSince(node: CellNode): number {
  // A node whose row is gone has no value.
  return node.value === undefined ? (since.get(node) ?? 0) : 0;
}

/** Remembers the tick since which the row of a node is gone; 0 if it is not. */
export function setGoneSince(node: CellNode, tick: number): void {
  if (tick > 0) {
    since.set(node, tick);
  } else {
    since.delete(node);
  }
}
