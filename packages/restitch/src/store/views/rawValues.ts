import { setField } from '../../schema/setField.js';
import type { EntityShape } from '../../schema/shapes.js';
import { isObject, own } from '../../schema/same.js';
import { copyFields } from '../cells/plainValues.js';
import type { Fields } from '../cells/Cell.js';

interface Origin extends Pick<EntityShape, 'readers'> {
  readonly fields: Fields;
}

/** The raw values of instances, which are stored if a program writes an instance back. */
const origins = new WeakMap<object, Origin>();

export function noteOrigin(instance: object, { readers }: EntityShape, fields: Fields): void {
  origins.set(instance, { readers, fields });
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
    const isCopy = Object.keys(instance).every((key) => Object.hasOwn(record, key));
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
