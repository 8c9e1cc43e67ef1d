import { shapeOf } from '../schema/shape.js';
import { commit } from '../store/commit.js';
import { temporaryNumber, temporaryPk } from '../store/keys.js';
import { showLayer } from '../store/layers.js';
import { normalize } from '../store/normalize.js';
import type { Normalized } from '../store/normalized.js';
import { givenValue } from '../store/query.js';
import { callbackFailed } from '../store/refusals.js';
import type { Layer } from '../store/state.js';
import type { Flight } from './Flight.js';
import { optimisticResponse } from './optimistic.js';
import type { RequestsHost } from './RequestsHost.js';
import { snapshotSource } from './snapshotSource.js';

/**
 * Shows what the server will probably answer, where the endpoint says: it is asked with a snapshot of what started before the request,
 * and again whenever that changes. What it throws shows as the endpoint's error, since the mistake is the endpoint's and not the
 * request's; the guess is hidden, and the request goes on.
 */
export function showGuess(
  { store, endpoint, key, transaction }: Flight,
  args: readonly unknown[],
  { dispatch, now, report }: Pick<RequestsHost, 'dispatch' | 'now' | 'report'>,
): void {
  if (!transaction || !endpoint.getOptimisticResponse) {
    return;
  }
  const startedAt = now();
  let isReported = false;
  const refuse = (cause: unknown): void => {
    const error = callbackFailed('getOptimisticResponse', cause, endpoint.name);
    // It runs again with every change of what it looked at.
    if (!isReported) {
      report(error);
    }
    isReported = true;
    dispatch({ type: 'setError', key, endpoint, args, error });
  };
  let isFirst = true;
  const evaluate = (layer: Layer): Normalized | undefined => {
    try {
      const source = snapshotSource(store, transaction, layer);
      const answer = optimisticResponse(endpoint, args, source, startedAt);
      return answer === undefined
        ? undefined
        : normalize(shapeOf(endpoint.schema), answer, {
            ...givenValue(store, `${endpoint.name} (optimistic)`, args, layer),
            temporaryPk: (position, isNumber) =>
              ((transaction.keys ??= [])[position] ??= isNumber
                ? temporaryNumber()
                : temporaryPk(store.seed, transaction.start, position)),
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
    commit(store, () => showLayer(store, transaction, evaluate));
  } catch (error) {
    refuse(error);
  }
  isFirst = false;
}
