import { setField } from '../../schema/setField.js';
import type { EntityShape } from '../../schema/shapes.js';
import { fieldsWhere, isObject, own } from '../../schema/same.js';
import { copyFields, equal } from '../cells/plainValues.js';
import type { Fields } from '../cells/Cell.js';
import type { NormalizeOptions } from '../normalize/Normalized.js';

interface Origin extends Pick<EntityShape, 'readers'> {
  readonly fields: Fields;
}

/** The raw values of instances, which are stored if a program writes an instance back. */
const origins = new WeakMap<object, Origin>();

export function noteOrigin(instance: object, { readers }: EntityShape, fields: Fields): void {
  origins.set(instance, { readers, fields });
}

function isCopyOf(record: object, instance: object): boolean {
  return Object.keys(instance).every((key) => Object.hasOwn(record, key));
}

/**
 * Removes the defaults of fields that the stored row lacks from a copy such as `{ ...user, name }`.
 * If they were stored, an incomplete record would count as complete. `written` has no raw values
 * yet.
 */
export function withoutDefaults(
  record: Record<string, unknown>,
  written: object,
  shape: EntityShape,
  pk: string,
  { readOf, stored }: Pick<NormalizeOptions, 'readOf' | 'stored'>,
): Record<string, unknown> {
  for (const instance of readOf?.(shape, pk) ?? []) {
    if (isCopyOf(written, instance)) {
      const known = Object(stored?.(shape, pk)) as object;
      const defaults = shape.defaults();
      return fieldsWhere(
        record,
        (field, value) => Object.hasOwn(known, field) || !equal(value, own(defaults, field)),
      );
    }
  }
  return record;
}

/** Restores the raw values of fields that a written record took from instances of the row. */
export function toRaw(
  record: Record<string, unknown>,
  candidates: readonly object[],
): Record<string, unknown> {
  let raw = record;
  for (const instance of candidates) {
    const origin = origins.get(instance);
    if (!origin) {
      continue;
    }
    const { fields, readers } = origin;
    const isCopy = isCopyOf(record, instance);
    for (const field of readers.keys()) {
      const value = own(record, field);
      // A number or text may be a raw value. In a copy such as `{ ...user, name }`, which has all
      // fields of the instance, the number or text is deserialized.
      const isRead = isCopy || isObject(value);
      if (isRead && Object.is(value, own(instance, field))) {
        raw = raw === record ? copyFields(record) : raw;
        if (Object.hasOwn(fields, field)) {
          setField(raw, field, fields[field]);
        } else {
          delete raw[field];
        }
      }
    }
  }
  return raw;
}
