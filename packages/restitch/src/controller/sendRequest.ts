import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { reasonOf } from '../errors/aborts.js';
import { toError } from '../errors/toError.js';
import { fieldsOf } from '../schema/formFields.js';
import { usedShape } from '../schema/usedShape.js';
import { notePlaces } from '../store/lists/pagePlaces.js';
import { isPending } from '../store/journal/responseOrder.js';
import { begin } from '../store/journal/transactions.js';
import type { FailAction, FetchAction } from './actions.js';
import { batch } from './batch.js';
import type { Core } from './Core.js';
import { type Flight, flightOf } from './Flight.js';
import { beforeDelete } from './outcome.js';
import { forgetFailure } from './resultOf.js';
import { showOptimistic } from './showOptimistic.js';
import { giveUp, startAgain } from './startRequest.js';
import { sendNamed } from './waitForKeys.js';

export function send(core: Core, action: FetchAction): void {
  const { endpoint, args, key, id } = action;
  const flight = flightOf(action);
  if (flight.transaction) {
    startAgain(core, flight, args);
    return;
  }
  flight.id = id;
  beginTransaction(flight);
  flight.deleted = beforeDelete(flight.store, flight.endpoint, args);
  let sent = args;
  const call = (real: readonly unknown[]): Promise<unknown> =>
    callEndpoint(core, flight, (sent = real), action.fetch);
  const fail = (error: unknown): void => {
    const aborted = abortOf(core, flight);
    const reason = aborted === 'reset' ? reasonOf(flight.abort.signal) : toError(error);
    core.dispatch(
      { type: 'fail', endpoint, args: sent, key, error: reason, aborted, flight, id },
      false,
    );
  };
  // In one batch, so that the request of a notified listener is sent after this one.
  batch(core, () => {
    showOptimistic(core, flight, args);
    return flight.turn ? flight.turn(call) : sendNamed(core, flight, args, call);
  })
    .then((response) => {
      if (abortOf(core, flight) === 'reset') {
        fail(response);
      } else {
        core.dispatch({ type: 'receive', endpoint, args: sent, key, response, flight, id }, false);
      }
    }, fail)
    // A manager threw, so the response may not have been stored.
    .catch((error: unknown) => {
      core.store.report(error);
      giveUp(core, flight, toError(error));
    });
}

function beginTransaction(flight: Flight): void {
  const { endpoint, args, store, result } = flight;
  const shape = usedShape(endpoint.schema);
  flight.transaction = begin(
    store,
    result ? 'read' : 'mutation',
    shape,
    endpoint.name,
    result ? undefined : new Set(Object.keys(Object(fieldsOf(args.at(-1))))),
  );
  notePlaces(store, flight.transaction, shape, args, flight.places);
  forgetFailure(flight);
}

/** `$store` keeps the requests of two controllers apart, for example in `batched`. */
async function callEndpoint(
  core: Core,
  flight: Flight,
  args: readonly unknown[],
  instead: FetchAction['fetch'],
): Promise<unknown> {
  const { endpoint, abort, store, transaction, result } = flight;
  const request = endpoint.extend({
    signal: () => abort.signal,
    $store: store,
    // A repeated or delayed read contains the mutations that ended before it was sent. So the read
    // counts as one that begins now.
    $repeated: () => {
      if (result && transaction && isPending(transaction)) {
        startAgain(core, flight, args);
      }
    },
  }) as EndpointInterface;
  // oxlint-disable-next-line typescript/unbound-method -- it is called as a method of the request
  return (instead ?? endpoint.fetch).apply(request, [...args]);
}

function abortOf(core: Core, { store, abort }: Flight): FailAction['aborted'] {
  if (store !== core.store) {
    return 'reset';
  }
  return abort.signal.aborted ? 'withdrawn' : undefined;
}
