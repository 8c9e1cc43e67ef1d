import { isAbout } from '../schema/signature.js';
import { entitiesOf } from '../schema/shape.js';
import type { EditShape, InvalidateShape, Shape } from '../schema/shapes.js';
import type { Cell } from '../store/cells/Cell.js';
import type { Store } from '../store/cells/Store.js';
import { lastMark } from '../store/journal/outOfOrderMarks.js';
import { isStalled } from '../store/journal/stalled.js';
import type { Transaction } from '../store/journal/Transaction.js';
import { changedSince } from '../store/lists/pagePlaces.js';

/**
 * If a request overlaps a mutation that moves rows, the server may have read the page before or
 * after the mutation. The position of the page and the total are then uncertain.
 */
export function overlaps(store: Store, cell: Cell, { start }: Transaction): boolean {
  const { members, removed } = changedSince(cell, start)();
  return (
    members.length + removed.size > 0 ||
    isMoving(store, movesIn(cell)) ||
    lastMark(store, cell) > start
  );
}

export type Move = EditShape | InvalidateShape;

/** A stalled mutation does not count: the list must not wait for its response. */
export function isMoving({ inFlight, now }: Store, test: (move: Move) => boolean): boolean {
  return [...inFlight].some(
    ({ kind, shape, meta }) =>
      kind === 'mutation' && shape && !isStalled(meta.fetchedAt, now()) && moves(shape, test),
  );
}

export function movesIn({ list }: Cell): (move: Move) => boolean {
  return (move) =>
    list !== undefined &&
    (move.kind === 'edit'
      ? move.list.key === list.shape.key
      : [...entitiesOf(list.shape.member)].some(({ entity }) => isAbout(move, entity)));
}

export function moves(shape: Shape, test: (move: Move) => boolean): boolean {
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
