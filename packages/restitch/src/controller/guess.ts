import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { shapeOf } from '../schema/shape.js';
import { commit } from '../store/commit.js';
import { temporaryPk } from '../store/keys.js';
import { readBelow, showLayer } from '../store/layers.js';
import { normalize } from '../store/normalize.js';
import type { Normalized } from '../store/normalized.js';
import { givenValue, queryKey, queryShape } from '../store/query.js';
import type { Layer, Result, Store, Transaction } from '../store/state.js';
import type { Flight } from './Flight.js';
import type { SnapshotSource } from './optimistic.js';
import { registerOf } from './registers.js';

/**
 * Shows what the server will probably answer: `respond` is asked with a snapshot of what started before the request, and
 * again whenever that changes. What it throws at first is thrown; later it is `report`ed and the guess is hidden.
 */
export function showGuess(
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
      const answer = respond(snapshotSource(store, transaction, layer));
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

function snapshotSource(store: Store, transaction: Transaction, layer: Layer): SnapshotSource {
  const resultOf = (endpoint: EndpointInterface, args: readonly unknown[]): Result =>
    registerOf(store, endpoint, args);
  return {
    get: (schema, ...args) => {
      const reference = queryKey(shapeOf(schema), args);
      return readBelow(store, queryShape(schema), args, reference, transaction, layer);
    },
    getResponse: (endpoint, ...args) => {
      const { status, value, shape } = resultOf(endpoint, args);
      const current = status === 'value' ? value : queryKey(shape, args);
      return readBelow(store, shape, args, current, transaction, layer);
    },
    getError: (endpoint, ...args) => resultOf(endpoint, args).error,
  };
}
