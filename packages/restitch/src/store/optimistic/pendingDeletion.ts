import { isMissing, nodeList } from '../views/nodes.js';
import { patchesOf } from '../journal/patches.js';
import type { Links } from '../views/Node.js';
import type { Store } from '../cells/Store.js';
import type { Transaction } from '../journal/Transaction.js';

/** Returns the pending mutation that deletes a linked row, or a row that a linked row requires. */
export function pendingDeletionOf(store: Store, links: Links): Transaction | undefined {
  const nodes = new Set(nodeList(links));
  // The loop also visits the nodes that it adds.
  for (const node of nodes) {
    if (isMissing(node)) {
      const deletion = patchesOf(node.cell).find(
        ({ operation, transaction }) =>
          operation.type === 'delete' && store.inFlight.has(transaction),
      );
      if (deletion) {
        return deletion.transaction;
      }
      for (const child of nodeList(node.links)) {
        nodes.add(child);
      }
    }
  }
  return undefined;
}
