import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { shapeOf } from '../schema/shape.js';
import { instanceOf, type Normalized } from '../store/normalize.js';
import { entityPk, findCell, isPresent, readOnce } from '../store/query.js';
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
  const pk = entityPk(shape.entity, args);
  return isPresent(findCell(store, shape.entity, pk))
    ? readOnce(store, shape.entity, pk)
    : undefined;
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
    return readOnce(store, shape, answer.root);
  }
  const [params] = args;
  const saysMore =
    isObject(response) &&
    Object.keys(response).some((key) => !isObject(params) || !Object.hasOwn(params, key));
  return deleted ?? (saysMore ? instanceOf(shape.entity, response) : undefined);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
