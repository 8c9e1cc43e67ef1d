import { isAbout } from '../controller/filters.js';
import { entitiesOf } from '../schema/shape.js';
import type { EditShape, InvalidateShape, Shape } from '../schema/shapes.js';
import type { Cell } from '../store/cells/Cell.js';
import type { Store } from '../store/cells/Store.js';
import type { Transaction } from '../store/journal/Transaction.js';
import { isListing } from '../store/lists/members.js';
import { changedSince } from '../store/lists/pagePlaces.js';

/**
 * Returns true if the request of an arriving page overlapped a mutation that moves rows of the
 * list. The server may have read the page before or after that mutation, so the position of the
 * page and the total are uncertain.
 *
 * A mutation with an empty response (204) may have moved any row, so it expires the list. All
 * loaded pages are then uncertain until the first page arrives.
 */
export function overlaps(store: Store, cell: Cell, { start }: Transaction): boolean {
  const { members, removed } = changedSince(cell, start)();
  const { current, lifetime } = cell;
  return (
    members.length + removed.size > 0 ||
    isMoving(store, cell) ||
    (store.outOfOrderUntilQuiet.get(cell) ?? 0) > start ||
    (lifetime.isExpired === true && isListing(current) && current.isPaged)
  );
}

/** Returns true if a mutation in flight may move rows of the list. */
export function isMoving({ inFlight }: Store, { list }: Cell): boolean {
  const isOfList = (part: MovingShape): boolean =>
    list !== undefined &&
    (part.kind === 'edit'
      ? part.list.key === list.shape.key
      : [...entitiesOf(list.shape.member)].some(({ entity }) => isAbout(part, entity)));
  return [...inFlight].some(
    ({ kind, shape }) => kind === 'mutation' && shape && moves(shape, isOfList),
  );
}

type MovingShape = EditShape | InvalidateShape;

/**
 * Returns true if a mutation of this shape adds rows to a list or removes them, and `test` returns
 * true for that part of the shape.
 */
export function moves(shape: Shape, test: (part: MovingShape) => boolean): boolean {
  switch (shape.kind) {
    case 'edit':
    case 'invalidate':
      return test(shape);
    case 'object':
      return [...shape.fields.values()].some((part) => moves(part, test));
    default:
      return 'member' in shape && moves(shape.member, test);
  }
}
