import { toError } from '../errors/toError.js';
import { STALLED } from '../store/journal/stalled.js';
import type { Core } from './Core.js';
import type { EndpointView } from './EndpointView.js';
import { abortSuperseded, end, settle } from './endRequest.js';
import { type Flight, hasReaders, outcomeOfMutation, renewFlight } from './Flight.js';
import { start } from './startRequest.js';
import { settledWithin } from './trackedPromise.js';

/**
 * While a pending deletion hides the data, the request waits for the end of the deletion.
 *
 * ```
 *   DELETE  ├──── hidden ────┤ fails
 *   reader       ├── waits ──┤ the row shows again, no request
 *
 *   DELETE  ├──── hidden ────┤ succeeds
 *   reader       ├── waits ──┤ GET ├──────┤ 404
 * ```
 */
export function startForReaders(core: Core, flight: Flight, view: EndpointView<unknown>): void {
  const { hiddenBy } = view;
  const deletion = hiddenBy && outcomeOfMutation(core, (transaction) => transaction === hiddenBy);
  if (!deletion || flight.abort.signal.aborted) {
    start(core, flight);
    return;
  }
  core.reads.set(flight.result, flight);
  void settledWithin(deletion, STALLED, core.environment.whenIdle)
    .then((hasSettled) => {
      // False if another request has replaced this one, or if all callers have withdrawn.
      const isCurrent = core.reads.get(flight.result) === flight;
      end(core, flight);
      if (isCurrent && !hasSettled) {
        start(core, flight);
      } else if (isCurrent && view.needsLoad(true)) {
        startForReaders(core, flight, view);
      } else if (!flight.abort.signal.aborted) {
        settleReaders(core, flight);
      }
    })
    .catch((error: unknown) => settle(core, flight, 'reject', toError(error)));
}

/** If the snapshot is pending, readers wait for the next response. */
export function settleReaders(core: Core, flight: Flight): void {
  const { endpoint, args, wait, result } = flight;
  if (wait.flight !== flight) {
    return;
  }
  const view = core.views.ofEndpoint(endpoint, args);
  const snapshot = view.getSnapshot();
  const next = core.reads.get(result);
  if (snapshot.status === 'error') {
    settle(core, flight, 'reject', snapshot.error);
  } else if (snapshot.status === 'ready' || !hasReaders(wait)) {
    settle(core, flight, 'resolve', view.data);
  } else if (next) {
    const { outcome } = wait;
    void next.wait.outcome.promise.then(outcome.resolve, outcome.reject);
    abortSuperseded(core, wait);
  } else {
    startForReaders(core, renewFlight(flight, true), view);
  }
}
