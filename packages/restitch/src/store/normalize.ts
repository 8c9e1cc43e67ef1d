import { SchemaError } from '../errors/SchemaError.js';
import type { ListArgs } from '../schema/Collection.js';
import { Entity, setField } from '../schema/Entity.js';
import type {
  AddShape,
  CollectionShape,
  EntityShape,
  InvalidateShape,
  Shape,
} from '../schema/shape.js';
import { listArgs, pkText } from './keys.js';
import { copyFields, isPlain } from './record.js';
import type { Fields, Members } from './state.js';

/** What one answer says, taken apart: nothing of it is in the store yet. */
export interface Normalized {
  /** The answer with every record replaced by its key. */
  root: unknown;
  /** Rows in the order of the answer; `fields` is null where it says that the row is deleted. */
  readonly rows: {
    readonly shape: EntityShape;
    readonly pk: string;
    readonly fields: Fields | null;
  }[];
  /** Whole lists. */
  readonly lists: {
    readonly shape: CollectionShape;
    readonly args: ListArgs;
    readonly members: Members;
  }[];
  /** Members that enter every list that matches. */
  readonly adds: {
    readonly shape: AddShape;
    readonly pk: string;
    readonly fields: Fields;
    /** The arguments of the call, which may say more about the row than its fields. */
    readonly args: readonly unknown[];
    readonly temporary: boolean;
  }[];
}

/** Where an answer comes from and how it may be treated. */
export interface NormalizeOptions {
  /** Names the endpoint or call in error messages. */
  readonly source: string;
  readonly args: readonly unknown[];
  /** Gives a primary key to a created row that has none yet; without it such a row is an error. */
  readonly temporaryPk?: (position: number) => string;
  /** The value belongs to somebody else: nested plain values are copied. */
  readonly copy: boolean;
}

interface Context {
  readonly options: NormalizeOptions;
  readonly out: Normalized;
  /** Rows whose relations still have to be visited: what lies deeper than the call stack should go. */
  readonly deferred: (() => void)[];
  depth: number;
}

/** The row in which the walk is: nested lists belong to it. */
interface Owner {
  readonly shape: EntityShape;
  readonly pk: string;
}

/** Deeper than this, relations are visited from a queue, so that no response can overflow the stack. */
const DEPTH_LIMIT = 200;

/** Takes an answer apart. Calls the classes' `process`, `pk` and `validate`; throws `SchemaError` and changes nothing. */
export function normalize(shape: Shape, input: unknown, options: NormalizeOptions): Normalized {
  const out: Normalized = { root: undefined, rows: [], lists: [], adds: [] };
  const context: Context = { options, out, deferred: [], depth: 0 };
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
    case 'add':
      return Array.isArray(input)
        ? input.map((item) => visitCreated(context, shape, item))
        : visitCreated(context, shape, input);
    case 'invalidate':
      return visitDeleted(context, shape, input);
  }
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
    raw = { '@owner': `${owner.shape.key} ${owner.pk} ${key}` };
  }
  const args = listArgs(raw);
  const items = members(context, shape.member, input, key, owner);
  context.out.lists.push({ shape, args, members: [...new Set(items)] });
  return args;
}

function visitCreated(context: Context, shape: AddShape, input: unknown): unknown {
  const member = shape.list.member;
  if (member.kind !== 'entity') {
    return input;
  }
  const before = context.out.rows.length;
  const pk = visitRow(context, member, input, undefined, undefined, true);
  const row = context.out.rows[before];
  if (typeof pk === 'string' && row?.fields) {
    const temporary = pk === context.options.temporaryPk?.(context.out.adds.length);
    context.out.adds.push({ shape, pk, fields: row.fields, args: context.options.args, temporary });
  }
  return pk;
}

function visitDeleted(context: Context, { entity }: InvalidateShape, input: unknown): unknown {
  const pk = isObject(input) ? rowPk(context, entity, input, undefined, undefined) : pkText(input);
  if (pk === undefined) {
    throw missingPk(context, entity, input);
  }
  context.out.rows.push({ shape: entity, pk, fields: null });
  return pk;
}

function visitRow(
  context: Context,
  shape: EntityShape,
  input: unknown,
  parent: unknown,
  key: string | undefined,
  created: boolean,
): unknown {
  if (!isObject(input)) {
    // Inside an answer a record may stand as its primary key; a whole answer is never just a key.
    const reference = parent === undefined ? undefined : pkText(input);
    if (reference === undefined) {
      throw wrongShape(context, `a record of ${shape.key}`, input, key);
    }
    return reference;
  }
  const processed = shape.custom.process
    ? shape.entity.process(input, parent, key, context.options.args)
    : input;
  if (processed === undefined) {
    return visitDeleted(context, { kind: 'invalidate', entity: shape }, input);
  }
  if (!isObject(processed)) {
    throw wrongShape(context, `an object from ${shape.key}.process`, processed, key);
  }
  let pk = rowPk(context, shape, processed, parent, key);
  let temporary: string | undefined;
  if (pk === undefined) {
    if (parent !== undefined && processed instanceof Entity) {
      // A field's default instance, handed back by a local write: no record.
      return undefined;
    }
    temporary = created ? context.options.temporaryPk?.(context.out.adds.length) : undefined;
    pk = temporary;
  }
  if (pk === undefined) {
    throw missingPk(context, shape, processed);
  }
  const problem = shape.custom.validate ? shape.entity.validate(processed) : undefined;
  if (problem !== undefined) {
    throw new SchemaError(
      'validation-failed',
      `${context.options.source}: ${shape.key} '${pk}' was refused by ${shape.key}.validate: ${problem}`,
    );
  }
  const fields = context.options.copy ? copyDeep(processed) : copyFields(processed);
  if (temporary !== undefined && !shape.custom.pk) {
    fields['id'] = temporary;
  }
  context.out.rows.push({ shape, pk, fields });
  if (shape.relations.size > 0) {
    const owner = { shape, pk };
    if (context.depth < DEPTH_LIMIT) {
      context.depth += 1;
      visitRelations(context, owner, processed, fields);
      context.depth -= 1;
    } else {
      context.deferred.push(() => visitRelations(context, owner, processed, fields));
    }
  }
  return pk;
}

function visitRelations(
  context: Context,
  owner: Owner,
  processed: Record<string, unknown>,
  fields: Record<string, unknown>,
): void {
  for (const [field, part] of owner.shape.relations) {
    const raw = Object.hasOwn(processed, field) ? processed[field] : undefined;
    if (raw !== null && raw !== undefined) {
      const reference = visit(context, part, raw, processed, field, owner);
      if (reference === undefined) {
        delete fields[field];
      } else {
        setField(fields, field, reference);
      }
    }
  }
}

function rowPk(
  context: Context,
  shape: EntityShape,
  record: Record<string, unknown>,
  parent: unknown,
  key: string | undefined,
): string | undefined {
  if (!shape.custom.pk) {
    return pkText(record['id']);
  }
  const instance = record instanceof shape.entity ? record : instanceOf(shape, record);
  return pkText(instance.pk(parent, key, context.options.args));
}

/** An instance of a class with the given fields over its defaults. */
export function instanceOf(shape: EntityShape, fields: Fields): Entity {
  const instance = new shape.entity();
  for (const key of Object.keys(fields)) {
    setField(instance, key, fields[key]);
  }
  return instance;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Copies plain objects and arrays all the way down; anything else is kept as it is. */
function copyDeep(source: object): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(source)) {
    setField(copy, key, copyValue(value));
  }
  return copy;
}

function copyValue(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(copyValue);
  }
  return isPlain(value) ? copyDeep(value) : value;
}

function wrongShape(
  context: Context,
  expected: string,
  input: unknown,
  key: string | undefined,
): SchemaError {
  const place = key === undefined ? 'The response' : `\`${key}\``;
  return new SchemaError(
    'unexpected-shape',
    `${context.options.source}: ${place} should be ${expected}, but it is ${sample(input)}. ` +
      'Check the `schema` of the endpoint, or reshape the response in `process`.',
  );
}

function missingPk(context: Context, shape: EntityShape, record: unknown): SchemaError {
  return new SchemaError(
    'missing-primary-key',
    `${context.options.source}: a record of ${shape.key} has no primary key: ${sample(record)}. ` +
      `Override \`pk()\` of ${shape.key}, or add the key in \`process\`.`,
  );
}

/** The start of a value, as it goes into a message. */
function sample(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // A value that JSON cannot hold is described by its type.
  }
  text ??= Object.prototype.toString.call(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
