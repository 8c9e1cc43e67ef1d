import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { isRecordShape, shapeOf } from '../schema/shape.js';
import type { Shape } from '../schema/shapes.js';
import { rowOf } from '../store/views/walkReferences.js';
import type { NormalizedResponse } from '../store/normalize/Normalized.js';
import { instanceOf } from '../store/normalize/rowKeys.js';
import { findCell, queryKey, readOnce } from '../store/views/queries.js';
import { isObject, own } from '../store/cells/plainValues.js';
import { currentConfirmed } from '../store/journal/fold.js';
import { readThrough } from '../store/views/readThrough.js';
import type { Cell, Stored } from '../store/cells/Cell.js';
import type { Store } from '../store/cells/Store.js';

/** Returns the record that a delete names, as it was before the delete. */
export function beforeDelete(
  store: Store,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): unknown {
  const shape = shapeOf(endpoint.schema);
  if (shape.kind !== 'invalidate') {
    return undefined;
  }
  const { $row: rowOf } = endpoint;
  const reference = queryKey(shape.member, rowOf ? [rowOf(args[0])] : args);
  return readOnce(store, shape.member, args, reference);
}

/**
 * Returns the value that `controller.fetch` resolves to. Usually, this is the current value for the
 * response.
 *
 * @remarks A delete resolves to the first of these that exists:
 * - the record as it was before the request
 * - the record that the server returned, if the response has more than the key
 * - undefined
 */
export function outcomeOf(
  store: Store,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  response: unknown,
  normalized: NormalizedResponse | undefined,
  deleted: unknown,
): unknown {
  const shape = shapeOf(endpoint.schema);
  if (!normalized) {
    // The server confirmed the optimistic update of the record that the arguments name.
    const isEmpty = endpoint.sideEffect && (response ?? null) === null && isRecordShape(shape);
    const stored = isEmpty && readOnce(store, shape, args, queryKey(shape, args));
    return stored || response;
  }
  const isDelete = shape.kind === 'invalidate';
  const value = isDelete ? deleted : readOnce(store, shape, args, normalized.root);
  if (!endpoint.sideEffect) {
    return withDeleted(store, shape, normalized, response, value);
  }
  const [params] = args;
  const [row] = normalized.rows;
  const hasMore =
    isObject(response) &&
    (!isDelete ||
      Object.keys(response).some((key) => !isObject(params) || !Object.hasOwn(params, key)));
  return value ?? (row && hasMore ? lastKnown(store, row, response) : undefined);
}

/** Returns the last known instance of a row that readers do not see, such as one with a pending delete. */
function lastKnown(
  store: Store,
  { shape, pk }: NormalizedResponse['rows'][number],
  response: Readonly<Record<string, unknown>>,
): unknown {
  const current = (cell: Cell): Stored => currentConfirmed(store, cell);
  const copies = { cells: new Map(), current };
  return readThrough(store, shape, [], pk, copies) ?? instanceOf(shape, response);
}

/**
 * Returns the value of a read. A record that was deleted during the request is not in the store, so
 * its instance has only the fields of the response.
 */
function withDeleted(
  store: Store,
  shape: Shape,
  { root, rows }: Pick<NormalizedResponse, 'root' | 'rows'>,
  response: unknown,
  value: unknown,
): unknown {
  if (shape.kind === 'object' && isObject(response) && isObject(root)) {
    const deleted = Array.from(shape.fields, ([field, part]): [string, unknown] => {
      const inner = { root: own(root, field), rows };
      const now = own(Object(value), field);
      return [field, withDeleted(store, part, inner, own(response, field), now)];
    }).filter(([field, value]) => value !== own(Object(value), field));
    return deleted.length > 0 ? { ...Object(value), ...Object.fromEntries(deleted) } : value;
  }
  if (value !== undefined || !isRecordShape(shape)) {
    return value;
  }
  const row = rowOf(shape, root);
  // A class may turn a record of a response into a deletion.
  const isReturned = rows.some(({ pk, fields }) => fields && pk === row?.pk);
  const isDeleted = isReturned && findCell(store, shape, root)?.current === null;
  return row && isDeleted && isObject(response) ? instanceOf(row.shape, response) : undefined;
}
