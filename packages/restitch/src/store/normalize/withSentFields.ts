import { fieldOfParam } from '../../schema/fieldOfParam.js';
import { fieldsLike, fieldsOf } from '../../schema/formFields.js';
import { fieldsWhere, isObject, isPlain } from '../../schema/same.js';
import { setField } from '../../schema/setField.js';
import type { Stored } from '../cells/Cell.js';
import { noteReceived } from './receivedParts.js';
import type { EditShape, EntityShape, Selected, UnionShape } from '../../schema/shapes.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/**
 * Adds sent fields, except the parameter `id`: in `/posts/:id/comments`, it is the key of the post.
 * The values of the body are added to `values`.
 */
export function withSent(
  args: readonly unknown[],
  { list, edit: { action } }: EditShape,
  input: unknown,
  sent: unknown,
  values?: Set<unknown>,
): unknown {
  if (!/push|unshift|assign/.test(action) || !isPlain(input)) {
    return input;
  }
  const { entity: member } = classOf(list.member, undefined, fieldsOf(sent), input);
  if (!member) {
    return input;
  }
  const declared = member.defaults();
  const path: Record<string, unknown> = {};
  for (const [name, value] of Object.entries<unknown>(Object(args.length > 1 && args[0]))) {
    setField(path, name, name === 'id' ? undefined : fieldOfParam(value, declared[name]));
  }
  const body = sentFields(member, sent);
  Object.values(body).forEach((value) => values?.add(value));
  const merged = { ...sentFields(member, path), ...body, ...input };
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    noteReceived(merged, input, false);
  }
  return merged;
}

/** The `entity` in the result is undefined if a union could select several classes. */
export function classOf(
  member: EntityShape | UnionShape,
  stored: Stored,
  ...parts: readonly unknown[]
): Selected {
  return member.kind === 'entity'
    ? { entity: member }
    : member.selected(Object.assign({}, stored, ...parts), isObject(stored));
}

/**
 * Converts the texts of a form or path to the types of the declared fields. A field without a
 * default, such as `declare phone?: string`, is known from `stored`, the record before. Cost: with
 * many pending edits, `stored` is slow, so it is called only for such a field.
 */
export function sentFields(
  { defaults, entity }: EntityShape,
  sent: unknown,
  stored?: () => unknown,
): Record<string, unknown> {
  const declared = defaults();
  const fields = fieldsLike(Object(fieldsOf(sent)), declared);
  return fieldsWhere(
    fields,
    (field) =>
      Object.hasOwn(declared, field) ||
      Object.hasOwn(entity.schema, field) ||
      Object.hasOwn(Object(stored?.()), field),
  );
}
