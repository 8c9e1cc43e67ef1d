import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { changedShape, isRecordShape, shapeOf } from '../schema/shape.js';
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
  const { $row } = endpoint;
  const reference = queryKey(shape.member, $row ? [$row(args[0])] : args);
  return readOnce(store, shape.member, args, reference);
}

/**
 * Returns the value that `controller.fetch` resolves to.
 *
 * @remarks A delete resolves to the first of these that exists:
 * - the record as it was before the request
 * - the record in the response, if the response has a field that is not a parameter of the call
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
    // An empty response confirms the mutation of the record that the arguments name.
    const changed = changedShape(shape);
    const isEmpty = endpoint.sideEffect && response == null && isRecordShape(changed);
    const stored = isEmpty && readOnce(store, changed, args, queryKey(changed, args));
    return stored || response;
  }
  const isDelete = shape.kind === 'invalidate';
  const value = isDelete ? deleted : readOnce(store, shape, args, normalized.root);
  if (!endpoint.sideEffect) {
    return withDeleted(store, shape, normalized, response, value);
  }
  const [params] = args;
  const [row] = normalized.rows;
  const hasRecord =
    isObject(response) &&
    (!isDelete ||
      Object.keys(response).some((key) => !isObject(params) || !Object.hasOwn(params, key)));
  return value ?? (row && hasRecord ? lastKnown(store, row, response) : undefined);
}

/**
 * Returns an instance of a row that is hidden from readers, for example by a pending delete. The
 * fields come from the confirmed row, or from the response if the store has no such row.
 */
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
 * Returns the value of a read. A record that was deleted during the request is not in the store.
 * The instance of such a record has only the fields of the response.
 */
function withDeleted(
  store: Store,
  shape: Shape,
  { root, rows }: Pick<NormalizedResponse, 'root' | 'rows'>,
  response: unknown,
  value: unknown,
): unknown {
  if (shape.kind === 'object' && isObject(response) && isObject(root)) {
    let whole = value;
    for (const [field, part] of shape.fields) {
      const inner = { root: own(root, field), rows };
      const now = own(Object(value), field);
      const next = withDeleted(store, part, inner, own(response, field), now);
      whole = next === now ? whole : { ...Object(whole), [field]: next };
    }
    return whole;
  }
  if (value !== undefined || !isRecordShape(shape)) {
    return value;
  }
  const row = rowOf(shape, root);
  // A row without fields is a deletion: the `process` of its class returned undefined.
  const isReturned = rows.some(({ pk, fields }) => fields && pk === row?.pk);
  const isDeleted = isReturned && findCell(store, shape, root)?.current === null;
  return row && isDeleted && isObject(response) ? instanceOf(row.shape, response) : undefined;
}
