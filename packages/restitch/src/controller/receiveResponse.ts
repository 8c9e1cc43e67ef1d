import { toError } from '../errors/toError.js';
import { shapeOf } from '../schema/shape.js';
import { expireResult, forgetOlder } from '../store/cells/results.js';
import { commit } from '../store/journal/commit.js';
import { confirm } from '../store/journal/transactions.js';
import type { NormalizedResponse } from '../store/normalize/Normalized.js';
import { withSource } from '../store/normalize/normalizeErrors.js';
import { noteMutation } from './noteMutation.js';
import type { ReceiveAction } from './actions.js';
import type { Core } from './Core.js';
import { end, settle } from './endRequest.js';
import { type Flight, flightOf, hasReaders, renewFlight } from './Flight.js';
import { lifetimeOf } from './lifetimes.js';
import { normalizeResponse } from './normalizeResponse.js';
import { outcomeOf } from './outcome.js';
import { settleReaders } from './readerRequests.js';
import { forgetFailure } from './resultOf.js';
import { storeResponse } from './storeResponse.js';
import { start } from './startRequest.js';
import { sendWaiting } from './waitForKeys.js';

export function receive(core: Core, action: ReceiveAction): void {
  const { args, response } = action;
  const flight = flightOf(action);
  const { endpoint, store, result, deleted, wait } = flight;
  let normalized: NormalizedResponse | undefined;
  // Ends before subscribers are notified: a subscriber that fetches again must not join this
  // request.
  end(core, flight);
  try {
    normalized = commit(store, () => place(core, action, flight));
  } catch (error) {
    core.dispatch({ ...action, type: 'fail', error: toError(error) }, false);
    commit(store, () => noteRefused(flight));
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
      settleReaders(core, flight);
    } else {
      settle(core, flight, 'resolve', value);
    }
    core.successes.notify(response, action);
  } catch (error) {
    // The response is stored; only the value for the caller could not be built.
    settle(core, flight, 'reject', withSource(error, endpoint.name));
  }
}

/** The server has run a mutation whose response cannot be stored. Its rows are fetched again. */
function noteRefused({ endpoint, store, args, transaction, result }: Flight): void {
  if (transaction && !result) {
    noteMutation(store, endpoint, args, transaction, [], true);
  }
}

/** If a class of the schema throws, nothing is stored. */
function place(core: Core, action: ReceiveAction, flight: Flight): NormalizedResponse | undefined {
  const { args } = action;
  const { endpoint, store, transaction, result, isRepeat, wait, deleted } = flight;
  if (!transaction) {
    return undefined;
  }
  const lifetime = lifetimeOf(core, endpoint, flight.abort.signal);
  const shape = shapeOf(endpoint.schema);
  const { normalized, known, isOptimistic, sent } = normalizeResponse(action, flight, transaction);
  const isPredicted = isOptimistic && Boolean(transaction.cells?.size);
  const { isBrief } = lifetime;
  // A response with a lifetime of 0 is kept only for a waiting or mounted reader. The view removes
  // the response when its last reader leaves.
  const expiresAt = isBrief ? lifetime.fetchedAt + READERS_GRACE : lifetime.expiresAt;
  const isKept = !isBrief || hasReaders(wait) || core.views.isHeld(result);
  const kept = isKept ? { ...lifetime, expiresAt, isRepeat } : undefined;
  confirm(store, transaction, normalized, !isBrief || isRepeat ? kept : undefined);
  if (result && kept) {
    // With a schema, an empty response is stored as null.
    const empty = shape.kind === 'leaf' ? action.response : null;
    storeResponse(store, result, transaction, kept, normalized, empty);
    if (transaction.start < result.expiredIn && !core.reads.has(result)) {
      // The request began before the expiry, so the readers that waited for it must fetch again.
      result.newsIn = store.tick;
    }
    // If the read stalled, the store no longer knows all mutations and messages of this time.
    if (transaction.overtaken && (transaction.lacksEdits || flight.mutated !== core.mutated)) {
      expireResult(store, result);
    }
  } else if (result) {
    forgetOlder(store, result, transaction.start);
  } else {
    // The response to a delete of `resource()` is not read, so only the call names the row.
    const isUnknown = shape.kind === 'invalidate' && endpoint.$row && deleted === undefined;
    const rows = isUnknown ? [] : (known?.rows ?? (isPredicted ? undefined : []));
    // The sent fields may be too few to decide which lists a created row belongs to. If the
    // response does not determine the class of a union, the row was not stored.
    const isUnseen =
      known?.isIncomplete ||
      (!known?.rows.length && (!isPredicted || transaction.temporary.length > 0));
    noteMutation(store, endpoint, args, transaction, rows, isUnseen, sent);
  }
  forgetFailure(flight);
  endpoint.$stored?.(flight.abort.signal);
  // Optimization: other requests wait only for the real keys of created rows.
  if (transaction.temporary.length > 0) {
    sendWaiting(core);
  }
  return known;
}

/** Milliseconds for which a response with a lifetime of 0 is fresh for the waiting readers. */
const READERS_GRACE = 1_000;
