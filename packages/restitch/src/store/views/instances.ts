import { assignFields, setField } from '../../schema/fields.js';
import type { EntityShape } from '../../schema/shapes.js';
import { type Cursor, deserialize, fieldOf, denormalize, type Previous } from './denormalize.js';
import { isFields } from '../journal/applyPatch.js';
import { freeze } from '../cells/freeze.js';
import { goneSince } from './goneRows.js';
import { isKey } from '../cells/keys.js';
import { nodeAt } from './nodes.js';
import { noteOrigin } from './rawValues.js';
import { passFirstKey } from '../optimistic/firstKeys.js';
import { own } from '../cells/plainValues.js';
import { reading } from '../normalize/refusals.js';
import type { CellNode } from './Node.js';
import type { Fields } from '../cells/Cell.js';

/**
 * Returns a new instance of the row of a node, or undefined without a row. It lacks relations, so
 * that rows in a cycle can refer to one another.
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
  passFirstKey(cell, instance);
  return instance;
}

/** Copies the stored fields to an instance, with relations as keys. */
function takeFields(shape: EntityShape, instance: object, fields: Fields): void {
  for (const name of shape.guarded(instance)) {
    if (Object.hasOwn(fields, name)) {
      assignFields(instance, fields);
      return;
    }
  }
  // An optimization: without accessors this is several times faster than field by field.
  Object.assign(instance, fields);
}

/** A relation to a missing row has the default of the class. */
function takeDefault(
  { custom, defaults, entity }: EntityShape,
  instance: object,
  field: string,
): void {
  const values = defaults();
  // Each record needs its own objects; most defaults are plain values.
  const isShared = custom.create || typeof values[field] !== 'object' || values[field] === null;
  const source = isShared ? values : new entity();
  if (Object.hasOwn(source, field)) {
    setField(instance, field, own(source, field));
  } else {
    Reflect.deleteProperty(instance, field);
  }
}

/**
 * Sets the relations of a new instance. Equal parts of the previous instance are reused. Returns
 * false if a required row is missing; then this row counts as missing, too. All other relations are
 * set, because rows in a cycle can refer to the instance.
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
