import { toError } from '../errors/toError.js';
import { fieldsOf } from '../schema/formFields.js';
import { isParsed } from '../schema/parsedJson.js';
import { allArgs } from '../schema/identityText.js';
import { changedShape, isRecordShape, shapeOf } from '../schema/shape.js';
import { commit } from '../store/journal/commit.js';
import { noteRenamed } from '../store/journal/outOfOrderMutations.js';
import { confirm } from '../store/journal/transactions.js';
import { normalize } from '../store/normalize/normalize.js';
import type { NormalizedResponse } from '../store/normalize/Normalized.js';
import { withSource } from '../store/normalize/normalizeErrors.js';
import { expireResult, forgetOlder } from '../store/cells/results.js';
import { noteUnseen } from '../store/lists/unseenEdits.js';
import type { ReceiveAction } from './actions.js';
import type { Core } from './Core.js';
import { end, settle } from './endRequest.js';
import { type Flight, flightOf, hasReaders, renewFlight } from './Flight.js';
import { lifetimeOf } from './lifetimes.js';
import { outcomeOf } from './outcome.js';
import { settleReaders } from './readerRequests.js';
import { forgetFailure } from './resultOf.js';
import { rowOrResponse, refuseEmpty, storeResponse } from './storeResponse.js';
import { start } from './startRequest.js';
import { fieldsWhere, isPlain } from '../schema/same.js';
import type { Shape } from '../schema/shapes.js';
import { keyFieldOf } from '../store/normalize/rowKeys.js';
import { noteReceived } from '../store/normalize/receivedParts.js';
import { classOf, sentFields } from '../store/normalize/withSentFields.js';
import { entityPk, findCell, isPresent, queryKey } from '../store/views/queries.js';
import type { Store } from '../store/cells/Store.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Stores the response to a request. If the schema rejects the response, the request fails. */
export function receive(core: Core, action: ReceiveAction): void {
  const { endpoint, args, response } = action;
  const flight = flightOf(action);
  const { store, result, deleted, wait } = flight;
  let normalized: NormalizedResponse | undefined;
  // The request ends before subscribers are notified. A subscriber that fetches again needs a newer
  // response, so it must not join this request.
  end(core, flight);
  try {
    normalized = commit(store, () => place(core, action, flight));
  } catch (error) {
    core.dispatch({ ...action, type: 'fail', error: toError(error) }, false);
    return;
  }
  if (normalized?.isNext && wait.flight === flight) {
    start(core, renewFlight(flight));
    return;
  }
  try {
    const isRead = result && hasReaders(wait);
    const value = isRead
      ? undefined
      : outcomeOf(store, endpoint, args, response, normalized, deleted);
    if (value === undefined && result) {
      settleReaders(core, flight, result);
    } else {
      settle(core, flight, 'resolve', value);
    }
    core.successes.notify(response, action);
  } catch (error) {
    // The response is stored; only the value for the caller could not be built.
    settle(core, flight, 'reject', withSource(error, endpoint.name));
  }
}

/** Stores a response. If a class of the schema throws, nothing is stored. */
function place(
  core: Core,
  { endpoint, args, response }: ReceiveAction,
  flight: Flight,
): NormalizedResponse | undefined {
  const { store, transaction, result, isRepeat, wait } = flight;
  if (!transaction) {
    return undefined;
  }
  const lifetime = lifetimeOf(core, endpoint, flight.abort.signal);
  const shape = shapeOf(endpoint.schema);
  const full = allArgs(endpoint, args);
  const sent = endpoint.$sent?.(full);
  const predict: unknown = Reflect.get(endpoint, 'getOptimisticResponse');
  const isOfBody = sent !== undefined && Reflect.has(Object(predict), '$isOfBody');
  // A function that read nothing and returned nothing is no optimistic update: it never runs again.
  const isOptimistic =
    !isOfBody && (transaction.cells !== undefined || Boolean(transaction.layer?.copies.size));
  // An action such as `POST /orders/:id/ship` with an empty response: the new fields are unknown.
  const isUnknown = !result && sent === undefined && response == null && !isOptimistic;
  const input =
    sent === undefined && !isUnknown
      ? response
      : withSentUpdate(store, sent, full, shape, response, isOptimistic);
  const value = rowOrResponse(endpoint, shape, args, input) ?? undefined;
  if (result) {
    refuseEmpty(endpoint, response);
  }
  const isOnePerBody = endpoint.$isOnePerBody;
  const options = { source: endpoint.name, args: full, isOnePerBody, copy: !isParsed(value) };
  // The lists of the record stay as they are until the readers have fetched again.
  const stored = isUnknown ? changedShape(shape) : shape;
  const normalized = value === undefined ? undefined : normalize(stored, value, options);
  if (normalized) {
    // For an empty response, the fields come from the request. They apply only to a stored row.
    normalized.needsRows = response == null && input !== response;
  }
  const isShown = transaction.cells?.size;
  const { isBrief } = lifetime;
  // A response with a lifetime of 0 is kept only if a reader waits for it or is mounted. The view
  // removes the response when its last reader leaves.
  const expiresAt = isBrief ? lifetime.fetchedAt + READERS_GRACE : lifetime.expiresAt;
  const isKept = !isBrief || hasReaders(wait) || core.views.isHeld(result);
  const kept = isKept ? { ...lifetime, expiresAt, isRepeat } : undefined;
  confirm(store, transaction, normalized, !isBrief || isRepeat ? kept : undefined);
  if (result && kept) {
    // With a schema, an empty response is stored as null.
    const empty = shape.kind === 'leaf' ? response : null;
    storeResponse(store, result, transaction, kept, normalized, empty);
    // The store no longer knows all mutations that a stalled read overlapped.
    if (transaction.overtaken && flight.mutated !== core.mutated) {
      expireResult(store, result);
    }
  } else if (result) {
    forgetOlder(store, result, transaction.start);
  } else {
    const known = isUnknown ? undefined : normalized;
    if (known || !isOptimistic) {
      noteRenamed(store, shape, args, known?.rows ?? [], transaction.settle);
    }
    if (!known && !isShown) {
      noteUnseen(store, shape, full, transaction);
    }
  }
  forgetFailure(flight);
  core.unnamed.restart(core, store);
  endpoint.$stored?.(flight.abort.signal);
  return normalized;
}

/** Milliseconds for which a response with a lifetime of 0 is fresh for the waiting readers. */
const READERS_GRACE = 1_000;

/**
 * Adds the sent fields to the response of a PUT or PATCH, because the server has confirmed them.
 * Fields of the response win. An empty response confirms all sent fields, unless an optimistic
 * update already shows them. If `sent` is undefined, an empty response becomes the key alone.
 */
function withSentUpdate(
  store: Store,
  sent: unknown,
  args: readonly unknown[],
  shape: Shape,
  response: unknown,
  isOptimistic: boolean,
): unknown {
  if (shape.kind === 'object') {
    const [[field, part] = [], ...others] = shape.fields;
    return others.length === 0 && part && field !== undefined && isPlain(response)
      ? { ...response, [field]: withSentUpdate(store, sent, args, part, response[field], true) }
      : response;
  }
  const member = changedShape(shape);
  if (!isRecordShape(member)) {
    return response;
  }
  const stored = findCell(store, member, queryKey(member, args))?.current;
  // The stored record only determines the class in a union. Its other fields are not used, because
  // they can be older than the response.
  const { entity, telling } = classOf(member, true, stored, fieldsOf(sent), response);
  if (!entity) {
    return response;
  }
  const fields = { ...telling, ...sentFields(entity, sent) };
  if (isPlain(response)) {
    const merged = { ...fields, ...response };
    if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
      noteReceived(merged, response, true);
    }
    return merged;
  }
  const pk = entityPk(entity, args);
  const cell = findCell(store, entity, pk);
  // A move, and an action whose fields are unknown, need a stored record.
  const isKnown = isPresent(cell) || (member === shape && sent !== undefined);
  if (response != null || isOptimistic || !isKnown || pk === undefined) {
    return response;
  }
  const key = keyFieldOf(entity);
  const params: object = Object(args[0]);
  // For a key of several fields, the stored record has the values that the path names.
  const named =
    key === undefined
      ? fieldsWhere(Object(cell?.current), (name) => Object.hasOwn(params, name))
      : { [key]: pk };
  // If the body contains another key, the key in the arguments wins.
  const candidates = [
    { ...named, ...fields },
    { ...fields, ...named },
  ];
  return candidates.find((record) => entityPk(entity, [record]) === pk) ?? response;
}
