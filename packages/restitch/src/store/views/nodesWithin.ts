import type { Shape } from '../../schema/shapes.js';
import { own } from '../cells/plainValues.js';
import type { Store } from '../cells/Store.js';
import { isFields } from '../journal/applyPatch.js';
import { isListing } from '../lists/members.js';
import type { CellNode } from './Node.js';
import { collect } from './walkReferences.js';

export function* nodesWithin(
  store: Store,
  shape: Shape,
  value: unknown,
): IterableIterator<CellNode> {
  const nodes = new Set(collect(store, shape, value));
  // The loop also visits the nodes that it adds.
  for (const node of nodes) {
    yield node;
    for (const child of childrenOf(store, node)) {
      nodes.add(child);
    }
  }
}

function childrenOf(store: Store, { cell: { current }, shape }: CellNode): readonly CellNode[] {
  if (shape.kind !== 'entity') {
    const members = isListing(current) ? current.members : [];
    return collect(store, { kind: 'array', member: shape.member }, members);
  }
  return isFields(current)
    ? shape.related.flatMap(([field, part]) => collect(store, part, own(current, field)))
    : [];
}
