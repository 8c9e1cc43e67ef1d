import { markTouched } from '../journal/commit.js';
import { isOpen, isStale } from './nodes.js';
import { Reading } from './Reading.js';
import type { Store } from '../cells/Store.js';
import type { Node } from './Node.js';

export function readNode(store: Store, node: Node): unknown {
  markTouched(store);
  // A callback of a class can read the node that is being built. The callback gets the old value.
  if (isStale(node) && !isOpen(node)) {
    store.reading ??= new Reading(store);
    store.reading.read(node);
  }
  return node.value;
}
