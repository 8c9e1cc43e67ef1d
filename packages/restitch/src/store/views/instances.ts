import { assignFields, setField } from '../../schema/setField.js';
import { isRecordShape } from '../../schema/shape.js';
import type { EntityShape } from '../../schema/shapes.js';
import type { Previous } from '../../schema/KindMethods.js';
import { denormalize, fieldOf, setDeserialized, type NodeReader } from './denormalize.js';
import { isFields } from '../journal/applyPatch.js';
import { freeze } from '../cells/freeze.js';
import { noteOrigin } from './rawValues.js';
import { isKey } from '../../schema/referenceText.js';
import { firstKeys } from '../optimistic/firstKeys.js';
import { isObject, own } from '../../schema/same.js';
import { reading } from '../normalize/normalizeErrors.js';
import type { Cell, Fields, Stored } from '../cells/Cell.js';

/** `relateRow` sets the relations later, so that rows in a cycle can refer to one another. */
export function allocateRow(
  cell: Cell,
  shape: EntityShape,
  fields: Stored,
  was: Previous,
): object | undefined {
  if (!isFields(fields)) {
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
  setDeserialized(shape, instance, fields, was);
  if (readers.size > 0) {
    noteOrigin(instance, shape, fields);
  }
  firstKeys.pass?.(cell, instance, shape);
  return instance;
}

function takeFields(shape: EntityShape, instance: object, fields: Fields): void {
  for (const name of shape.guarded(instance)) {
    if (Object.hasOwn(fields, name)) {
      assignFields(instance, fields);
      return;
    }
  }
  // Optimization: several times faster than setting each field.
  Object.assign(instance, fields);
}

function takeDefault(
  { custom, defaults, entity }: EntityShape,
  instance: object,
  field: string,
): void {
  const values = defaults();
  // Each record needs its own default object.
  const isShared = custom.create || !isObject(values[field]);
  const source = isShared ? values : new entity();
  if (Object.hasOwn(source, field)) {
    setField(instance, field, own(source, field));
  } else {
    Reflect.deleteProperty(instance, field);
  }
}

/** Returns false if a required row is missing. Rows in a cycle still need the other relations. */
export function relateRow(
  shape: EntityShape,
  fields: Fields,
  instance: object,
  reader: NodeReader,
  was: Previous,
): boolean {
  let isWhole = true;
  for (const [field, part] of shape.related) {
    if (Object.hasOwn(fields, field)) {
      reader.isMissing = false;
      const raw = fields[field];
      const value =
        part.kind === 'entity' && isKey(raw)
          ? reader.row(part, raw)
          : denormalize(part, raw, reader, fieldOf(was, field));
      // A record with a truthy default is required. A list stays valid without a deleted member.
      if (reader.isMissing && isRecordShape(part) && shape.defaults()[field]) {
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
