import type { EditShape } from '../../schema/shapes.js';
import type { Context } from './Normalized.js';
import { visitRow } from './normalizeRow.js';
import { withSent } from './withSentFields.js';

export function visitEdit(context: Context, shape: EditShape, input: unknown): unknown {
  const sent: unknown = context.options.args.at(-1);
  const edited = (item: unknown, body: unknown): unknown =>
    visitEdited(context, shape, withSent(context.options.args, shape, item, body));
  return Array.isArray(input)
    ? input.map((item, index) => edited(item, Array.isArray(sent) ? sent[index] : undefined))
    : edited(input, sent);
}

export function visitAssigned(
  context: Context,
  shape: EditShape,
  input: unknown,
  key: string | undefined,
): unknown {
  return shape.list.map?.entries(context, input, key, (value, field) =>
    // A null value adds no member to the map.
    (value ?? null) === null ? undefined : visitEdited(context, shape, value, field),
  );
}

/** Only a created record can lack a primary key. */
function visitEdited(context: Context, shape: EditShape, input: unknown, key?: string): unknown {
  const { rows, edits } = context.out;
  const { member } = shape.list;
  const position = rows.length;
  const { action } = shape.edit;
  const isCreated = action === 'push' || action === 'unshift' || action === 'assign';
  const reference =
    member.kind === 'entity'
      ? visitRow(context, member, input, undefined, undefined, isCreated)
      : member.normalize(context, input, undefined, undefined, isCreated);
  const created = rows[position];
  if (typeof reference === 'string' && created?.fields) {
    const { shape: row, pk, fields } = created;
    const temporary = pk === context.temporary;
    const { args } = context.options;
    edits.push({ shape, row, pk, reference, fields, args, temporary, key });
  }
  return reference;
}
