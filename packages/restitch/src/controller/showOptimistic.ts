import type { EndpointInterface, Snapshot } from '../endpoint/EndpointInterface.js';
import { shapeOf } from '../schema/shape.js';
import { entryOf } from '../host/entryOf.js';
import { commit } from '../store/journal/commit.js';
import { temporaryNumber, temporaryPk } from '../store/cells/keys.js';
import { addLayer, readBelow } from '../store/optimistic/rerunLayers.js';
import { normalize } from '../store/normalize/normalize.js';
import type { NormalizedResponse } from '../store/normalize/Normalized.js';
import { givenValue, questionOf } from '../store/views/queries.js';
import { callbackFailed } from '../store/normalize/normalizeErrors.js';
import type { Layer, Transaction } from '../store/journal/Transaction.js';
import type { Core } from './Core.js';
import { declaredOf } from './fixedOf.js';
import type { Flight } from './Flight.js';
import { isDevelopment } from '../errors/development.js';
import { warnOnce } from '../errors/misspelled.js';
import { isObject } from '../schema/same.js';
import type { Shape } from '../schema/shapes.js';
import { currentBelow } from '../store/journal/fold.js';
import { missingFields } from '../store/views/missingFields.js';
import { contentOf } from '../store/cells/results.js';
import type { Cell, Stored } from '../store/cells/Cell.js';
import type { Store } from '../store/cells/Store.js';
import { fitsSeveral } from './namedArgs.js';
import { errorsOf, resultOf } from './resultOf.js';
import { readArgs } from './temporaryKeys.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/**
 * `getOptimisticResponse` runs again when the data that it read changes. If the function throws,
 * readers see no change, and the request continues.
 */
export function showOptimistic(
  core: Core,
  { store, endpoint, key, transaction, id }: Flight,
  args: readonly unknown[],
): void {
  if (!transaction || !endpoint.getOptimisticResponse || fitsSeveral(store, endpoint, args)) {
    return;
  }
  const startedAt = store.now();
  let isReported = false;
  const refuse = (cause: unknown): void => {
    const error = callbackFailed('getOptimisticResponse', cause, endpoint.name);
    // The function runs again with every change, so the error is reported once.
    if (!isReported) {
      store.report(error);
    }
    isReported = true;
    core.dispatch({ type: 'setError', key, endpoint: declaredOf(endpoint), args, error }, false);
  };
  let isFirst = true;
  const evaluate = (layer: Layer): NormalizedResponse | undefined => {
    const snapshot = createSnapshot(store, transaction, layer, startedAt);
    try {
      const real = readArgs(store, {}, args);
      const predicted = endpoint.getOptimisticResponse?.(snapshot, ...real);
      if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
        warnUnfit(endpoint, predicted);
      }
      return predicted === undefined
        ? undefined
        : normalize(shapeOf(endpoint.schema), predicted, {
            ...givenValue(store, `${endpoint.name} (optimistic)`, args, layer, transaction.start),
            isWrite: true,
            temporaryPk(place, isNumber) {
              const keys = (transaction.keys ??= new Map<string, string>());
              return entryOf(keys, place, () =>
                isNumber
                  ? temporaryNumber(keys.size, id)
                  : temporaryPk(store, transaction.start, keys.size, id),
              );
            },
          });
    } catch (error) {
      if (error === snapshot.abort) {
        return undefined;
      }
      if (isFirst) {
        throw error;
      }
      refuse(error);
      return undefined;
    }
  };
  try {
    commit(store, () => addLayer(store, transaction, evaluate));
    core.predictions.notify();
  } catch (error) {
    refuse(error);
  }
  isFirst = false;
}

function warnUnfit({ name, schema }: EndpointInterface, given: unknown): void {
  const shape = shapeOf(schema);
  const fields = shape.kind === 'object' ? [...shape.fields.keys()] : [];
  if (
    isObject(given) &&
    fields.length > 0 &&
    !fields.some((field) => Object.hasOwn(given, field))
  ) {
    warnOnce(
      `${name}: the optimistic response has no field \`${fields.join('`, `')}\` of the schema, so nothing shows before the response. Return the record in its envelope from \`getOptimisticResponse\`, or remove the envelope in \`process\`.`,
    );
  }
}

/** `layer` records each read, so that the optimistic update runs again when the data changes. */
function createSnapshot(
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
    // Optimization: created on demand, because the stack of an error is expensive.
    get abort() {
      return (abort ??= new Error(isDevelopment ? 'No optimistic update this time.' : 'abort'));
    },
    get: (schema: unknown, ...args: unknown[]) => {
      const { shape, reference } = questionOf(schema, args);
      return read(shape, args, reference);
    },
    getResponse: (endpoint: EndpointInterface, ...args: unknown[]) => {
      const result = resultOf(store, endpoint, args);
      const normalized = result.status === 'error' ? undefined : contentOf(result);
      // This read must run in any case, because the layer records it.
      const data = read(result.shape, args, normalized ?? result.named);
      const missing = missingFields(store, result, false, readCell);
      return normalized === undefined || missing?.isPartial === false ? undefined : data;
    },
    getError: (endpoint: EndpointInterface, ...args: unknown[]) =>
      resultOf(store, errorsOf(endpoint), args).error,
  };
  return snapshot as Snapshot;
}
