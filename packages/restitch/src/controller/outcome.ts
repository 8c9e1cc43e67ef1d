import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { shapeOf } from '../schema/shape.js';
import type { Normalized } from '../store/normalized.js';
import { instanceOf } from '../store/normalizeRow.js';
import { queryKey, readOnce } from '../store/query.js';
import { isObject } from '../store/record.js';
import type { Store } from '../store/state.js';

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
 * server returned it; undefined when it is not known and the server only repeats its key.
 */
export function outcomeOf(
  store: Store,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  response: unknown,
  answer: Normalized | undefined,
  deleted: unknown,
): unknown {
  const shape = shapeOf(endpoint.schema);
  if (!answer) {
    return response;
  }
  if (shape.kind !== 'invalidate') {
    return readOnce(store, shape, args, answer.root);
  }
  const [params] = args;
  const saysMore =
    isObject(response) &&
    Object.keys(response).some((key) => !isObject(params) || !Object.hasOwn(params, key));
  const row = saysMore ? answer.rows[0] : undefined;
  return deleted ?? (row && isObject(response) ? instanceOf(row.shape, response) : undefined);
}
