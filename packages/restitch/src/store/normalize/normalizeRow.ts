import { isDevelopment } from '../../errors/development.js';
import { isEntity, pkOfArgs } from '../../schema/Entity.js';
import { entitiesOf } from '../../schema/shape.js';
import type { EntityShape, Shape, UnionShape } from '../../schema/shapes.js';
import { deserialize } from '../views/denormalize.js';
import { entryOf } from '../../host/entryOf.js';
import { pkText, rowRef } from '../../schema/referenceText.js';
import {
  emptyResponse,
  type Context,
  type Met,
  type NormalizedRow,
  type Owner,
  type SharedKey,
} from './Normalized.js';
import { toRaw, withoutDefaults } from '../views/rawValues.js';
import { createdPk, withKey } from './createdKeys.js';
import { changedLists } from './nestedLists.js';
import { rowPk } from './rowKeys.js';
import { setField } from '../../schema/setField.js';
import { validateRow } from './validateRow.js';
import { copyDeep, copyFields, equal, isObject, own } from '../cells/plainValues.js';
import { guarded, isJsonText, missingPk, wrongShape } from './normalizeErrors.js';
import type { Fields } from '../cells/Cell.js';

/** Deeper relations are visited from a queue, so that no response overflows the call stack. */
const DEPTH_LIMIT = 200;

/**
 * Optimization: user callbacks run elsewhere, because a closure here would allocate on each call.
 */
export function visitRow(
  context: Context,
  shape: EntityShape,
  input: unknown,
  parent: unknown,
  key: string | undefined,
  created: boolean,
): unknown {
  if (!isObject(input)) {
    // A key can stand for a nested record, but not for a whole response.
    const isKey = parent !== undefined && !isJsonText(input);
    const reference = isKey ? pkText(input) : undefined;
    if (reference === undefined) {
      throw wrongShape(context, isDevelopment ? `a record of ${shape.name}` : '', input, key);
    }
    return reference;
  }
  const processed = shape.custom.process ? processRow(context, shape, input, parent, key) : input;
  if (processed === undefined) {
    // If `process` returns undefined, the record is deleted, or skipped if it has no key.
    const isNamed = rowPk(context, shape, input, parent, key) !== undefined;
    return isNamed ? visitDeleted(context, shape, input) : undefined;
  }
  if (!isObject(processed)) {
    throw wrongShape(
      context,
      isDevelopment ? `an object from ${shape.name}.process` : '',
      processed,
      key,
    );
  }
  const { temporaryPk } = context.options;
  const pk =
    created && temporaryPk
      ? createdPk(context, shape, processed, parent, key, temporaryPk)
      : rowPk(context, shape, processed, parent, key);
  if (pk === undefined) {
    // An instance without a key is the default of a field, such as `author = new User()`. A record
    // in an optimistic response may have no key yet.
    const isKeyless = temporaryPk !== undefined && context.isNested;
    if (parent && (isKeyless || isEntity(processed))) {
      context.out.isIncomplete ||= isKeyless;
      return undefined;
    }
    throw missingPk(context, shape, input);
  }
  return (parent !== undefined && isReference(context, shape, input, pk)) ||
    context.options.keeps?.(shape, pk, processed, input)
    ? pk
    : visitRecord(context, shape, input, processed, pk, parent !== undefined);
}

function visitRecord(
  context: Context,
  shape: EntityShape,
  input: object,
  processed: Record<string, unknown>,
  pk: string,
  hasParent: boolean,
): string {
  const { copy, instancesOf, readOf } = context.options;
  const { related, deserializes } = context.sharedKeys.get(shape) ?? noteSharedKey(context, shape);
  if (copy && context.isNested && related.length > 0) {
    context.seen.set(input, pk);
  }
  const raw =
    copy && (shape.readers.size > 0 || (instancesOf && deserializes))
      ? toRaw(processed, [input, ...(instancesOf?.(shape, pk) ?? [])])
      : processed;
  // A closure here would be slow, because its context would be allocated on each call.
  const record = readOf ? withoutDefaults(raw, processed, shape, pk, context.options) : raw;
  if (shape.readers.size > 0) {
    checkReaders(context, shape, record, pk);
  }
  if (shape.custom.validate) {
    validateRow(context, shape, record, pk);
  }
  // Optimization: a record that is repeated inside other records is added once. A record at the top
  // is always added: `visitEdited` reads it at its place in `rows`.
  const isInside = context.isNested && hasParent;
  const isShared = isInside && related.length === 0 && !shape.custom.merge;
  const met = isShared ? context.met.get(shape.table)?.get(pk) : undefined;
  if (met && isRepeated(met, record)) {
    return met.pk;
  }
  const named = pk === context.temporary ? withKey(shape, record, pk) : record;
  // The program may own nested values, even those that `process` inserts.
  const isForeign = copy || shape.custom.process;
  const fields = isForeign ? copyDeep(named, shape.relations) : copyFields(named);
  const row = addRow(context, shape, pk, fields);
  if (isShared) {
    const others = entryOf(context.met, shape.table, () => new Map<string, Met>());
    others.set(pk, { pk, keys: Object.keys(fields), values: Object.values(fields) });
  }
  if (related.length > 0) {
    if (context.depth < DEPTH_LIMIT) {
      visitRelations(context, related, row, named, fields);
    } else {
      // Optimization: bound rather than a closure, whose context would be allocated on each call.
      context.deferred.push(visitRelations.bind(undefined, context, related, row, named, fields));
    }
  }
  return pk;
}

/** Removes an earlier copy from `met`, because it is outdated. */
function addRow(
  { out, met, isNested }: Context,
  shape: EntityShape,
  pk: string,
  fields: Fields | null,
): NormalizedRow {
  const row: NormalizedRow = { shape, pk, fields, isNested };
  out.rows.push(row);
  out.hasMerge ||= shape.custom.merge;
  met.get(shape.table)?.delete(pk);
  return row;
}

function isRepeated({ keys, values }: Met, record: Fields): boolean {
  let index = 0;
  for (const key in record) {
    if (keys[index] !== key || !equal(values[index], record[key])) {
      return false;
    }
    index += 1;
  }
  return index === keys.length;
}

function processRow(
  context: Context,
  { entity, name }: EntityShape,
  input: Record<string, unknown>,
  parent: unknown,
  field: string | undefined,
): unknown {
  return guarded(context, 'process-failed', `${name}.process`, input, () =>
    entity.process(input, parent, field, context.options.args),
  );
}

/** True for an instance that the store built for the row, or an object that was already visited. */
function isReference(
  { options, seen }: Context,
  shape: EntityShape,
  input: object,
  pk: string,
): boolean {
  return (
    (isEntity(input) && [...(options.instancesOf?.(shape, pk) ?? [])].includes(input)) ||
    (options.copy && seen.size > 0 && seen.get(input) === pk)
  );
}

function checkReaders(
  context: Context,
  shape: EntityShape,
  record: Record<string, unknown>,
  pk: string,
): void {
  for (const [field, reader] of shape.readers) {
    const raw = own(record, field);
    checkReader(
      context,
      reader,
      raw,
      isDevelopment
        ? `the deserializer of \`${field}\` of ${shape.name} '${pk}'`
        : `${shape.name}.${field} ${pk}`,
    );
  }
}

export function checkReader(context: Context, reader: Shape, raw: unknown, what: string): void {
  guarded(context, 'deserialize-failed', what, raw, () => deserialize(reader, raw));
}

function noteSharedKey({ options, sharedKeys }: Context, shape: EntityShape): SharedKey {
  const shapes = options.sharing?.(shape) ?? [];
  const related = [...shape.related];
  // Optimization: most classes share no key.
  for (const other of shapes.length > 1 ? shapes : []) {
    for (const [field, part] of other.related) {
      if (!(field in shape.defaults()) && !related.some(([known]) => known === field)) {
        related.push([field, part]);
      }
    }
  }
  const shared = { related, deserializes: shapes.some(({ readers }) => readers.size > 0) };
  sharedKeys.set(shape, shared);
  return shared;
}

/** A value that cannot be read is left out, or stays raw if only another class declares it. */
function visitRelations(
  context: Context,
  related: EntityShape['related'],
  row: NormalizedRow,
  record: Record<string, unknown>,
  fields: Record<string, unknown>,
): void {
  const { shape, pk } = row;
  const { isNested } = context;
  context.isNested = true;
  for (const [field, part] of related) {
    const raw = own(record, field);
    if (raw !== undefined) {
      const owner: Owner | undefined = part.kind === 'entity' ? undefined : { row, record, field };
      const isOwn = shape.relations.has(field);
      const isSure = isOwn && !context.options.sent?.has(raw);
      const reference =
        isSure || isReadable(context, part, raw, record, field, owner)
          ? context.visit(context, part, raw, record, field, owner)
          : isOwn
            ? leaveOut(context, shape, pk)
            : fields[field];
      if (reference === undefined) {
        delete fields[field];
      } else {
        // `fields` has the field as an own value, so not even `__proto__` runs a setter here.
        fields[field] = reference;
      }
    } else if (part.kind === 'collection' || part.kind === 'object') {
      const changed = changedLists(context, part, { row, record, field });
      if (changed) {
        setField(fields, field, changed);
        row.isUnsure = true;
        context.out.isIncomplete ||= context.options.isWrite === true;
      }
    }
  }
  context.isNested = isNested;
}

/**
 * A body can contain new records without keys, or values in a form that only the server knows. The
 * request has succeeded, so such a value is no error. It is visited without effects at first.
 */
function isReadable(
  context: Context,
  part: Shape,
  raw: unknown,
  record: Record<string, unknown>,
  field: string,
  owner: Owner | undefined,
): boolean {
  const trial = { ...context, out: emptyResponse(), met: new Map(), seen: new Map(), deferred: [] };
  try {
    context.visit(trial, part, raw, record, field, owner && { ...owner });
    return true;
  } catch {
    return false;
  }
}

function leaveOut({ out }: Context, shape: EntityShape, pk: string): undefined {
  const row = out.rows.findLast((one) => one.shape === shape && one.pk === pk);
  if (row) {
    row.isUnsure = true;
  }
}

/** If the response does not determine a class of the union, see `UnionShape.keepUnsure`. */
export function visitDeleted(
  context: Context,
  member: EntityShape | UnionShape,
  input: unknown,
): unknown {
  const { args } = context.options;
  let reference: string | undefined;
  const record = isObject(input) ? input : undefined;
  let nameless: EntityShape | undefined;
  const named: NormalizedRow[] = [];
  for (const { entity, path } of entitiesOf(member, record, args)) {
    // Without a record or key in the response, the arguments name the record.
    const pk =
      (record ? rowPk(context, entity, record) : pkText(input)) ??
      pkText(pkOfArgs(entity.entity, args));
    // The key can be a field of some classes only.
    if (pk !== undefined) {
      named.push(addRow(context, entity, pk, null));
      reference ??= rowRef(path, pk);
    } else {
      nameless ??= entity;
    }
  }
  if (nameless && reference === undefined) {
    throw missingPk(context, nameless, input);
  }
  if (member.kind === 'union' && member.keepUnsure(named, context.options)) {
    context.out.needsRows = true;
  }
  return reference;
}
