import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { changedShape, isRecordShape, shapeOf } from '../schema/shape.js';
import type { Shape } from '../schema/shapes.js';
import type { NormalizedResponse } from '../store/normalize/Normalized.js';
import { instanceOf } from '../schema/customPk.js';
import { queryKey, readOnce } from '../store/views/queries.js';
import { isObject } from '../store/cells/plainValues.js';
import { currentConfirmed } from '../store/journal/fold.js';
import { readThrough } from '../store/views/readThrough.js';
import { namedArgs } from './namedArgs.js';
import { lacksRecord } from './recordsInEnvelope.js';
import type { Cell, Stored } from '../store/cells/Cell.js';
import type { Store } from '../store/cells/Store.js';

export function beforeDelete(
  store: Store,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): unknown {
  const shape = shapeOf(endpoint.schema);
  if (shape.kind !== 'invalidate') {
    return undefined;
  }
  const reference = queryKey(shape.member, namedArgs(store, endpoint, args));
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
    const reference = isEmpty && queryKey(changed, namedArgs(store, endpoint, args));
    const stored = isEmpty && readOnce(store, changed, args, reference);
    return stored || response;
  }
  const isDelete = shape.kind === 'invalidate';
  const value = isDelete ? deleted : readOnce(store, shape, args, normalized.root);
  const { rows } = normalized;
  if (!endpoint.sideEffect) {
    // A record can be deleted while it is read. Lists omit it, but an envelope must contain it.
    const isOpen = value === undefined || lacksRecord(store, shape, value, normalized.root);
    const isDeleted = isOpen && rows.some((row) => row.fields && !cellOf(store, row)?.current);
    return isDeleted ? lastKnown(store, shape, args, normalized.root, rows) : value;
  }
  const [params] = args;
  const [row] = rows;
  const hasRecord =
    isObject(response) &&
    (!isDelete ||
      Object.keys(response).some((key) => !isObject(params) || !Object.hasOwn(params, key)));
  if (row && hasRecord) {
    return (
      value ?? lastKnown(store, row.shape, [], row.pk, rows) ?? instanceOf(row.shape, response)
    );
  }
  // An empty response to an update of an unknown record is null, as after a create.
  return value ?? (isDelete || isObject(response) ? undefined : response);
}

const cellOf = (
  { rows }: Store,
  { shape, pk }: NormalizedResponse['rows'][number],
): Cell | undefined => rows.get(shape.table)?.cells.get(pk);

/** Includes records that are hidden from readers, for example by a pending delete. */
function lastKnown(
  store: Store,
  shape: Shape,
  args: readonly unknown[],
  reference: unknown,
  rows: NormalizedResponse['rows'],
): unknown {
  const current = (cell: Cell): Stored =>
    currentConfirmed(store, cell) ?? rows.find((row) => cellOf(store, row) === cell)?.fields;
  return readThrough(store, shape, args, reference, { cells: new Map(), current });
}
