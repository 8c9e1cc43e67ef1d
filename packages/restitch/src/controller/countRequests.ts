import { allArgs } from '../schema/identityText.js';
import { entityShape, shapeOf } from '../schema/shape.js';
import { pkText } from '../schema/referenceText.js';
import { entityPk } from '../store/views/queries.js';
import type { Controller } from './Controller.js';
import { isAbout } from '../schema/signature.js';
import { checkFilter, type Filter, matches } from './filters.js';
import { type Flight, flightsOf, isInFlight } from './Flight.js';
import { internalsOf } from './internals.js';

/**
 * Returns the number of requests in flight. With a filter, only matching requests count.
 *
 * @remarks Several callers of one read count once. A mutation that waits for another mutation
 * counts. A read that waits for the network does not count. An `undoable` mutation does not count
 * while it can be canceled. With `pk`, a request counts if its arguments or its optimistic update
 * concern the record. `controller.watchFetching` notifies of changes.
 *
 * @example
 * ```ts
 * import { Controller, countRequests, Entity } from 'restitch';
 *
 * class User extends Entity {
 *   id = '';
 * }
 * const controller = new Controller();
 * const isSaving = countRequests(controller, { entity: User, pk: '5', sideEffect: true }) > 0;
 * ```
 */
export function countRequests(controller: Controller, filter?: Filter): number {
  if (filter) {
    checkFilter('countRequests', filter);
  }
  return flightsOf(internalsOf(controller)).filter(
    (flight) =>
      isInFlight(flight) && (!filter || (matches(filter, flight) && concerns(flight, filter))),
  ).length;
}

function concerns({ endpoint, args, transaction }: Flight, { entity, pk }: Filter): boolean {
  if (!entity) {
    return true;
  }
  const shape = entityShape(entity);
  const isOfClass = isAbout(shapeOf(endpoint.schema), shape);
  if (pk === undefined) {
    return isOfClass;
  }
  const text = pkText(pk) ?? '';
  return (
    (isOfClass && entityPk(shape, allArgs(endpoint, args)) === text) ||
    [...(transaction?.cells ?? [])].some(
      (cell) =>
        cell.table.kind === 'rows' &&
        cell.table.key === shape.table &&
        cell.table.cells.get(text) === cell,
    )
  );
}
