import type { CollectionShape, Shape, ValuesShape } from '../schema/shape.js';
import { setField } from '../schema/Entity.js';
import { SchemaError } from '../errors/SchemaError.js';
import type { ListArgs } from '../schema/Collection.js';
import { listArgs, listKey } from './keys.js';
import type { Context, Normalized, NormalizeOptions, Owner } from './normalized.js';
import { visitEdited, visitDeleted, visitRow, visitUnion } from './normalizeRow.js';
import { copyFields, isObject } from './record.js';
import { wrongShape } from './refusals.js';

/** Takes an answer apart. Calls the classes' `process`, `pk` and `validate`; throws `SchemaError` and changes nothing. */
export function normalize(shape: Shape, input: unknown, options: NormalizeOptions): Normalized {
  const out: Normalized = { root: undefined, rows: [], lists: [], edits: [] };
  const context: Context = { options, out, deferred: [], depth: 0, seen: new Map(), visit };
  out.root = visit(context, shape, input, undefined, undefined, undefined);
  for (let next = context.deferred.pop(); next; next = context.deferred.pop()) {
    context.depth = 0;
    next();
  }
  return out;
}

function visit(
  context: Context,
  shape: Shape,
  input: unknown,
  parent: unknown,
  key: string | undefined,
  owner: Owner | undefined,
): unknown {
  if (input === null || input === undefined) {
    return input;
  }
  switch (shape.kind) {
    case 'leaf':
    case 'deserialize':
      return input;
    case 'entity':
      return visitRow(context, shape, input, parent, key, false);
    case 'array':
      return members(context, shape.member, input, key, owner);
    case 'object': {
      if (typeof input !== 'object' || Array.isArray(input)) {
        throw wrongShape(context, 'an object', input, key);
      }
      const copy = copyFields(input);
      for (const [field, part] of shape.fields) {
        if (Object.hasOwn(copy, field)) {
          setField(copy, field, visit(context, part, copy[field], input, field, owner));
        }
      }
      return copy;
    }
    case 'collection':
      return visitList(context, shape, input, parent, key, owner);
    case 'edit':
      return Array.isArray(input)
        ? input.map((item) => visitEdited(context, shape, item))
        : visitEdited(context, shape, input);
    case 'invalidate':
      return visitDeleted(context, shape.member, input);
    case 'union':
      return visitUnion(context, shape, input, parent, key, false);
    case 'values':
      return visitValues(context, shape, input, key, owner);
  }
}

function visitValues(
  context: Context,
  { member }: ValuesShape,
  input: unknown,
  key: string | undefined,
  owner: Owner | undefined,
): unknown {
  if (!isObject(input)) {
    throw wrongShape(context, 'an object', input, key);
  }
  const copy: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(input)) {
    setField(copy, field, visit(context, member, value, input, field, owner));
  }
  return copy;
}

function members(
  context: Context,
  member: Shape,
  input: unknown,
  key: string | undefined,
  owner: Owner | undefined,
): unknown[] {
  if (!Array.isArray(input)) {
    throw wrongShape(context, 'an array', input, key);
  }
  return input.map((item) => visit(context, member, item, input, key, owner));
}

function visitList(
  context: Context,
  shape: CollectionShape,
  input: unknown,
  parent: unknown,
  key: string | undefined,
  owner: Owner | undefined,
): unknown {
  const { nestKey, argsKey } = shape.collection.options;
  let raw: unknown;
  if (owner === undefined) {
    raw = argsKey ? argsKey(...context.options.args) : context.options.args[0];
  } else if (nestKey) {
    raw = nestKey(parent, key ?? '');
  } else {
    // The same field may hold several lists, inside objects and arrays: they are told apart by their order.
    owner.lists ??= new Map();
    const position = owner.lists.get(key) ?? 0;
    owner.lists.set(key, position + 1);
    raw = { '@owner': [owner.shape.key, owner.pk, key, position] };
  }
  const args = listArgs(raw);
  if (owner === undefined) {
    refuseSecond(context, shape, args, key);
  }
  const items = members(context, shape.member, input, key, owner);
  context.out.lists.push({ shape, args, members: [...new Set(items)] });
  return args;
}

/** Two lists of one answer that have the same arguments would be one list, and show the same. */
function refuseSecond(
  { options, out }: Context,
  { key: tableKey }: CollectionShape,
  args: ListArgs,
  key: string | undefined,
): void {
  const pk = listKey(args);
  if (out.lists.some((list) => list.shape.key === tableKey && listKey(list.args) === pk)) {
    throw new SchemaError(
      'ambiguous-lists',
      `${options.source}: \`${key}\` is a second list of ${tableKey} with the arguments ${pk}. ` +
        'Give each `Collection` an `argsKey` that tells it apart.',
    );
  }
}
