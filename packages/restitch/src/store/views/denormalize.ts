import { isRecordShape } from '../../schema/shape.js';
import { setField } from '../../schema/setField.js';
import type { Previous, Reader } from '../../schema/KindMethods.js';
import { Lookup } from '../../schema/Lookup.js';
import type { ListArgs } from '../../schema/Collection.js';
import type {
  CollectionShape,
  EntityShape,
  ObjectShape,
  Shape,
  UnionShape,
} from '../../schema/shapes.js';
import { isTemporaryKey, storedArgs } from '../cells/keys.js';
import { listCell, rowCell } from '../cells/tables.js';
import { type ReadList, withPageFields } from '../lists/pageFields.js';
import { mapOf, rowOf, type Sink } from './walkReferences.js';
import { freeze } from '../cells/freeze.js';
import { isKey } from '../../schema/referenceText.js';
import { isListing } from '../lists/members.js';
import { copyFields, equal, own } from '../cells/plainValues.js';
import { isObject, isPlain, sameFields, sameItems } from '../../schema/same.js';
import { reading } from '../normalize/normalizeErrors.js';
import type { Cell, Stored } from '../cells/Cell.js';
import type { SelectionShape, Store } from '../cells/Store.js';
import type { CellNode } from './Node.js';

export const NOTHING: Previous = { value: undefined, source: undefined };

export abstract class NodeReader implements Reader, Sink {
  declare args: readonly unknown[] | undefined;
  /** True if a missing row was read since this member was set to false. */
  isMissing = false;
  /** The stored value of the last row or list that was read. */
  current: Stored;
  /** The list in the last object. In `{ list }`, the level is 1; in `{ page: { list } }`, 2. */
  inner: ReadList | undefined;
  declare readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  get isInRow(): boolean {
    return false;
  }

  abstract take(cell: Cell, shape: CellNode['shape']): unknown;

  row(shape: EntityShape, pk: string): unknown {
    return this.take(rowCell(this.store, shape, pk), shape);
  }

  stored(shape: EntityShape, pk: string): unknown {
    return this.copy(rowCell(this.store, shape, pk)).current;
  }

  copy(cell: Cell): Cell {
    return cell;
  }

  list(shape: CollectionShape, args: ListArgs): unknown {
    return this.take(listCell(this.store, shape, args), shape);
  }

  value(shape: Shape, value: unknown, was: Previous = NOTHING): unknown {
    return denormalize(shape, value, this, was);
  }

  keep(before: unknown, next: object): unknown {
    return equal(before, next) ? before : freeze(next);
  }

  before(was: Previous, field: string): Previous {
    return fieldOf(was, field);
  }
}

export function denormalizeList(
  shape: CollectionShape | SelectionShape,
  current: Stored,
  reader: NodeReader,
  was: Previous,
): unknown {
  if (!isListing(current)) {
    return undefined;
  }
  if (shape.kind === 'collection' && shape.map) {
    return shape.map.denormalize(shape.map.mapped(current), reader, was);
  }
  return fillItems(shape.member, current.members, reader, was);
}

export function deserialize(shape: Shape, raw: unknown, was: Previous = NOTHING): unknown {
  return denormalize(shape, raw, NO_RECORDS, was);
}

export function denormalize(
  shape: Shape,
  value: unknown,
  reader: NodeReader,
  was: Previous,
): unknown {
  if (value === null || value === undefined) {
    return value;
  }
  switch (shape.kind) {
    case 'leaf':
      return value;
    case 'deserialize':
      return fillRaw(shape.read, value, was);
    case 'entity':
    case 'union':
      if (isKey(value) && shape.kind === 'entity') {
        return reader.row(shape, value);
      }
      return value instanceof Lookup ? value.choose(reader) : fillRow(shape, value, reader, was);
    case 'object':
      return fillObject(shape, value, reader, was);
    case 'array':
    case 'collection':
    case 'edit':
      if (Array.isArray(value)) {
        return fillItems(shape.member, value, reader, was);
      }
      if (shape.kind === 'edit') {
        return denormalize(mapOf(shape) ?? shape.member, value, reader, was);
      }
      return shape.kind === 'array' ? value : reader.list(shape, storedArgs(value));
    case 'invalidate':
      return denormalize(shape.member, value, reader, NOTHING);
    default:
      return shape.denormalize(value, reader, was);
  }
}

function fillRaw(read: (raw: unknown) => unknown, raw: unknown, was: Previous): unknown {
  if (was.value !== undefined && equal(was.source, raw)) {
    return was.value;
  }
  // A local write can contain deserialized values.
  const isDeserialized = typeof raw === 'object' && !Array.isArray(raw) && !isPlain(raw);
  return isDeserialized ? raw : read(raw);
}

/**
 * A class with the same `key` that has no schema for the field stores whole records in it. If a
 * record has no row, the instance is made from the stored record.
 */
function fillRow(
  shape: EntityShape | UnionShape,
  value: unknown,
  reader: NodeReader,
  was: Previous,
): unknown {
  const row = rowOf(shape, value, reader);
  if (!row) {
    return value;
  }
  reader.isMissing = false;
  const found = row.pk === undefined ? undefined : reader.row(row.shape, row.pk);
  if (!isPlain(value) || found !== undefined || reader.isMissing) {
    return found;
  }
  return detached(row.shape, value, was.value, 0);
}

/** Deeper records are not converted, so that no record overflows the call stack. */
const DETACHED_DEPTH = 100;

function detached(
  shape: EntityShape,
  fields: Readonly<Record<string, unknown>>,
  before: unknown,
  depth: number,
): object | undefined {
  const instance = reading(shape, 'createIfValid', () => shape.entity.createIfValid(fields));
  if (!instance) {
    return undefined;
  }
  setDeserialized(shape, instance, fields, NOTHING);
  for (const [field, part] of shape.relations) {
    const raw = own(fields, field);
    const row = isRecordShape(part) ? rowOf(part, raw) : undefined;
    const isHere = row !== undefined && isPlain(raw) && depth < DETACHED_DEPTH;
    setField(
      instance,
      field,
      isHere ? detached(row.shape, raw, undefined, depth + 1) : shape.defaults()[field],
    );
  }
  return sameFields(before, instance) ? before : freeze(instance);
}

export function setDeserialized(
  { readers, defaults }: EntityShape,
  instance: object,
  fields: Readonly<Record<string, unknown>>,
  was: Previous,
): void {
  for (const [field, reader] of readers) {
    const raw = own(fields, field);
    // A deserializer may refuse a temporary key, so the field keeps its default until the server
    // sends the key.
    const isRefused = typeof raw === 'string' && isTemporaryKey(raw);
    if (Object.hasOwn(fields, field)) {
      const value = isRefused ? defaults()[field] : deserialize(reader, raw, fieldOf(was, field));
      setField(instance, field, value);
    }
  }
}

export function fieldOf({ value, source }: Previous, field: string): Previous {
  return isObject(value)
    ? { value: own(value, field), source: isObject(source) ? own(source, field) : undefined }
    : NOTHING;
}

export function keepItems(before: unknown, next: readonly unknown[]): unknown {
  return Array.isArray(before) && sameItems(before, next) ? before : freeze(next);
}

function fillItems(
  member: Shape,
  items: readonly unknown[],
  reader: NodeReader,
  { value: before, source }: Previous,
): unknown {
  const next: unknown[] = [];
  // If members were left out, the positions in both arrays do not correspond.
  const isAligned =
    Array.isArray(before) && Array.isArray(source) && before.length === source.length;
  for (const item of items) {
    const at = next.length;
    const was = Array.isArray(before)
      ? { value: before[at], source: isAligned ? source[at] : undefined }
      : NOTHING;
    const value = denormalize(member, item, reader, was);
    // Missing and deleted members are left out, but null is a member.
    if (value !== undefined) {
      next.push(value);
    }
  }
  return keepItems(before, next);
}

function fillObject(
  { fields }: ObjectShape,
  value: unknown,
  reader: NodeReader,
  was: Previous,
): unknown {
  reader.inner = undefined;
  const isEnvelope = value instanceof Envelope;
  if (!isEnvelope && !isPlain(value)) {
    return value;
  }
  const next = copyFields(value);
  let inner: NodeReader['inner'];
  for (const [field, part] of fields) {
    if (Object.hasOwn(next, field)) {
      const shape = part.kind === 'collection' && isPlain(next[field]) ? part : undefined;
      setField(next, field, denormalize(part, next[field], reader, fieldOf(was, field)));
      if (shape) {
        inner ??= { shape, list: reader.current, level: 0 };
      } else if (part.kind === 'object') {
        inner ??= reader.inner;
      }
    }
  }
  reader.inner = inner && { ...inner, level: inner.level + 1 };
  if (isEnvelope && Object.values(next).every((part) => part === undefined)) {
    return undefined;
  }
  const { value: before } = was;
  const filled = inner
    ? withPageFields(fields, next, inner, reader.isInRow, deserializeKept)
    : next;
  return isPlain(before) && sameFields(before, filled) ? before : freeze(filled);
}

/** Only damaged hydrated state contains an unreadable page field. */
function deserializeKept(shape: Shape, raw: unknown): unknown {
  try {
    return deserialize(shape, raw);
  } catch {
    return undefined;
  }
}

class ValueReader extends NodeReader {
  override row(): undefined {}
  override list(): undefined {}
  take(): undefined {}
}

const NO_RECORDS = new ValueReader({} as Store);

/** A reference in an object with one field: `{ data: '5' }` for the schema `{ data: User }`. */
export class Envelope {
  constructor(field: string, reference: unknown) {
    setField(this, field, reference);
  }
}
