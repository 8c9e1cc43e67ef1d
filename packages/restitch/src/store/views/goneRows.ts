import type { CellNode } from './Node.js';

/**
 * Rows that are gone: deleted, or without one that they require. There are few of them, so that what is known of them stands
 * here rather than in each node.
 */
const since = new WeakMap<CellNode, number>();

/** The tick at which it turned out that the row of a node is gone; 0 while it is not. */
export function goneSince(node: CellNode): number {
  // What is gone shows nothing.
  return node.value === undefined ? (since.get(node) ?? 0) : 0;
}

/** Notes that the row of a node, which shows nothing then, is gone since a tick; with 0, that it is not. */
export function setGoneSince(node: CellNode, tick: number): void {
  if (tick > 0) {
    since.set(node, tick);
  } else {
    since.delete(node);
  }
}
