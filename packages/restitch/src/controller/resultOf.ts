import { entitiesOf, isRecordShape, shapeOf, shapesIn } from '../schema/shape.js';
import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { allArgs } from '../schema/identityText.js';
import type { Shape } from '../schema/shapes.js';
import { findCell, lookupKey, queryKey } from '../store/views/queries.js';
import { isObject } from '../store/cells/plainValues.js';
import { listsOfResult } from '../store/lists/listsOfResult.js';
import { commit } from '../store/journal/commit.js';
import { forgetOlder, resultFor } from '../store/cells/results.js';
import { expireCell, listTable, rowTable } from '../store/cells/tables.js';
import type { Cell } from '../store/cells/Cell.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import type { Flight } from './Flight.js';

export function resultOf(
  store: Store,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  key: string = endpoint.key(...args),
): Result {
  return resultFor(store, key, endpoint, (shape) => {
    const all = allArgs(endpoint, args);
    return isLookup(endpoint, all, shape, key) ? lookupKey(shape, all) : undefined;
  });
}

/** A mutation has no result for data, so its errors get a result with the same key. */
export function errorsOf<E extends EndpointInterface>(endpoint: E): E {
  if (!endpoint.sideEffect) {
    return endpoint;
  }
  const calls = {
    name: endpoint.name,
    sideEffect: true,
    key: (...args: readonly unknown[]) => endpoint.key(...args),
    $isErrors: true,
  };
  // The cast: the other members of an endpoint are not needed for its errors.
  return calls as unknown as E;
}

/** Clears the earlier error of a mutation that is repeated or has succeeded. */
export function forgetFailure({ store, endpoint, args, key, result, transaction }: Flight): void {
  if (!result && transaction && store.results.has(key)) {
    commit(store, () =>
      forgetOlder(store, resultOf(store, errorsOf(endpoint), args, key), transaction.start),
    );
  }
}

/**
 * True if the arguments identify the record of the response and nothing else.
 *
 * - `/users/:id`: true
 * - `/projects/:id/owner` and `/users?owner=:id`: false, though both may return a user
 * - without a path, the schema decides
 */
function isLookup(
  endpoint: EndpointInterface,
  args: readonly unknown[],
  shape: Shape,
  key: string,
): boolean {
  const { kind } = shape;
  if (kind === 'custom' || kind === 'object') {
    // Arguments identify one record, not both records of `{ user: User, team: Team }`.
    const part = kind === 'custom' ? shape.member : shape.isSingle && [...shape.fields.values()][0];
    return part && part.kind !== 'object' ? isLookup(endpoint, args, part, key) : false;
  }
  if (isRecordShape(shape)) {
    return (
      endsInParam(endpoint) &&
      namesAlone(shape, args) &&
      (endpoint.$asksByPath?.(key, args) ?? true)
    );
  }
  return kind !== 'array' && kind !== 'lazy';
}

/**
 * Without this expiry, other endpoints would treat the row or list as fresh, and only the first page
 * of an infinite list would be requested again.
 */
export function expireContent(store: Store, result: Result): void {
  const { shape, named } = result;
  for (const cell of [findCell(store, shape, named), ...listsOfResult(store, result)]) {
    if (cell) {
      expireCell(store, cell);
    }
  }
}

function endsInParam({ path = '/:key' }: EndpointInterface): boolean {
  return /^[^?]*[:*]("[^"]*"|[\w$]+)\}?$/.test(path);
}

/**
 * Expires rows and lists that the endpoint can show before it has a response of its own. Hydrated
 * rows and lists wait for their table, so a missing table is created.
 */
export function expireNamed(store: Store, endpoint: EndpointInterface): void {
  const expire = (cell: Cell): void => expireCell(store, cell);
  const params = Object.fromEntries(Array.from(endpoint.$names ?? ['id'], (name) => [name, name]));
  for (const part of shapesIn(shapeOf(endpoint.schema))) {
    if (part.kind === 'collection') {
      listTable(store, part).cells.forEach(expire);
    } else if (isRecordShape(part) && endsInParam(endpoint) && queryKey(part, [params])) {
      for (const { entity } of entitiesOf(part)) {
        rowTable(store, entity).cells.forEach(expire);
      }
    }
  }
}

/** True if the key of the record changes whenever one of the arguments is left out. */
function namesAlone(shape: Shape, args: readonly unknown[]): boolean {
  const named = String(queryKey(shape, args));
  const isNeeded = (fields: object, name: string): boolean =>
    String(queryKey(shape, [{ ...fields, [name]: undefined }])) !== named;
  return args.every(
    (arg, index) =>
      arg === undefined ||
      (index === 0 &&
        (!isObject(arg) ||
          Object.keys(arg).every((name) => arg[name] === undefined || isNeeded(arg, name)))),
  );
}
