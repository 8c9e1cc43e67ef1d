import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { shapeOf } from '../schema/shape.js';
import type { Shape } from '../schema/shapes.js';
import { rowOf } from '../store/views/references.js';
import type { NormalizedResponse } from '../store/normalize/Normalized.js';
import { instanceOf } from '../store/normalize/rowKeys.js';
import { findCell, queryKey, readOnce } from '../store/views/queries.js';
import { isObject, own } from '../store/cells/plainValues.js';
import type { Store } from '../store/cells/Store.js';

/** The record that a delete is about, as it is before anything of the request shows. */
export function beforeDelete(
  store: Store,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): unknown {
  const shape = shapeOf(endpoint.schema);
  if (shape.kind !== 'invalidate') {
    return undefined;
  }
  const { '~row': rowOf } = endpoint;
  const reference = queryKey(shape.member, rowOf ? [rowOf(args[0])] : args);
  return reference === undefined ? undefined : readOnce(store, shape.member, args, reference);
}

/**
 * What `controller.fetch` resolves to: what the store shows for the answer. For a delete, the record as it was, or as the
 * server returned it; undefined when it is not known and the server only repeats its key. A record that was created or changed
 * and that was deleted meanwhile is given as the server returned it, too, and so is one that was read.
 */
export function outcomeOf(
  store: Store,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  response: unknown,
  answer: NormalizedResponse | undefined,
  deleted: unknown,
): unknown {
  const shape = shapeOf(endpoint.schema);
  if (!answer) {
    return response;
  }
  const isDelete = shape.kind === 'invalidate';
  const shown = isDelete ? deleted : readOnce(store, shape, args, answer.root);
  if (!endpoint.sideEffect) {
    return withDeleted(store, shape, answer, response, shown);
  }
  const [params] = args;
  const [row] = answer.rows;
  const saysMore =
    isObject(response) &&
    (!isDelete ||
      Object.keys(response).some((key) => !isObject(params) || !Object.hasOwn(params, key)));
  return shown ?? (row && saysMore ? instanceOf(row.shape, response) : undefined);
}

/** What the store shows for the response of a read, with the records that were deleted meanwhile as the server returned them. */
function withDeleted(
  store: Store,
  shape: Shape,
  { root, rows }: Pick<NormalizedResponse, 'root' | 'rows'>,
  response: unknown,
  shown: unknown,
): unknown {
  if (shape.kind === 'object' && isObject(response) && isObject(root)) {
    const deleted = Array.from(shape.fields, ([field, part]): [string, unknown] => {
      const inner = { root: own(root, field), rows };
      const now = own(Object(shown), field);
      return [field, withDeleted(store, part, inner, own(response, field), now)];
    }).filter(([field, value]) => value !== own(Object(shown), field));
    return deleted.length > 0 ? { ...Object(shown), ...Object.fromEntries(deleted) } : shown;
  }
  if (shown !== undefined || (shape.kind !== 'entity' && shape.kind !== 'union')) {
    return shown;
  }
  const row = rowOf(shape, root);
  // A class may make a deletion of what the response says.
  const isSaid = rows.some(({ pk, fields }) => fields && pk === row?.pk);
  const isDeleted = isSaid && findCell(store, shape, root)?.shown === null;
  return row && isDeleted && isObject(response) ? instanceOf(row.shape, response) : undefined;
}
