import { isDevelopment } from '../../errors/development.js';
import { isObject, own } from '../../schema/same.js';
import type { EditShape } from '../../schema/shapes.js';
import { mapOf } from '../views/walkReferences.js';
import type { Context } from './Normalized.js';
import { visitRow } from './normalizeRow.js';
import { wrongShape } from './normalizeErrors.js';
import { withSent } from './withSentFields.js';

export function visitEdit(
  context: Context,
  shape: EditShape,
  input: unknown,
  key: string | undefined,
): unknown {
  const { args, isOnePerBody, sent: sentValues } = context.options;
  const sent: unknown = args.at(-1);
  const edited = (item: unknown, body: unknown, name?: string): unknown =>
    visitEdited(context, shape, withSent(args, shape, item, body, sentValues), key, name);
  const map = mapOf(shape);
  if (map) {
    return map.assigned(context, input, key, (value, name) =>
      edited(value, own(Object(sent), name), name),
    );
  }
  const bodies = Array.isArray(sent) ? sent : undefined;
  if (!Array.isArray(input)) {
    // Cost: an array of bodies has no fields, and would be searched for each record.
    return edited(input, bodies ? undefined : sent);
  }
  if (isOnePerBody && !bodies) {
    const expected = isDevelopment ? 'one record' : '';
    throw wrongShape(context, expected, input, undefined, shape.list.member);
  }
  return input.map((item, index) => edited(item, bodies?.[index]));
}

/** Only a created record can lack a primary key. `key` is the key in a map. */
function visitEdited(
  context: Context,
  shape: EditShape,
  input: unknown,
  field: string | undefined,
  key?: string,
): unknown {
  const { out } = context;
  const { rows, edits } = out;
  const { member } = shape.list;
  const position = rows.length;
  const { action } = shape.edit;
  // A response can move more or fewer records than predicted, so each field is counted apart. The
  // items of a map can be in another order.
  const group = `${shape.list.key} ${action} ${field}`;
  const count = context.editCounts.get(group) ?? 0;
  context.editCounts.set(group, count + 1);
  context.responsePlace = `${group} ${key ?? count}`;
  const isCreated = /push|unshift|assign/.test(action);
  const reference =
    member.kind === 'entity'
      ? visitRow(context, member, input, undefined, key, isCreated)
      : member.normalize(context, input, undefined, key, isCreated);
  out.isIncomplete ||= isObject(reference);
  const created = rows[position];
  if (typeof reference === 'string' && created?.fields) {
    const { shape: row, pk, fields } = created;
    const temporary = pk === context.temporary;
    const { responsePlace } = context;
    const { args } = context.options;
    edits.push({
      shape,
      row,
      pk,
      reference,
      fields,
      args,
      isCreated,
      temporary,
      key,
      group,
      responsePlace,
    });
  }
  return reference;
}
