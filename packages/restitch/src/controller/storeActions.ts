import { commit } from '../store/journal/commit.js';
import { outOfOrderSince, noteRenamed } from '../store/journal/outOfOrder.js';
import { normalize } from '../store/normalize/normalize.js';
import { leftOutBy, NO_FIELDS } from '../store/views/missingFields.js';
import type { NormalizedResponse } from '../store/normalize/Normalized.js';
import { endPages } from '../store/lists/endPages.js';
import { notePlaces } from '../store/lists/pagePlaces.js';
import { givenValue } from '../store/views/queries.js';
import { callbackFailed } from '../store/normalize/refusals.js';
import {
  expireResult,
  invalidateResult,
  forgetError,
  isWithin,
  type Lifetime,
  registerError,
  registerFailure,
  registerValue,
  resultsIn,
  resultsOf,
} from '../store/cells/results.js';
import { copyValue } from '../store/cells/plainValues.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import type { Transaction } from '../store/journal/Transaction.js';
import {
  begin as beginRequest,
  confirm,
  confirmLocal,
  fail,
  restart as restartRequest,
} from '../store/journal/transactions.js';
import { allArgs } from '../schema/identity.js';
import { fieldsOf } from '../schema/form.js';
import { isParsed } from '../schema/parsed.js';
import { shapeOf } from '../schema/shape.js';
import { usedShape } from '../schema/usedShape.js';
import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { isDevelopment } from '../errors/development.js';
import { SchemaError } from '../errors/SchemaError.js';
import type {
  ExpireAllAction,
  FailAction,
  InvalidateAction,
  InvalidateAllAction,
  ReceiveAction,
  SetErrorAction,
  SetResponseAction,
} from './actions.js';
import { type Flight, flightOf, hasReaders } from './Flight.js';
import { errorsOf, registerOf } from './registers.js';

/** Starts a request's transaction: from here on it has its rank. */
export function begin(flight: Flight): void {
  const { endpoint, args, store, result } = flight;
  const shape = usedShape(endpoint.schema);
  flight.transaction = beginRequest(
    store,
    result ? 'read' : 'mutation',
    shape.kind !== 'leaf',
    endpoint.name,
    result ? undefined : new Set(Object.keys(Object(fieldsOf(args.at(-1))))),
  );
  notePlaces(store, flight.transaction, shape, args, flight.places);
  forgetFailure(flight);
}

/** Places an answer. Throws what the schema's classes threw; nothing of the answer is then stored. */
export function receive(action: ReceiveAction, lifetime: Lifetime): NormalizedResponse | undefined {
  const { endpoint, args, response } = action;
  const flight = flightOf(action);
  const { store, transaction, result } = flight;
  if (!transaction) {
    return undefined;
  }
  const shape = shapeOf(endpoint.schema);
  // A delete that answers nothing was about what it was called with.
  const isSilentDelete = shape.kind === 'invalidate' && (response ?? null) === null;
  const said = isSilentDelete ? args[0] : response;
  if (result) {
    refuseEmpty(endpoint, response);
  }
  const answer =
    said === null || said === undefined
      ? undefined
      : normalize(shape, said, {
          source: endpoint.name,
          args: allArgs(endpoint, args),
          copy: !isParsed(said),
        });
  const { isRepeat, wait } = flight;
  commit(store, () => {
    const kept = lifetimeFor({ ...lifetime, isRepeat }, hasReaders(wait));
    confirm(store, transaction, answer, isKept(lifetime) || isRepeat ? kept : undefined);
    if (!result && answer) {
      noteRenamed(store, shape, args, answer, transaction.settle);
    }
    if (result && kept) {
      // With a schema an empty response is null.
      const empty = shape.kind === 'leaf' ? response : null;
      register(store, result, transaction, kept, answer, empty);
    }
    forgetFailure(flight);
  });
  return answer;
}

/** Registers a response. */
function register(
  store: Store,
  result: Result,
  { start }: Transaction,
  lifetime: Lifetime,
  answer: NormalizedResponse | undefined,
  otherwise?: unknown,
): void {
  const isDeletion = answer?.rows.some(({ fields }) => !fields);
  registerValue(store, result, start, answer ? answer.root : otherwise, lifetime, {
    leftOut: answer ? leftOutBy(store, result.shape, answer) : NO_FIELDS,
    isFinal: lifetime.isRepeat === true || isDeletion === true,
    isUnread: true,
  });
  const doubt = answer ? outOfOrderSince(store, answer, start) : 0;
  // Where a later request was answered already, that answer may be beyond doubt.
  if (doubt > result.start) {
    expireResult(store, result, doubt);
  }
}

/** Throws where a read with a schema has no data: readers would get null of a type without null. */
function refuseEmpty({ name, schema, nullable }: EndpointInterface, response: unknown): void {
  const { kind } = shapeOf(schema);
  if ((response ?? null) === null && !nullable && kind !== 'leaf' && kind !== 'invalidate') {
    throw new SchemaError(
      'unexpected-empty',
      isDevelopment
        ? `${name}: the response is empty. Set \`nullable: true\` on the endpoint if that means that there is nothing, or give a value in \`process\`.`
        : name,
    );
  }
}

/** Milliseconds for which an answer without a lifetime counts as fresh to the readers that waited for it. */
const READERS_GRACE = 1_000;

/** Whether an answer has a lifetime at all. */
function isKept({ fetchedAt, expiresAt }: Lifetime): boolean {
  return expiresAt > fetchedAt;
}

/** An answer without a lifetime is only kept for readers that waited for it; their view drops it when they leave. */
function lifetimeFor(lifetime: Lifetime, isAwaited: boolean): Lifetime | undefined {
  if (isKept(lifetime)) {
    return lifetime;
  }
  return isAwaited ? { ...lifetime, expiresAt: lifetime.fetchedAt + READERS_GRACE } : undefined;
}

/** A mutation is repeated, or has succeeded: its earlier failure is past. */
function forgetFailure({ store, endpoint, args, key, result, transaction }: Flight): void {
  if (!result && transaction && store.results.has(key)) {
    commit(store, () =>
      forgetError(store, registerOf(store, errorsOf(endpoint), args, key), transaction.start),
    );
  }
}

/** Takes a failed request's guess back and registers its error, if readers should see it: not if it `isReplaced`. */
export function failRequest(
  action: FailAction,
  lifetime: Lifetime,
  report: (error: unknown) => void,
  isReplaced: boolean,
  hasData: () => boolean,
): void {
  const { error } = action;
  const isSoft = policyOf(action, report) === 'soft';
  const flight = flightOf(action);
  const { store, transaction, result, wait, abort } = flight;
  if (!transaction) {
    return;
  }
  const { start } = transaction;
  commit(store, () => {
    fail(store, transaction);
    if (!result && !abort.signal.aborted && !isAbort(error)) {
      // Whoever asks `useError` for this call is told; there is nothing else to read of a mutation.
      const { endpoint, args, key } = flight;
      registerError(
        store,
        registerOf(store, errorsOf(endpoint), args, key),
        start,
        error,
        lifetime,
      );
    }
    // Nobody wants it, or another request has taken its place. A reader whose endpoint's own signal aborted has to be told.
    const isWithdrawn = abort.signal.aborted && !(hasReaders(wait) && wait.signal?.aborted);
    if (!result || isWithdrawn || isReplaced || wait.flight !== flight) {
      return;
    }
    if ((isSoft || isAbort(error)) && hasData()) {
      // To readers that have data an abort is no failure.
      registerFailure(store, result, start, isAbort(error) ? undefined : error, lifetime);
    } else {
      registerError(store, result, start, error, lifetime);
    }
  });
}

/** What the endpoint says of an error; nothing where it throws itself. */
function policyOf(
  { endpoint, error }: FailAction,
  report: (error: unknown) => void,
): 'soft' | 'hard' | undefined {
  try {
    return endpoint.errorPolicy?.(error);
  } catch (mistake) {
    report(callbackFailed('errorPolicy', mistake, endpoint.name));
    return undefined;
  }
}

/** A request that waited for the keys of its rows is sent: it takes its rank now. */
export function restart({ endpoint, store, transaction }: Flight, args: readonly unknown[]): void {
  if (transaction) {
    restartRequest(store, transaction);
    notePlaces(store, transaction, shapeOf(endpoint.schema), args);
  }
}

/** Takes back what shows of a request: one that will not be answered ends, one whose answer nobody wants stays under way. */
export function withdraw({ store, transaction }: Flight, how: typeof fail = fail): void {
  if (transaction) {
    commit(store, () => how(store, transaction));
  }
}

function isAbort({ name }: Error): boolean {
  return name === 'AbortError';
}

/** Stores a value as if the endpoint had just answered it. */
export function setResponse(
  store: Store,
  { endpoint, args, key, response }: SetResponseAction,
  lifetime: Lifetime,
): void {
  if (!endpoint.sideEffect) {
    refuseEmpty(endpoint, response);
  }
  const options = givenValue(store, endpoint.name, allArgs(endpoint, args));
  const shape = usedShape(endpoint.schema);
  // What a schema normalizes is copied on the way.
  const own = shape.kind === 'leaf' ? copyValue(response) : response;
  const answer = normalize(shape, own, options);
  commit(store, () => {
    const transaction = confirmLocal(store, answer, lifetime);
    register(store, registerOf(store, endpoint, args, key), transaction, lifetime, answer);
  });
}

/** Stores an error as if the endpoint had just failed. */
export function setError(
  store: Store,
  { endpoint, args, key, error }: SetErrorAction,
  lifetime: Lifetime,
): void {
  commit(store, () => {
    store.tick += 1;
    const result = registerOf(store, errorsOf(endpoint), args, key);
    registerError(store, result, store.tick, error, lifetime);
  });
}

/** Invalidates one question, or expires or invalidates every question of an endpoint; returns what was touched. */
export function outdate(
  store: Store,
  action: InvalidateAction | InvalidateAllAction | ExpireAllAction,
): Result[] {
  const { endpoint } = action;
  const how = action.type === 'expireAll' ? 'expire' : 'invalidate';
  let results: Result[];
  if (action.type === 'invalidate') {
    // A question that was never asked is taken away as well: what other answers brought along must not serve it.
    registerOf(store, endpoint, action.args, action.key);
    results = [...resultsOf(store, action.key)];
  } else {
    const matches = (candidate: string): boolean => endpoint.testKey(candidate);
    results = [...resultsIn(store)].filter(
      (result) => matches(result.key) || endpoint['~isKin']?.(result.endpoint),
    );
    store.hydrated?.outdate(matches, how, (other) => endpoint['~isKin']?.(other) === true);
  }
  for (const result of results) {
    if (how === 'invalidate') {
      endPages(store, result);
      invalidateResult(store, result);
    } else {
      expireResult(store, result);
    }
  }
  return results;
}

/** Expires every answer and error past its lifetime, except those whose next answer is under way. */
export function expireStale(
  store: Store,
  now: number,
  requests: { readonly joinable: (result: Result) => unknown },
): void {
  commit(store, () => {
    for (const result of resultsIn(store)) {
      const isPast = result.status !== 'none' && !isWithin(result, now);
      if (isPast && !requests.joinable(result)) {
        expireResult(store, result);
      }
    }
  });
}
