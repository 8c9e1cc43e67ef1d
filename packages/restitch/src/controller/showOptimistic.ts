import type { EndpointInterface, Snapshot } from '../endpoint/EndpointInterface.js';
import { shapeOf } from '../schema/shape.js';
import { commit } from '../store/journal/commit.js';
import { temporaryNumber, temporaryPk } from '../store/cells/keys.js';
import { addLayer } from '../store/optimistic/layers.js';
import { normalize } from '../store/normalize/normalize.js';
import type { NormalizedResponse } from '../store/normalize/Normalized.js';
import { givenValue } from '../store/views/queries.js';
import { callbackFailed } from '../store/normalize/refusals.js';
import type { Layer } from '../store/journal/Transaction.js';
import type { Core } from './Core.js';
import type { Flight } from './Flight.js';
import { createSnapshot } from './createSnapshot.js';

/**
 * Adds the optimistic layer of a request, if the endpoint has an optimistic response.
 *
 * @remarks The endpoint's function reads a snapshot of all data from before the request. It runs
 * again when that data changes. If it throws, the layer is hidden, and the request continues. The
 * error is stored as the endpoint's error, because the endpoint is at fault, not the request.
 */
export function showOptimistic(
  core: Core,
  { store, endpoint, key, transaction, id }: Flight,
  args: readonly unknown[],
): void {
  const { now, report } = core.environment;
  if (!transaction || !endpoint.getOptimisticResponse) {
    return;
  }
  const startedAt = now();
  let isReported = false;
  const refuse = (cause: unknown): void => {
    const error = callbackFailed('getOptimisticResponse', cause, endpoint.name);
    // The function runs again with every change, so the error is reported once.
    if (!isReported) {
      report(error);
    }
    isReported = true;
    core.dispatch({ type: 'setError', key, endpoint, args, error }, false);
  };
  let isFirst = true;
  const evaluate = (layer: Layer): NormalizedResponse | undefined => {
    try {
      const snapshot = createSnapshot(store, transaction, layer, startedAt);
      const given = responseOf(endpoint, snapshot, args);
      return given === undefined
        ? undefined
        : normalize(shapeOf(endpoint.schema), given, {
            ...givenValue(store, `${endpoint.name} (optimistic)`, args, layer),
            temporaryPk: (position, isNumber) =>
              ((transaction.keys ??= [])[position] ??= isNumber
                ? temporaryNumber(position, id)
                : temporaryPk(store, transaction.start, position, id)),
          });
    } catch (error) {
      if (isFirst) {
        throw error;
      }
      refuse(error);
      return undefined;
    }
  };
  try {
    commit(store, () => addLayer(store, transaction, evaluate));
  } catch (error) {
    refuse(error);
  }
  isFirst = false;
}

/** Returns the endpoint's optimistic response; undefined after it threw `snapshot.abort`. */
function responseOf(
  endpoint: EndpointInterface,
  snapshot: Snapshot,
  args: readonly unknown[],
): unknown {
  try {
    return endpoint.getOptimisticResponse?.(snapshot, ...args);
  } catch (error) {
    if (error === snapshot.abort) {
      return undefined;
    }
    throw error;
  }
}
