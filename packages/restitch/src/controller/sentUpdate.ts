import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { isPlain } from '../schema/same.js';
import type { Shape } from '../schema/shapes.js';
import { keyFieldOf } from '../store/normalize/rowKeys.js';
import { sentFields } from '../store/normalize/withSentFields.js';
import type { NormalizedResponse } from '../store/normalize/Normalized.js';
import { entityPk, findCell, isPresent } from '../store/views/queries.js';
import type { Store } from '../store/cells/Store.js';

/**
 * Returns the response to a PUT or PATCH with the fields that were sent and that it leaves out: the
 * server confirmed them. An empty response confirms all of them, unless an optimistic update shows
 * them already.
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
  const pk = entityPk(member, args);
  const key = keyFieldOf(member);
  // A record moves between lists only if it is in the store.
  const isKnown = isPresent(findCell(store, member, pk)) || member === shape;
  return (response ?? null) !== null || isOptimistic || !isKnown || key === undefined
    ? response
    : { ...sentFields(member, sent), [key]: pk };
}

/**
 * Marks the row of an empty response as fields that apply only to a known row. Its key is left out:
 * the arguments of a call can spell a key in another way than the server.
 */
export function needRows({ rows, ...normalized }: NormalizedResponse): NormalizedResponse {
  const withoutKeys = rows.map((row) => {
    const { [keyFieldOf(row.shape) ?? '']: _, ...fields } = row.fields ?? {};
    return row.isNested ? row : { ...row, fields };
  });
  return { ...normalized, rows: withoutKeys, needsRows: true };
}
