import { shapeOf } from '../schema/shape.js';
import type { Transaction } from '../store/journal/Transaction.js';
import { restart } from '../store/journal/transactions.js';
import { notePlaces } from '../store/lists/pagePlaces.js';
import type { Core } from './Core.js';
import type { Flight } from './Flight.js';
import { showOptimistic } from './showOptimistic.js';

/**
 * Gives a waiting request the rank of a request that starts now, and shows it with these arguments.
 */
export function startAgain(
  core: Core,
  flight: Flight,
  transaction: Transaction,
  args: readonly unknown[],
): void {
  restart(flight.store, transaction);
  notePlaces(flight.store, transaction, shapeOf(flight.endpoint.schema), args, flight.places);
  flight.mutated = core.mutated;
  showOptimistic(core, flight, args);
}
