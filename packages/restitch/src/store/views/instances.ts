import { assignFields, setField } from '../../schema/fields.js';
import type { EntityShape } from '../../schema/shapes.js';
import { type Cursor, deserialize, fieldOf, denormalize, type Previous } from './denormalize.js';
import { isFields } from '../journal/fold.js';
import { freeze } from '../cells/freeze.js';
import { goneSince } from './goneRows.js';
import { isKey } from '../cells/keys.js';
import { nodeAt } from './nodes.js';
import { noteOrigin } from './rawValues.js';
import { own } from '../cells/plainValues.js';
import { reading } from '../normalize/refusals.js';
import type { CellNode } from './Node.js';
import type { Fields } from '../cells/Cell.js';

/**
 * A new instance of the row that a node shows, still without its relations, so that rows in a circle can point at one
 * another; undefined where there is no row to show.
 */
export function allocateRow(node: CellNode): object | undefined {
  const { cell, shape } = node;
  const fields = cell.shown;
  if (shape.kind !== 'entity' || !isFields(fields)) {
    return undefined;
  }
  const { readers, custom, entity } = shape;
  const instance: object | undefined = custom.create
    ? reading(shape, 'createIfValid', () => entity.createIfValid(fields))
    : custom.validate && reading(shape, 'validate', () => entity.validate(fields))
      ? undefined
      : new entity();
  if (!instance) {
    return undefined;
  }
  if (!custom.create) {
    takeFields(shape, instance, fields);
  }
  for (const [field, reader] of readers) {
    if (Object.hasOwn(fields, field)) {
      setField(instance, field, deserialize(reader, fields[field], fieldOf(node, field)));
    }
  }
  if (readers.size > 0) {
    noteOrigin(instance, fields);
  }
  return instance;
}

/** Gives an instance the fields of its record as they are stored, relations as keys. */
function takeFields(shape: EntityShape, instance: object, fields: Fields): void {
  for (const name of shape.guarded(instance)) {
    if (Object.hasOwn(fields, name)) {
      assignFields(instance, fields);
      return;
    }
  }
  // No accessor is in the way: this is several times faster than one field after the other.
  Object.assign(instance, fields);
}

/** A relation to a row that is not here has the class's default, if only none. */
function takeDefault(
  { custom, defaults, entity }: EntityShape,
  instance: object,
  field: string,
): void {
  const values = defaults();
  // Objects are made anew for each record; most defaults are none.
  const isShared = custom.create || typeof values[field] !== 'object' || values[field] === null;
  const source = isShared ? values : new entity();
  if (Object.hasOwn(source, field)) {
    setField(instance, field, own(source, field));
  } else {
    Reflect.deleteProperty(instance, field);
  }
}

/**
 * Gives a new instance its relations. Equal parts of the previous instance are kept. False where a record that the class
 * requires is gone: the row then counts as missing. A row in a circle may refer to it by then, so it has all the others.
 */
export function relateRow(
  { cell, shape, links }: CellNode,
  instance: object,
  was: Previous,
): boolean {
  const fields = cell.shown;
  if (shape.kind !== 'entity' || !isFields(fields)) {
    return true;
  }
  let next = 0;
  let isWhole = true;
  for (const [field, part] of shape.related) {
    if (Object.hasOwn(fields, field)) {
      const raw = fields[field];
      const first = next;
      const child = nodeAt(links, first);
      let value: unknown;
      if (part.kind === 'entity' && isKey(raw)) {
        value = child?.value;
        next += 1;
      } else {
        const cursor: Cursor = { links, next };
        value = denormalize(part, raw, cursor, fieldOf(was, field));
        next = cursor.next;
      }
      if (child && next > first && goneSince(child) > 0 && shape.requires(field)) {
        isWhole = false;
      }
      if (value === undefined) {
        takeDefault(shape, instance, field);
      } else {
        setField(instance, field, value);
      }
    }
  }
  freeze(instance);
  return isWhole;
}
