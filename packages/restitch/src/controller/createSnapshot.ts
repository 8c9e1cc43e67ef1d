import { isDevelopment } from '../errors/development.js';
import type { EndpointInterface, Snapshot } from '../endpoint/EndpointInterface.js';
import type { Shape } from '../schema/shapes.js';
import { currentBelow } from '../store/journal/fold.js';
import { readBelow } from '../store/optimistic/layers.js';
import { missingFields } from '../store/views/missingFields.js';
import { questionOf } from '../store/views/queries.js';
import { leftOutOf } from '../store/cells/results.js';
import type { Cell, Stored } from '../store/cells/Cell.js';
import type { Layer, Transaction } from '../store/journal/Transaction.js';
import type { Store } from '../store/cells/Store.js';
import { errorsOf, isUntouched, resultOf } from './resultOf.js';

/**
 * Returns the snapshot for an optimistic function. It reads data from before a transaction, and
 * records each read on its layer.
 */
export function createSnapshot(
  store: Store,
  transaction: Transaction,
  layer: Layer,
  fetchedAt: number,
): Snapshot {
  let abort: Error | undefined;
  const read = (shape: Shape, args: readonly unknown[], normalized: unknown): unknown =>
    readBelow(store, shape, args, normalized, transaction, layer);
  const readCell = (cell: Cell): Stored => currentBelow(store, cell, transaction.start);
  const snapshot = {
    fetchedAt,
    // Optimization: creating an error collects its stack, which costs more than the rest of an
    // optimistic update.
    get abort() {
      return (abort ??= new Error(isDevelopment ? 'No optimistic update this time.' : 'abort'));
    },
    get: (schema: unknown, ...args: unknown[]) => {
      const { shape, reference } = questionOf(schema, args);
      return read(shape, args, reference);
    },
    getResponse: (endpoint: EndpointInterface, ...args: unknown[]) => {
      const result = resultOf(store, endpoint, args);
      const { status, value } = result;
      const isBrought = status === 'none' && isUntouched(result);
      const normalized = status === 'value' ? value : isBrought ? result.names() : undefined;
      // This read must run in any case, because the layer records it.
      const data = read(result.shape, args, normalized);
      const missing = missingFields(store, result.shape, normalized, leftOutOf(result), readCell);
      return missing?.isPartial === false ? undefined : data;
    },
    getError: (endpoint: EndpointInterface, ...args: unknown[]) =>
      resultOf(store, errorsOf(endpoint), args).error,
  };
  // The cast: the methods read any schema and endpoint; the types of `Snapshot` describe each call.
  return snapshot as Snapshot;
}
