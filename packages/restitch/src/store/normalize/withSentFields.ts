import { fieldsOf, valueLike } from '../../schema/form.js';
import { isPlain } from '../../schema/same.js';
import type { EditShape } from '../../schema/shapes.js';
import type { Context } from './Normalized.js';

/**
 * A created record with the declared fields that were sent and the response left out, as where only a key is answered: those of the
 * body, and those that the parameters of the call say, whose `id` is that of another record.
 */
export function withSent(
  { options: { args } }: Context,
  { list: { member }, edit: { action } }: EditShape,
  input: unknown,
  sent: unknown,
): unknown {
  const isCreated = action === 'push' || action === 'unshift';
  if (!isCreated || member.kind !== 'entity' || !isPlain(input)) {
    return input;
  }
  const declared = member.defaults();
  const fields: Record<string, unknown> = {};
  const said = { ...Object(args.length > 1 && args[0]), id: undefined, ...Object(fieldsOf(sent)) };
  for (const [field, value] of Object.entries<unknown>(said)) {
    // In a path or a form every value is a text.
    const kept = typeof value === 'string' ? valueLike(value, declared[field]) : value;
    if (kept !== undefined && Object.hasOwn(declared, field)) {
      fields[field] = kept;
    }
  }
  return { ...fields, ...input };
}
