import type { Shape } from '../schema/shapes.js';
import type { Cell } from '../store/cells/Cell.js';
import type { Result } from '../store/cells/Result.js';
import { contentOf, expireResult, resultsIn } from '../store/cells/results.js';
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
export function findLost(store: Store, { status, shape, named }: Result): Missing | undefined {
  const lost = status === 'none' ? lostWithin(store, shape, named)?.shape : undefined;
  return lost && { fields: [], isPartial: lost.kind === 'entity' && lost.entity.partial };
}

/**
 * Expires the results that show rows which the running `hydrate` made incomplete. In `lost`, true
 * stands for a row that had a response or a write: then, only hydrated results expire.
 */
export function expireLost(store: Store, lost: ReadonlyMap<Cell, boolean>): void {
  for (const result of lost.size > 0 ? resultsIn(store) : []) {
    for (const { cell } of nodesWithin(store, result.shape, contentOf(result))) {
      if (lost.get(cell) === false || (lost.has(cell) && result.start === 0)) {
        // Responses to requests in flight are fresh.
        expireResult(store, result, result.start + 1);
        break;
      }
    }
  }
}
