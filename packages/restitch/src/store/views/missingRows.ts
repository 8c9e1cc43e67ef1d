import type { CellNode } from './Node.js';

/**
 * Rows that are deleted or lack a required row. Optimization: they are rare, so nodes have no slot
 * for this state.
 */
const missing = new WeakSet<CellNode>();

export function isMissing(node: CellNode): boolean {
  return node.value === undefined && missing.has(node);
}

export function setMissing(node: CellNode, isMissing: boolean): void {
  if (isMissing) {
    missing.add(node);
  } else {
    missing.delete(node);
  }
}
