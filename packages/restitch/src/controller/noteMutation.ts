import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { allArgs } from '../schema/identityText.js';
import { shapeOf } from '../schema/shape.js';
import type { Store } from '../store/cells/Store.js';
import type { Transaction } from '../store/journal/Transaction.js';
import { noteUnconfirmed } from '../store/journal/unconfirmed.js';
import { noteUnseen } from '../store/lists/unseenEdits.js';
import type { NormalizedResponse } from '../store/normalize/Normalized.js';
import { namedArgs } from './namedArgs.js';

/**
 * Called for each mutation on the server, with the rows of its response. Marks the rows and lists
 * that the server may have changed in a way that the response does not contain.
 *
 * @param isUnseen True if the lists of the row are unknown: the response does not contain the row.
 * @param sent The body of an update.
 */
export function noteMutation(
  store: Store,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  transaction: Transaction,
  rows: NormalizedResponse['rows'] | undefined,
  isUnseen: boolean,
  sent?: unknown,
): void {
  const shape = shapeOf(endpoint.schema);
  const full = allArgs(endpoint, args);
  const named = namedArgs(store, endpoint, args);
  const isUnclear = noteUnconfirmed(store, shape, full, named, sent, rows, transaction);
  if (isUnseen || isUnclear) {
    noteUnseen(store, shape, full, transaction);
  }
}
