import type { Cell, Listing } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';
import { currentBelow } from '../journal/fold.js';
import type { Prediction, ReplaceMembers } from '../journal/operations.js';
import { markOutOfOrder } from '../journal/outOfOrderMarks.js';
import { patchesOf } from '../journal/patches.js';
import { isPending } from '../journal/responseOrder.js';
import type { Transaction } from '../journal/Transaction.js';
import { differs, isListing, slots } from '../lists/members.js';

/**
 * An optimistic update can predict a whole list, such as a new order of its rows. It knows only the
 * rows that the list had then:
 *
 * ```
 *   list              [1 2]       known
 *   prediction        [2 1]       called now, sent later by a queue
 *   create                  3     confirmed before the request of the prediction is sent
 *   value             [2 1 3]     3 stays, and the list is fetched again after an empty response
 * ```
 */

export function notePrediction(
  store: Store,
  cell: Cell,
  transaction: Transaction,
  members: readonly unknown[],
): Prediction {
  transaction.predictions ??= new Map();
  const { predictions, layer, start } = transaction;
  // A function that reads the list runs again when the list changes, so it knows the new rows.
  const before = layer?.copies.has(cell) ? undefined : predictions.get(cell)?.known;
  const below = currentBelow(store, cell, start);
  const known = before ?? new Set(isListing(below) ? slots(below) : []);
  const prediction = { known, members };
  predictions.set(cell, prediction);
  return prediction;
}

/** Marks the list if an empty response confirmed a prediction above this older response. */
export function noteResponseBelow(
  store: Store,
  cell: Cell,
  { start }: Transaction,
  response: Pick<Listing, 'members' | 'keys'>,
): void {
  for (const { operation, transaction } of patchesOf(cell)) {
    if (
      operation.type === 'replace' &&
      transaction.start > start &&
      !isPending(transaction) &&
      differs(response, operation)
    ) {
      markOutOfOrder(store, cell, store.tick);
    }
  }
}

/** True if the list below a prediction has gained or lost rows since. */
export function isOutdated(
  store: Store,
  cell: Cell,
  { start }: Transaction,
  operation: ReplaceMembers,
): boolean {
  const below = operation.prediction && currentBelow(store, cell, start);
  return isListing(below) && differs(below, operation);
}
