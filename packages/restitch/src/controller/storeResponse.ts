import { isDevelopment } from '../errors/development.js';
import { SchemaError } from '../errors/SchemaError.js';
import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { allArgs } from '../schema/identityText.js';
import { isObject } from '../schema/same.js';
import { shapeOf } from '../schema/shape.js';
import type { Shape } from '../schema/shapes.js';
import { usedShape } from '../schema/usedShape.js';
import { commit } from '../store/journal/commit.js';
import { outOfOrderSince } from '../store/journal/outOfOrderMutations.js';
import { confirmLocal } from '../store/journal/transactions.js';
import { normalize } from '../store/normalize/normalize.js';
import type { NormalizedResponse } from '../store/normalize/Normalized.js';
import { fitsAnother } from '../store/views/partialKeys.js';
import { leftOutBy } from '../store/views/missingFields.js';
import { entityPk, givenValue } from '../store/views/queries.js';
import {
  expireResult,
  type Lifetime,
  storeError,
  storeValue,
  NO_FIELDS,
} from '../store/cells/results.js';
import { copyValue } from '../store/cells/plainValues.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import type { Transaction } from '../store/journal/Transaction.js';
import { noteMutation } from './noteMutation.js';
import type { SetErrorAction, SetResponseAction } from './actions.js';
import type { Core } from './Core.js';
import { errorLifetimeOf, lifetimeOf } from './lifetimes.js';
import { beforeDelete } from './outcome.js';
import { errorsOf, expireContent, resultOf } from './resultOf.js';

export function storeResponse(
  store: Store,
  result: Result,
  { kind, start: begin, settle }: Transaction,
  lifetime: Lifetime,
  normalized: NormalizedResponse | undefined,
  empty?: unknown,
): void {
  // As for the rows and lists of the response: see `Lifetime.tick`.
  const start = kind === 'read' ? begin : settle;
  const isDeletion = normalized?.rows.some(({ fields }) => !fields);
  storeValue(store, result, start, normalized ? normalized.root : empty, lifetime, {
    leftOut: normalized ? leftOutBy(store, result.shape, normalized) : NO_FIELDS,
    isFinal: lifetime.isRepeat === true || isDeletion === true,
    isUnread: true,
  });
  const outOfOrderAt = outOfOrderSince(store, result.shape, normalized?.root, start);
  // This response may lack a mutation that ended at `outOfOrderAt`. The result expires, unless it
  // already has the response to a request that started later.
  if (outOfOrderAt > result.start) {
    expireResult(store, result, outOfOrderAt);
  }
}

/** The type of a read with a schema excludes null. */
export function refuseEmpty(
  { name, schema, nullable }: EndpointInterface,
  response: unknown,
): void {
  const { kind } = shapeOf(schema);
  if (response == null && !nullable && kind !== 'leaf' && kind !== 'invalidate') {
    throw new SchemaError(
      'unexpected-empty',
      isDevelopment
        ? `${name}: the response is empty. Set \`nullable: true\` on the endpoint if the server may return nothing, or return a value from \`process\`.`
        : name,
    );
  }
}

/**
 * If the response to a delete is empty, the arguments of the call name the row. Returns undefined if
 * they can name several rows.
 */
export function rowOrResponse(
  store: Store,
  endpoint: EndpointInterface,
  shape: Shape,
  args: readonly unknown[],
  response: unknown,
): unknown {
  // The cast: the schema of `resource().delete` has `$unread`, which no type declares.
  const schema = endpoint.schema as { readonly $unread?: boolean } | undefined;
  if (shape.kind !== 'invalidate' || (response != null && !schema?.$unread)) {
    return response;
  }
  const [row] = allArgs(endpoint, args);
  const { member } = shape;
  const isOwnKey = member.kind === 'entity' && member.custom.pk && isObject(row);
  const named = endpoint.$row ? endpoint.$row(row) : isOwnKey ? entityPk(member, [row]) : row;
  return fitsAnother(store, member, row, named) ? undefined : named;
}

export function setResponse(
  core: Core,
  { endpoint, args, key, response }: SetResponseAction,
): void {
  const { store } = core;
  const lifetime = lifetimeOf(core, endpoint);
  if (!endpoint.sideEffect) {
    refuseEmpty(endpoint, response);
  }
  const full = allArgs(endpoint, args);
  const options = givenValue(store, endpoint.name, full);
  const shape = usedShape(endpoint.schema);
  const given = rowOrResponse(store, endpoint, shape, args, response);
  // `normalize` copies the value, except for a leaf.
  const own = shape.kind === 'leaf' ? copyValue(given) : given;
  // A delete that can mean several rows stores nothing.
  const isUnsure = shape.kind === 'invalidate' && own === undefined && full[0] !== undefined;
  const normalized = normalize(isUnsure ? usedShape(undefined) : shape, own, options);
  const isDelete = shape.kind === 'invalidate' && endpoint.$row;
  const isUnknown = isDelete && beforeDelete(store, endpoint, args) === undefined;
  commit(store, () => {
    const transaction = confirmLocal(store, normalized, lifetime);
    // No reader asks for the result of a mutation.
    if (endpoint.sideEffect) {
      const rows = isUnknown ? [] : normalized.rows;
      noteMutation(store, endpoint, args, transaction, rows, rows.length === 0);
    } else {
      storeResponse(store, resultOf(store, endpoint, args, key), transaction, lifetime, normalized);
    }
  });
}

export function setError(core: Core, { endpoint, args, key, error }: SetErrorAction): void {
  const { store } = core;
  commit(store, () => {
    store.tick += 1;
    const result = resultOf(store, errorsOf(endpoint), args, key);
    storeError(store, result, store.tick, error, errorLifetimeOf(core, endpoint));
    expireContent(store, result);
  });
}
