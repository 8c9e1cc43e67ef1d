import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { isPlain } from '../schema/same.js';
import type { Shape } from '../schema/shapes.js';
import { isFields } from '../store/journal/applyPatch.js';
import { keyFieldOf } from '../store/normalize/rowKeys.js';
import { sentFields } from '../store/normalize/withSentFields.js';
import { entityPk, findCell } from '../store/views/queries.js';
import type { Store } from '../store/cells/Store.js';

/**
 * The response to a PUT or PATCH with the fields that were sent and that it leaves out: the server confirmed them. An empty response
 * confirms all of them, unless an optimistic update shows them already.
 */
export function withSentUpdate(
  store: Store,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  shape: Shape,
  response: unknown,
  isOptimistic: boolean,
): unknown {
  const sent = endpoint['~sent']?.(args);
  if (sent === undefined) {
    return response;
  }
  if (shape.kind === 'object') {
    const [[field, part] = []] = shape.fields;
    return shape.isSingle && part && field !== undefined && isPlain(response)
      ? { ...response, [field]: withSentUpdate(store, endpoint, args, part, response[field], true) }
      : response;
  }
  const member = shape.kind === 'edit' && shape.edit.action === 'move' ? shape.list.member : shape;
  if (member.kind !== 'entity') {
    return response;
  }
  if (isPlain(response)) {
    return { ...sentFields(member, sent), ...response };
  }
  const current = findCell(store, member, entityPk(member, args))?.current;
  const key = keyFieldOf(member);
  return (response ?? null) !== null || isOptimistic || !isFields(current) || key === undefined
    ? response
    : { ...sentFields(member, sent), [key]: current[key] };
}
