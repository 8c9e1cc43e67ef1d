import { commit } from '../store/commit.js';
import { rowCell } from '../store/cells.js';
import { type Normalized, normalize } from '../store/normalize.js';
import { readBelow, showLayer } from '../store/layers.js';
import { entityPk, queryKey } from '../store/query.js';
import {
  expireResult,
  invalidateResult,
  type Lifetime,
  registerError,
  registerValue,
  resultFor,
  resultsMatching,
} from '../store/results.js';
import { temporaryPk } from '../store/keys.js';
import type { Fields, Layer, Result, Store, Transaction } from '../store/state.js';
import {
  begin as beginRequest,
  confirm,
  confirmLocal,
  fail,
  writeLocal,
} from '../store/transaction.js';
import type { EntityShape, Shape } from '../schema/shape.js';
import { shapeOf } from '../schema/shape.js';
import { setField } from '../schema/Entity.js';
import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import type {
  FailAction,
  ReceiveAction,
  SetAction,
  SetErrorAction,
  SetResponseAction,
} from './actions.js';
import type { Flight } from './Flight.js';
import type { SnapshotSource } from './optimistic.js';

/** Lifetimes that hold where an endpoint sets none, in milliseconds. */
export interface Lifetimes {
  readonly dataExpiryLength: number;
  readonly errorExpiryLength: number;
}

/** Starts a request's transaction: from here on it has its rank. */
export function begin(flight: Flight): void {
  const { kind } = shapeOf(flight.endpoint.schema);
  const writes = kind !== 'leaf';
  flight.transaction = beginRequest(flight.store, flight.result ? 'read' : 'mutation', writes);
}

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
            source: `${endpoint.name} (optimistic)`,
            args,
            copy: true,
            temporaryPk: (position) => temporaryPk(transaction.start, position),
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
    resultFor(store, endpoint.key(...args), endpoint.schema);
  return {
    get: (schema, ...args) => {
      const shape = shapeOf(schema);
      return readBelow(store, shape, queryKey(shape, args), transaction, layer);
    },
    getResponse: (endpoint, ...args) => {
      const { status, value, shape } = resultOf(endpoint, args);
      const current = status === 'value' ? value : queryKey(shape, args);
      return readBelow(store, shape, current, transaction, layer);
    },
    getError: (endpoint, ...args) => resultOf(endpoint, args).error,
  };
}

/** Places an answer. Throws what the schema's classes threw; nothing of the answer is then stored. */
export function receive(
  { flight, endpoint, args, response }: ReceiveAction,
  lifetime: Lifetime,
): Normalized | undefined {
  const { store, transaction, result } = flight;
  if (!transaction) {
    return undefined;
  }
  const shape = shapeOf(endpoint.schema);
  const answer =
    response === null || response === undefined
      ? undefined
      : normalize(shape, response, { source: endpoint.name, args, copy: false });
  commit(store, () => {
    confirm(store, transaction, answer, lifetime.expiresAt);
    const kept = lifetimeFor(lifetime, flight.wait.hasReaders);
    if (result && kept) {
      registerValue(store, result, transaction.start, answer ? answer.root : response, kept);
    }
  });
  return answer;
}

/** Milliseconds for which an answer without a lifetime counts as fresh to the readers that waited for it. */
const READERS_GRACE = 1_000;

/** An answer without a lifetime is only kept for readers that waited for it; their view drops it when they leave. */
function lifetimeFor(lifetime: Lifetime, hasReaders: boolean): Lifetime | undefined {
  if (lifetime.expiresAt > lifetime.fetchedAt) {
    return lifetime;
  }
  return hasReaders ? { ...lifetime, expiresAt: lifetime.fetchedAt + READERS_GRACE } : undefined;
}

/** Takes a failed request's guess back and registers its error, if readers should see it. */
export function failRequest({ flight, endpoint, error }: FailAction, lifetime: Lifetime): void {
  const { store, transaction, result, wait } = flight;
  if (!transaction) {
    return;
  }
  commit(store, () => {
    fail(store, transaction);
    const withdrawn = wait.abort.signal.aborted && !wait.signal?.aborted;
    if (!result || withdrawn) {
      return;
    }
    const hasData = result.status === 'value';
    const isSoft = endpoint.errorPolicy?.(error) === 'soft' || isAbort(error);
    if (hasData && isSoft) {
      // Readers keep their data; for as long as an error lives they do not ask again.
      result.expiresAt = Math.max(result.expiresAt, lifetime.expiresAt);
    } else {
      registerError(store, result, transaction.start, error, lifetime);
    }
  });
}

function isAbort({ name }: Error): boolean {
  return name === 'AbortError';
}

/** Writes a value, or a function of the stored fields, to what a schema and arguments name. */
export function set(store: Store, { schema, args, value }: SetAction, lifetime: Lifetime): void {
  const shape = shapeOf(schema);
  if (typeof value === 'function') {
    // The action's type cannot say that a function is an updater.
    updateRow(store, shape, args, value as (current: object | undefined) => unknown);
    return;
  }
  const [first] = args;
  const named = shape.kind === 'entity' && typeof first === 'object' ? first : undefined;
  // The arguments name the row, so the value need not repeat its key.
  const input = named && typeof value === 'object' ? { ...named, ...value } : value;
  const source = `controller.set(${describe(shape)})`;
  const answer = normalize(shape, input, { source, args, copy: true });
  commit(store, () => confirmLocal(store, answer, lifetime.expiresAt));
}

function updateRow(
  store: Store,
  shape: Shape,
  args: readonly unknown[],
  updater: (current: object | undefined) => unknown,
): void {
  const pk = shape.kind === 'entity' ? entityPk(shape, args) : undefined;
  if (shape.kind !== 'entity' || pk === undefined) {
    throw new TypeError(
      `controller.set with a function needs an entity class and arguments that name one row; got ${describe(shape)}.`,
    );
  }
  const update = (fields: Fields | undefined): Fields | undefined =>
    updatedFields(shape, pk, fields, updater);
  commit(store, () =>
    writeLocal(store, rowCell(store, shape.key, pk), { type: 'update', shape, update }),
  );
}

/** Runs an updater on the stored fields; relations that it replaced are turned into keys. */
function updatedFields(
  shape: EntityShape,
  pk: string,
  fields: Fields | undefined,
  updater: (current: object | undefined) => unknown,
): Fields | undefined {
  const next = updater(fields && storedInstance(shape, fields));
  if (typeof next !== 'object' || next === null) {
    return undefined;
  }
  const result: Record<string, unknown> = { ...next };
  for (const [field, part] of shape.relations) {
    if (Object.hasOwn(result, field) && result[field] !== fields?.[field]) {
      const source = `controller.set(${shape.key} ${pk})`;
      setField(
        result,
        field,
        normalize(part, result[field], { source, args: [], copy: true }).root,
      );
    }
  }
  return result;
}

/** The stored fields with the class's getters and methods, but without its defaults: they would be stored as data. */
function storedInstance({ entity }: EntityShape, fields: Fields): object {
  const instance: object = Object.create(entity.prototype);
  for (const key of Object.keys(fields)) {
    setField(instance, key, fields[key]);
  }
  return instance;
}

/** Stores a value as if the endpoint had just answered it. */
export function setResponse(
  store: Store,
  { endpoint, args, key, response }: SetResponseAction,
  lifetime: Lifetime,
): void {
  const options = { source: endpoint.name, args, copy: true };
  const answer = normalize(shapeOf(endpoint.schema), response, options);
  commit(store, () => {
    const { start } = confirmLocal(store, answer, lifetime.expiresAt);
    const result = resultFor(store, key, endpoint.schema);
    registerValue(store, result, start, answer.root, lifetime);
  });
}

/** Stores an error as if the endpoint had just failed. */
export function setError(
  store: Store,
  { endpoint, key, error }: SetErrorAction,
  lifetime: Lifetime,
): void {
  commit(store, () => {
    store.tick += 1;
    registerError(store, resultFor(store, key, endpoint.schema), store.tick, error, lifetime);
  });
}

/** Invalidates one question, or expires or invalidates every question of an endpoint; returns what was touched. */
export function outdate(
  store: Store,
  endpoint: EndpointInterface,
  key: string | undefined,
  how: 'invalidate' | 'expire',
): Result[] {
  const results =
    key === undefined
      ? [...resultsMatching(store, (candidate) => endpoint.testKey(candidate))]
      : [
          ...new Set([
            resultFor(store, key, endpoint.schema),
            ...resultsMatching(store, (k) => k === key),
          ]),
        ];
  commit(store, () => {
    for (const result of results) {
      (how === 'invalidate' ? invalidateResult : expireResult)(store, result);
    }
  });
  return results;
}

function describe(shape: Shape): string {
  return shape.kind === 'entity' ? shape.key : shape.kind;
}
