import { isAbout } from '../controller/filters.js';
import { entitiesOf } from '../schema/shape.js';
import type { CollectionShape, Shape } from '../schema/shapes.js';
import type { Cell } from '../store/cells/Cell.js';
import type { Store } from '../store/cells/Store.js';
import type { Transaction } from '../store/journal/Transaction.js';
import { changedSince } from '../store/lists/pagePlaces.js';

/**
 * Returns true if the request of an arriving page overlapped a mutation that moves rows of the
 * list. The server may have read the page before or after that mutation, so the position of the
 * page and the total are uncertain.
 */
export function overlaps(store: Store, cell: Cell, { start }: Transaction): boolean {
  const { members, removed } = changedSince(cell, start)();
  return members.length + removed.size > 0 || isMoving(store, cell);
}

export function isMoving({ inFlight }: Store, { list }: Cell): boolean {
  return [...inFlight].some(
    ({ kind, shape }) => kind === 'mutation' && shape && list && moves(shape, list.shape),
  );
}

function moves(shape: Shape, list: CollectionShape): boolean {
  switch (shape.kind) {
    case 'edit':
      return shape.list.key === list.key;
    case 'invalidate':
      return [...entitiesOf(list.member)].some(({ entity }) => isAbout(shape, entity));
    case 'object':
      return [...shape.fields.values()].some((part) => moves(part, list));
    default:
      return 'member' in shape && moves(shape.member, list);
  }
}
