import { setField } from '../../schema/fields.js';
import type { Previous, Reader } from '../../schema/KindMethods.js';
import { Lookup } from '../../schema/Lookup.js';
import type { EntityShape, ObjectShape, Shape, UnionShape } from '../../schema/shapes.js';
import { withPageFields } from '../lists/pageFields.js';
import { mapOf, rowOf } from './references.js';
import { freeze } from '../cells/freeze.js';
import { goneSince } from './goneRows.js';
import { isKey } from '../../schema/references.js';
import { isListing } from '../lists/members.js';
import { Envelope } from './Envelope.js';
import { dirtyLinks, nodeAt, nodeList, NO_LINKS } from './nodes.js';
import { copyFields, equal, own } from '../cells/plainValues.js';
import { isPlain, sameItems, sameShown } from '../../schema/same.js';
import { reading } from '../normalize/refusals.js';
import type { CellNode, Links, Node, Root } from './Node.js';

export const NOTHING: Previous = { value: undefined, source: undefined };

/** The nodes from which `denormalize` takes the next contained value. */
export class Cursor implements Reader {
  readonly links: Links;
  next: number;
  /** The list in the last object, and how many objects further in that list is. */
  inner: { readonly list: CellNode; readonly level: number } | undefined;
  readonly args: readonly unknown[] | undefined;

  constructor(links: Links, next = 0, args?: readonly unknown[]) {
    this.links = links;
    this.next = next;
    this.inner = undefined;
    this.args = args;
  }

  takeNode(): CellNode | undefined {
    const child = nodeAt(this.links, this.next);
    this.next += 1;
    return child;
  }

  take(): unknown {
    return this.takeNode()?.value;
  }

  read(shape: Shape, value: unknown, was: Previous): unknown {
    return denormalize(shape, value, this, was);
  }

  keep(before: unknown, next: object): unknown {
    return equal(before, next) ? before : freeze(next);
  }

  before(was: Previous, field: string): Previous {
    return fieldOf(was, field);
  }
}

/** The array of a list node. Its rows have their instances already. An equal array stays the same object. */
export function denormalizeList(node: CellNode): unknown {
  const { cell, shape, links, value: before } = node;
  if (shape.kind === 'entity' || !isListing(cell.shown)) {
    return undefined;
  }
  const { members, keys } = cell.shown;
  const mapped = shape.kind === 'collection' ? shape.map : undefined;
  const cursor = new Cursor(links);
  if (keys) {
    const map = Object.fromEntries(keys.map((key, index) => [key, members[index]]));
    return mapped?.denormalize(map, cursor, { value: before, source: undefined });
  }
  const was = { value: before, source: undefined };
  return (
    patchItems(node, cell.shown, members) ??
    (shape.member.kind === 'entity' && members.every(isKey)
      ? keepItems(before, presentIn(nodeList(links)))
      : fillItems(shape.member, members, cursor, was))
  );
}

/** The rows of nodes without those that are missing or deleted. */
function presentIn(nodes: readonly Node[]): readonly unknown[] {
  const values = nodes.map(({ value }) => value);
  return values.includes(undefined) ? values.filter((value) => value !== undefined) : values;
}

/**
 * An optimization for the usual change of a long list: a few rows changed, none was added or removed. Only their slots are replaced.
 * Undefined for any other change. `now` is the source of the items.
 */
function patchItems(node: Node, now: unknown, items: readonly unknown[]): unknown {
  const { source, value: before } = node;
  const links = nodeList(node.links);
  const dirty = source === now ? dirtyLinks(node) : NO_LINKS;
  // Every item has a slot: none is null, missing or a plain value.
  const isAligned =
    Array.isArray(before) && before.length === links.length && items.length === links.length;
  if (dirty.length === 0 || dirty.length > 8 || !isAligned) {
    return undefined;
  }
  let next: unknown[] | undefined;
  for (const child of dirty) {
    // Links of a list are the nodes of cells; `indexOf` only compares.
    const slot = links.indexOf(child as CellNode);
    if (slot < 0 || child.value === undefined) {
      return undefined;
    }
    if (before[slot] !== child.value) {
      next ??= [...before];
      next[slot] = child.value;
    }
  }
  return next ? freeze(next) : before;
}

/** The value of a root. */
export function denormalizeRoot(root: Root, normalized: unknown): unknown {
  const { shape, links, args, value, source } = root;
  const isRows = shape.kind === 'array' && shape.member.kind === 'entity';
  return (
    (isRows && Array.isArray(normalized) && patchItems(root, normalized, normalized)) ||
    denormalize(shape, normalized, new Cursor(links, 0, args), { value, source })
  );
}

/** The deserialized form of a raw value without records. */
export function deserialize(shape: Shape, raw: unknown, was: Previous = NOTHING): unknown {
  return denormalize(shape, raw, new Cursor(NO_LINKS), was);
}

/** The denormalized form of a value. Contained nodes come from the cursor, in the order of `collect`. */
export function denormalize(shape: Shape, value: unknown, cursor: Cursor, was: Previous): unknown {
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
        return cursor.take();
      }
      return value instanceof Lookup
        ? value.choose(() => cursor.take())
        : fillRow(shape, value, cursor, was);
    case 'object':
      return value instanceof Envelope
        ? fillEnvelope(shape, value, cursor, was)
        : fillObject(shape, value, cursor, was);
    case 'array':
    case 'collection':
      if (Array.isArray(value)) {
        return fillItems(shape.member, value, cursor, was);
      }
      return shape.kind === 'array' ? value : cursor.take();
    case 'edit':
      return Array.isArray(value)
        ? fillItems(shape.list.member, value, cursor, was)
        : denormalize(mapOf(shape) ?? shape.list.member, value, cursor, was);
    case 'invalidate':
      return denormalize(shape.member, value, cursor, NOTHING);
    default:
      return shape.denormalize(value, cursor, was);
  }
}

/** An equal raw value gives the identical deserialized one. */
function fillRaw(read: (raw: unknown) => unknown, raw: unknown, was: Previous): unknown {
  if (was.value !== undefined && equal(was.source, raw)) {
    return was.value;
  }
  // A local write can contain deserialized values.
  const isDeserialized = typeof raw === 'object' && !Array.isArray(raw) && !isPlain(raw);
  return isDeserialized ? raw : read(raw);
}

/** The row of a reference. A whole record that another class stored stands for itself if there is no such row. */
function fillRow(
  shape: EntityShape | UnionShape,
  value: unknown,
  cursor: Cursor,
  was: Previous,
): unknown {
  const row = rowOf(shape, value);
  if (!row) {
    return value;
  }
  const child = row.pk === undefined ? undefined : cursor.takeNode();
  if (!isPlain(value) || child?.value !== undefined || (child && goneSince(child) > 0)) {
    return child?.value;
  }
  return detached(row.shape, value, was.value, 0);
}

/** Whole records of another class are instances down to this depth. */
const DETACHED_DEPTH = 100;

/** An instance of a record that is no row of the store. */
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
  for (const [field, part] of shape.readers) {
    if (Object.hasOwn(fields, field)) {
      setField(instance, field, deserialize(part, fields[field]));
    }
  }
  for (const [field, part] of shape.relations) {
    const raw = own(fields, field);
    const row = part.kind === 'entity' || part.kind === 'union' ? rowOf(part, raw) : undefined;
    const isHere = row !== undefined && isPlain(raw) && depth < DETACHED_DEPTH;
    setField(
      instance,
      field,
      isHere ? detached(row.shape, raw, undefined, depth + 1) : shape.defaults()[field],
    );
  }
  return sameShown(before, instance) ? before : freeze(instance);
}

/** The previous value of one field. */
export function fieldOf({ value, source }: Previous, field: string): Previous {
  return isInstance(value)
    ? { value: own(value, field), source: isInstance(source) ? own(source, field) : undefined }
    : NOTHING;
}

function isInstance(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The previous array if it holds the identical items, else the new one. */
export function keepItems(before: unknown, next: readonly unknown[]): unknown {
  return Array.isArray(before) && sameItems(before, next) ? before : freeze(next);
}

function fillItems(
  member: Shape,
  items: readonly unknown[],
  cursor: Cursor,
  { value: before, source }: Previous,
): unknown {
  const next: unknown[] = [];
  // If members were left out, positions don't correspond.
  const isAligned =
    Array.isArray(before) && Array.isArray(source) && before.length === source.length;
  for (const item of items) {
    const at = next.length;
    const was = Array.isArray(before)
      ? { value: before[at], source: isAligned ? source[at] : undefined }
      : NOTHING;
    const value = denormalize(member, item, cursor, was);
    // Missing and deleted members are left out; null is a member.
    if (value !== undefined) {
      next.push(value);
    }
  }
  return keepItems(before, next);
}

/** The list in an inner object, as seen from the outer one. */
function outer({ inner }: Cursor): Cursor['inner'] {
  return inner && { ...inner, level: inner.level + 1 };
}

function fillObject(
  { fields }: ObjectShape,
  value: unknown,
  cursor: Cursor,
  was: Previous,
): unknown {
  cursor.inner = undefined;
  if (!isPlain(value)) {
    return value;
  }
  const next = copyFields(value);
  let inner: Cursor['inner'];
  for (const [field, part] of fields) {
    if (Object.hasOwn(next, field)) {
      const list =
        part.kind === 'collection' && isInstance(next[field])
          ? nodeAt(cursor.links, cursor.next)
          : undefined;
      setField(next, field, denormalize(part, next[field], cursor, fieldOf(was, field)));
      inner ??= list ? { list, level: 0 } : part.kind === 'object' ? outer(cursor) : undefined;
    }
  }
  cursor.inner = inner;
  return keepEqual(
    was.value,
    withPageFields(fields, next, inner?.list, inner?.level ?? 0, deserializeKept),
  );
}

function fillEnvelope(shape: ObjectShape, value: Envelope, cursor: Cursor, was: Previous): unknown {
  const filled = fillObject(shape, { ...value }, cursor, was);
  return isPlain(filled) && Object.values(filled).every((part) => part === undefined)
    ? undefined
    : filled;
}

/** Responses were checked, so a page field that can't be read is damaged state. */
function deserializeKept(shape: Shape, raw: unknown): unknown {
  try {
    return deserialize(shape, raw);
  } catch {
    return undefined;
  }
}

/** The previous object if it holds the identical values, else the new one. */
function keepEqual(before: unknown, next: Record<string, unknown>): object {
  return isPlain(before) && sameShown(before, next) ? before : freeze(next);
}
