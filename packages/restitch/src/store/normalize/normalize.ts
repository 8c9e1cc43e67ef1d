import { isDevelopment } from '../../errors/development.js';
import type { CollectionShape, EditShape, ObjectShape, Shape } from '../../schema/shapes.js';
import { setField } from '../../schema/setField.js';
import { SchemaError } from '../../errors/SchemaError.js';
import type { Collection, ListArgs } from '../../schema/Collection.js';
import { identityOfList, requestArgs } from '../../schema/listHomes.js';
import { identityOfPage } from '../../schema/listSchema.js';
import { listArgs, listKey, storedArgs } from '../cells/keys.js';
import type { Paging } from '../lists/Paging.js';
import { addPageFields, plainFields } from '../lists/pageFields.js';
import { emptyResponse } from './Normalized.js';
import type {
  Context,
  NormalizedResponse,
  NormalizedList,
  NormalizeOptions,
  Owner,
} from './Normalized.js';
import { nestedArgs } from './nestedLists.js';
import { visitEdit } from './normalizeEdit.js';
import { checkReader, visitDeleted, visitRow } from './normalizeRow.js';
import { distinct } from '../lists/members.js';
import { copyDeep, copyFields, isObject, own } from '../cells/plainValues.js';
import { guarded, tooDeep, wrongShape } from './normalizeErrors.js';

/** Does not change the store. Throws `SchemaError`. */
export function normalize(
  shape: Shape,
  input: unknown,
  options: NormalizeOptions,
): NormalizedResponse {
  const out = emptyResponse();
  const context: Context = {
    options,
    out,
    sharedKeys: new Map(),
    deferred: [],
    depth: 0,
    isNested: false,
    seen: new Map(),
    met: new Map(),
    responsePlace: '',
    editCounts: new Map(),
    visit,
    row: visitRow,
    guarded,
    wrongShape,
  };
  out.root = visit(context, shape, input);
  for (let next = context.deferred.pop(); next; next = context.deferred.pop()) {
    context.depth = 0;
    next();
  }
  for (const edit of out.edits) {
    if (edit.key === undefined) {
      edit.responsePlace += ` of ${context.editCounts.get(edit.group)}`;
    }
  }
  for (const list of out.lists) {
    // The cast: a bound collection has the `pagination` of its endpoint.
    const { collection } = list.shape as {
      readonly collection: Collection & { readonly $pagination?: Paging | undefined };
    };
    list.isWrite = options.isWrite;
    list.arrange = options.isWrite
      ? undefined
      : collection.$pagination?.arrangeFor(
          input,
          options.args,
          requestArgs(collection, options.args),
        );
  }
  return out;
}

/** Limits recursive schemas, so that no response overflows the call stack. */
const NESTING_LIMIT = 1_000;

function visit(
  context: Context,
  shape: Shape,
  input: unknown,
  parent?: unknown,
  key?: string,
  owner?: Owner,
): unknown {
  if (input === null || input === undefined) {
    return input;
  }
  context.depth += 1;
  if (context.depth > NESTING_LIMIT) {
    throw tooDeep(context, NESTING_LIMIT);
  }
  const value = visitPart(context, shape, input, parent, key, owner);
  context.depth -= 1;
  return value;
}

function visitPart(
  context: Context,
  shape: Shape,
  input: unknown,
  parent: unknown,
  key: string | undefined,
  owner: Owner | undefined,
): unknown {
  switch (shape.kind) {
    case 'leaf':
      return input;
    case 'deserialize':
      checkReader(
        context,
        shape,
        input,
        isDevelopment
          ? `the deserializer${key === undefined ? '' : ` of \`${key}\``}`
          : (key ?? ''),
      );
      return input;
    case 'entity':
      return visitRow(context, shape, input, parent, key, false);
    case 'array':
      return listContents(context, shape, input, parent, key, owner).members;
    case 'object':
      return visitObject(context, shape, input, key, owner);
    case 'collection':
      return visitList(context, shape, input, parent, key, owner);
    case 'edit':
      if (shape.edit.action === 'page') {
        return visitPage(context, shape, input, parent, key);
      }
      return visitEdit(context, shape, input, key);
    case 'invalidate':
      return visitDeleted(context, shape.member, input);
    case 'union':
      return shape.normalize(context, input, parent, key, false);
    default:
      return shape.normalize(context, input, parent, key, owner);
  }
}

function visitObject(
  context: Context,
  { fields }: ObjectShape,
  input: unknown,
  key: string | undefined,
  owner: Owner | undefined,
): unknown {
  if (!isObject(input)) {
    throw wrongShape(context, isDevelopment ? 'an object' : '', input, key);
  }
  const copy = context.options.copy ? copyDeep(input, fields) : copyFields(input);
  const found: NonNullable<Context['inner']>[] = [];
  for (const [field, part] of fields) {
    const raw = own(copy, field);
    if (raw !== null && raw !== undefined) {
      setField(copy, field, visit(context, part, raw, input, field, owner));
      const list = isList(part) ? context.out.lists.at(-1) : undefined;
      if (list) {
        found.push({ list, level: 0 });
      } else if (part.kind === 'object' && context.inner) {
        found.push(context.inner);
      }
    } else if (owner && context.options.isSent && isList(part)) {
      // The sent object replaces the stored one, so the list must be fetched again.
      owner.row.isUnsure = true;
    }
  }
  for (const { list, level } of found) {
    addPageFields(list, level, plainFields(fields, copy));
  }
  const [first] = found;
  context.inner = first && { ...first, level: first.level + 1 };
  return copy;
}

function isList(part: Shape): boolean {
  return part.kind === 'collection' || (part.kind === 'edit' && part.edit.action === 'page');
}

function visitList(
  context: Context,
  shape: CollectionShape,
  input: unknown,
  parent: unknown,
  key: string | undefined,
  owner: Owner | undefined,
): unknown {
  const { collection } = shape;
  const args = owner
    ? nestedArgs(context, shape, owner, key)
    : listArgs(identityOfList(collection, context.options.args));
  if (!owner) {
    refuseSecond(context, shape, args, key);
  } else if (context.options.isWrite && !shape.map && storedArgs(input) === input) {
    // An update function receives a nested list in its stored form: the arguments of the list.
    return args;
  }
  const contents = listContents(context, shape, input, parent, key, owner);
  context.out.lists.push({ shape, args, ...contents, isPage: false, row: owner?.row });
  return args;
}

/** Returns only the records of the page, not the whole list. */
function visitPage(
  context: Context,
  { list: shape, edit }: EditShape,
  input: unknown,
  parent: unknown,
  key: string | undefined,
): unknown {
  const args = listArgs(identityOfPage(edit, context.options.args));
  const contents = listContents(context, shape, input, parent, key);
  context.out.lists.push({ shape, args, ...contents, isPage: true });
  return shape.map?.mapped(contents) ?? distinct(contents.members);
}

function listContents(
  context: Context,
  { member, map }: { readonly member: Shape; readonly map?: CollectionShape['map'] },
  input: unknown,
  parent: unknown,
  key: string | undefined,
  owner?: Owner,
): Pick<NormalizedList, 'members' | 'keys' | 'isOfRows'> {
  if (map) {
    return { ...map.listed(context, input, key, owner), isOfRows: false };
  }
  if (!Array.isArray(input)) {
    throw wrongShape(context, isDevelopment ? 'an array' : '', input, key, member);
  }
  const { rows } = context.out;
  let isOfRows = member.kind === 'entity';
  const members = input.map((item) => {
    const { length } = rows;
    const reference = visit(context, member, item, parent ?? input, key, owner);
    isOfRows &&= rows.length > length;
    return reference;
  });
  return { members, keys: undefined, isOfRows };
}

/** Rejects two lists in one response with equal arguments, because they would be one list. */
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
      isDevelopment
        ? `${options.source}: \`${key}\` is a second list of ${tableKey} with the arguments ${pk}. ` +
            'Give each `Collection` an `argsKey` that distinguishes it.'
        : `${options.source}: ${key}`,
    );
  }
}
