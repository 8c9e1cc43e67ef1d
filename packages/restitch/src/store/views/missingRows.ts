import type { CellNode } from './Node.js';

/**
 * The nodes of missing rows: rows that are deleted or lack a required row. Optimization: nodes have
 * no slot for this state, because such rows are rare.
 */
const missing = new WeakSet<CellNode>();

export function isMissing(node: CellNode): boolean {
  // The node of a missing row has no value.
  return node.value === undefined && missing.has(node);
}

export function setMissing(node: CellNode, isMissing: boolean): void {
  if (isMissing) {
    missing.add(node);
  } else {
    missing.delete(node);
  }
}
