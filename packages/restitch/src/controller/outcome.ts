import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { shapeOf } from '../schema/shape.js';
import type { Normalized } from '../store/normalized.js';
import { instanceOf } from '../store/rowKeys.js';
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
 * server returned it; undefined when it is not known and the server only repeats its key. A record that was created or changed
 * and that was deleted meanwhile is given as the server returned it, too.
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
  const isDelete = shape.kind === 'invalidate';
  const shown = isDelete ? deleted : readOnce(store, shape, args, answer.root);
  const [params] = args;
  const [row] = endpoint.sideEffect ? answer.rows : [];
  const saysMore =
    isObject(response) &&
    (!isDelete ||
      Object.keys(response).some((key) => !isObject(params) || !Object.hasOwn(params, key)));
  return shown ?? (row && saysMore ? instanceOf(row.shape, response) : undefined);
}
