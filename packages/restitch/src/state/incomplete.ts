import type { Shape } from '../schema/shapes.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import type { Missing } from '../store/views/missingFields.js';
import type { CellNode } from '../store/views/Node.js';
import { nodesWithin } from './nodesWithin.js';

/** Returns a row that lacks a value, or a list that was not exported, if a value leads to one. */
export function lostWithin(store: Store, shape: Shape, value: unknown): CellNode | undefined {
  for (const node of nodesWithin(store, shape, value)) {
    const { current, lifetime } = node.cell;
    if (lifetime.isIncomplete || (node.shape.kind === 'collection' && !current)) {
      return node;
    }
  }
  return undefined;
}

/**
 * Before its first response, a result shows hydrated data without a check of its own hydrated
 * result: that one was refused, arrived later, or was never exported.
 */
export function findLost(store: Store, { shape, named }: Result): Missing | undefined {
  const lost = lostWithin(store, shape, named)?.shape;
  return lost && { fields: [], isPartial: lost.kind === 'entity' && lost.entity.partial };
}
