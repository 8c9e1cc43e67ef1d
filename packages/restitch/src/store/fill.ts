import { isDevelopment } from '../errors/development.js';
import { setField } from '../schema/Entity.js';
import { entitiesOf } from '../schema/shape.js';
import type { AllShape, ArrayShape, ObjectShape, Shape } from '../schema/shape.js';
import { withBeside } from './beside.js';
import { holdsMap, unionRow } from './collect.js';
import { isFields } from './fold.js';
import { pkText } from './keys.js';
import { isListing } from './listing.js';
import { innerOf, readCustom } from './custom.js';
import { Lookup } from './lookup.js';
import { copyFields, isPlain, own, sameItems } from './record.js';
import type { CellNode, Node, Root } from './state.js';

/** Where `fill` takes the next contained value from. */
interface Cursor {
  readonly links: readonly CellNode[];
  next: number;
  /** The arguments of the question; none inside a record or list, which all who ask for it share. */
  readonly args?: readonly unknown[];
}

/**
 * A new instance of the row that a node shows, still without its relations, so that rows in a circle can point at one
 * another; undefined where there is no row to show.
 */
export function allocateRow({ cell, shape, source, value: before }: CellNode): object | undefined {
  const fields = cell.shown;
  if (shape.kind !== 'entity' || !isFields(fields)) {
    return undefined;
  }
  const { relations, readers, custom, entity } = shape;
  if (custom.validate && !custom.create && entity.validate(fields) !== undefined) {
    return undefined;
  }
  const instance = custom.create ? entity.createIfValid(fields) : new entity();
  if (!instance) {
    return undefined;
  }
  if (relations.size === 0 && readers.size === 0 && !custom.create) {
    for (const key of Object.keys(fields)) {
      setField(instance, key, fields[key]);
    }
    return freeze(instance);
  }
  for (const key of Object.keys(fields)) {
    const reader = readers.get(key);
    if (reader || !(custom.create || relations.has(key))) {
      // An equal raw value keeps the identical deserialized object.
      const keep =
        reader && isInstance(before) && isInstance(source) && own(source, key) === fields[key];
      const value = keep
        ? own(before, key)
        : reader
          ? deserialize(reader, fields[key])
          : fields[key];
      setField(instance, key, value);
    }
  }
  return relations.size === 0 ? freeze(instance) : instance;
}

/**
 * Gives a new instance its relations. Equal parts of the previous instance are kept. False where a record that the class
 * requires is gone: the row then counts as missing.
 */
export function relateRow(
  { cell, shape, links }: CellNode,
  instance: object,
  before: unknown,
): boolean {
  const fields = cell.shown;
  if (shape.kind !== 'entity' || shape.relations.size === 0 || !isFields(fields)) {
    return true;
  }
  const cursor: Cursor = { links, next: 0 };
  for (const [field, part] of shape.relations) {
    if (Object.hasOwn(fields, field)) {
      const kept = isInstance(before) ? own(before, field) : undefined;
      const child = links[cursor.next];
      const value = fill(part, fields[field], cursor, kept);
      if (child && child.goneIn > 0 && child !== links[cursor.next] && shape.requires(field)) {
        return false;
      }
      // A relation to a row that is not here keeps the class's default.
      if (value !== undefined) {
        setField(instance, field, value);
      } else if (shape.custom.create) {
        setField(instance, field, shape.defaults()[field]);
      }
    }
  }
  freeze(instance);
  return true;
}

/** What a list node shows. Its rows have their instances already. The previous array is kept where it is equal. */
export function fillList(node: CellNode): unknown {
  const { cell, shape, links, value: before } = node;
  if (shape.kind === 'entity' || !isListing(cell.shown)) {
    return undefined;
  }
  const { members, keys } = cell.shown;
  const cursor: Cursor = { links, next: 0 };
  if (keys) {
    const map = Object.fromEntries(keys.map((key, index) => [key, members[index]]));
    return fillValues(shape.member, map, cursor, before);
  }
  return patchList(node) ?? fillItems(shape.member, members, cursor, before);
}

/**
 * The usual change of a long list: few of its rows, none of them new or gone. Only their slots are looked at; undefined when
 * the change is another one.
 */
function patchList({ cell, source, dirty, links, value: before }: CellNode): unknown {
  const few = dirty && dirty.size <= 8 && source === cell.shown;
  // Every member has its slot: none is null, missing or passed through.
  const isAligned = Array.isArray(before) && before.length === links.length;
  const length = isListing(cell.shown) ? cell.shown.members.length : undefined;
  if (!few || !isAligned || length !== links.length) {
    return undefined;
  }
  let next: unknown[] | undefined;
  for (const [slot, child] of slotsOf(links, dirty)) {
    if (child.value === undefined) {
      return undefined;
    }
    if (before[slot] !== child.value) {
      next ??= [...before];
      next[slot] = child.value;
    }
  }
  return next ? freeze(next) : before;
}

function* slotsOf(
  links: readonly CellNode[],
  children: ReadonlySet<Node>,
): Iterable<[number, Node]> {
  for (const child of children) {
    // Links of a list are the nodes of cells; `indexOf` only compares.
    const slot = links.indexOf(child as CellNode);
    if (slot >= 0) {
      yield [slot, child];
    }
  }
}

/** What a root shows. */
export function fillRoot(
  { shape, links, args, value: before }: Root,
  normalized: unknown,
): unknown {
  return fill(shape, normalized, { links, next: 0, args }, before);
}

/** The value of a normalized value, with what it contains taken from the cursor in the order of `collect`. */
function fill(shape: Shape, value: unknown, cursor: Cursor, before: unknown): unknown {
  if (value === null || value === undefined) {
    return value;
  }
  switch (shape.kind) {
    case 'leaf':
      return value;
    case 'deserialize':
      return deserialize(shape, value);
    case 'all':
      return fillAll(shape, cursor, before);
    case 'custom': {
      const inner = fill(shape.member, value, cursor, innerOf(before));
      return inner === undefined || inner === null ? inner : readCustom(shape, inner, cursor.args);
    }
    case 'selection':
      return undefined;
    case 'lazy':
      return value;
    case 'entity':
      if (value instanceof Lookup) {
        return takeFirst(value, cursor);
      }
      return pkText(value) === undefined ? value : take(cursor);
    case 'array':
      return fillArray(shape, value, cursor, before);
    case 'object':
      return fillObject(shape, value, cursor, before);
    case 'collection':
      return take(cursor);
    case 'edit':
      if (holdsMap(shape)) {
        return fillValues(shape.list.member, value, cursor, before);
      }
      return Array.isArray(value)
        ? fillItems(shape.list.member, value, cursor, before)
        : fill(shape.list.member, value, cursor, before);
    case 'invalidate':
      return fill(shape.member, value, cursor, undefined);
    case 'union':
      if (value instanceof Lookup) {
        return takeFirst(value, cursor);
      }
      return unionRow(shape, value) ? take(cursor) : value;
    case 'values':
      return fillValues(shape.member, value, cursor, before);
  }
}

function fillValues(member: Shape, value: unknown, cursor: Cursor, before: unknown): unknown {
  if (!isPlain(value)) {
    return value;
  }
  const next: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const kept = isInstance(before) ? own(before, key) : undefined;
    const present = fill(member, item, cursor, kept);
    if (present !== undefined && present !== null) {
      setField(next, key, present);
    }
  }
  return keepEqual(before, next);
}

function takeFirst(lookup: Lookup, cursor: Cursor): unknown {
  const start = cursor.next;
  cursor.next += lookup.candidates.length;
  return lookup.choose(cursor.links.slice(start, cursor.next));
}

/** All rows: of one class the very array of its selection, of a union one after the other. */
function fillAll({ member }: AllShape, cursor: Cursor, before: unknown): unknown {
  if (member.kind === 'entity') {
    return take(cursor);
  }
  const parts = [...entitiesOf(member)].map(() => take(cursor)).filter(Array.isArray);
  const rows: unknown[] = parts.flat();
  return parts.length === 0
    ? undefined
    : Array.isArray(before) && sameItems(before, rows)
      ? before
      : freeze(rows);
}

function take(cursor: Cursor): unknown {
  const child = cursor.links[cursor.next];
  cursor.next += 1;
  return child?.value;
}

function fillArray(
  { member }: ArrayShape,
  value: unknown,
  cursor: Cursor,
  before: unknown,
): unknown {
  return Array.isArray(value) ? fillItems(member, value, cursor, before) : value;
}

function fillItems(
  member: Shape,
  items: readonly unknown[],
  cursor: Cursor,
  before: unknown,
): unknown {
  const next: unknown[] = [];
  for (const item of items) {
    const kept: unknown = Array.isArray(before) ? before[next.length] : undefined;
    const value = fill(member, item, cursor, kept);
    // Members that are missing or deleted are left out; null is a member.
    if (value !== undefined) {
      next.push(value);
    }
  }
  return Array.isArray(before) && sameItems(before, next) ? before : freeze(next);
}

function fillObject(
  { fields }: ObjectShape,
  value: unknown,
  cursor: Cursor,
  before: unknown,
): unknown {
  if (!isPlain(value)) {
    return value;
  }
  const next = copyFields(value);
  const kept = isPlain(before) ? before : undefined;
  let list: CellNode | undefined;
  for (const [field, part] of fields) {
    if (Object.hasOwn(next, field)) {
      if (part.kind === 'collection' && isInstance(next[field])) {
        list ??= cursor.links[cursor.next];
      }
      setField(next, field, fill(part, next[field], cursor, kept && own(kept, field)));
    }
  }
  return keepEqual(kept, withBeside(fields, next, list, deserialize));
}

/** The previous object if it holds the identical values, else the new one. */
function keepEqual(before: unknown, next: Record<string, unknown>): object {
  const keys = Object.keys(next);
  return isPlain(before) &&
    Object.keys(before).length === keys.length &&
    keys.every((key) => Object.hasOwn(before, key) && before[key] === next[key])
    ? before
    : freeze(next);
}

/** What a reader makes of a raw value. */
export function deserialize(shape: Shape, raw: unknown): unknown {
  switch (shape.kind) {
    case 'deserialize':
      // What a local write brought along deserialized stays as it is.
      return typeof raw === 'object' && raw !== null && !Array.isArray(raw) && !isPlain(raw)
        ? raw
        : shape.read(raw);
    case 'array':
      return Array.isArray(raw) ? freeze(raw.map((item) => deserialize(shape.member, item))) : raw;
    case 'object': {
      if (!isPlain(raw)) {
        return raw;
      }
      const copy = copyFields(raw);
      for (const [field, part] of shape.fields) {
        if (Object.hasOwn(copy, field)) {
          setField(copy, field, deserialize(part, copy[field]));
        }
      }
      return freeze(copy);
    }
    default:
      return raw;
  }
}

/** Plain values nested deeper than this stay as they are: no answer may overflow the stack. */
const FROZEN_DEPTH = 1_000;

/** In development what readers get is frozen, so that a mistaken write throws where it is made. */
function freeze<T extends object>(value: T, depth = 0): T {
  if (isDevelopment && depth < FROZEN_DEPTH && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) {
      if (Array.isArray(part) || isPlain(part)) {
        freeze(part, depth + 1);
      }
    }
  }
  return value;
}

function isInstance(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
