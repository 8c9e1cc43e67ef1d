import { toError } from '../errors/toError.js';
import { shapeOf } from '../schema/shape.js';
import { commit } from '../store/commit.js';
import { showBelow } from '../store/fold.js';
import { temporaryPk } from '../store/keys.js';
import { readBelow, showLayer } from '../store/layers.js';
import { normalize } from '../store/normalize.js';
import type { Normalized } from '../store/normalized.js';
import { givenValue } from '../store/query.js';
import type { Layer } from '../store/state.js';
import type { Flight } from './Flight.js';
import { optimisticResponse } from './optimistic.js';
import type { RequestsHost } from './RequestsHost.js';
import { snapshotSource, type SnapshotSource } from './snapshotSource.js';

/** Shows the optimistic update of a request, if its endpoint makes one. */
export function showOptimistic(
  flight: Flight,
  { dispatch, now }: Pick<RequestsHost, 'dispatch' | 'now'>,
): void {
  const { endpoint, args, key } = flight;
  if (!endpoint.getOptimisticResponse) {
    return;
  }
  const startedAt = now();
  // The mistake is the endpoint's, not the request's: it shows as the endpoint's error, and the request goes on.
  const refuse = (error: unknown): void =>
    dispatch({ type: 'setError', key, endpoint, args, error: toError(error) });
  try {
    const respond = (source: SnapshotSource): unknown =>
      optimisticResponse(endpoint, args, source, startedAt);
    showGuess(flight, respond, refuse);
  } catch (error) {
    refuse(error);
  }
}

/**
 * Shows what the server will probably answer: `respond` is asked with a snapshot of what started before the request, and
 * again whenever that changes. What it throws at first is thrown; later it is `report`ed and the guess is hidden.
 */
function showGuess(
  { store, endpoint, args, transaction }: Flight,
  respond: (source: SnapshotSource) => unknown,
  report: (error: unknown) => void,
): void {
  if (!transaction) {
    return;
  }
  let isFirst = true;
  const evaluate = (layer: Layer): Normalized | undefined => {
    try {
      const source = snapshotSource(
        store,
        (shape, params, normalized) =>
          readBelow(store, shape, params, normalized, transaction, layer),
        (cell) => showBelow(store, cell, transaction.start),
      );
      const answer = respond(source);
      return answer === undefined
        ? undefined
        : normalize(shapeOf(endpoint.schema), answer, {
            ...givenValue(store, `${endpoint.name} (optimistic)`, args, layer),
            temporaryPk: (position) => temporaryPk(store.seed, transaction.start, position),
          });
    } catch (error) {
      if (isFirst) {
        throw error;
      }
      report(error);
      return undefined;
    }
  };
  commit(store, () => showLayer(store, transaction, evaluate));
  isFirst = false;
}
