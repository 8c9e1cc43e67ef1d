import { setField } from '../../schema/fields.js';
import type { EntityShape } from '../../schema/shapes.js';
import { copyFields, own } from '../cells/plainValues.js';
import type { Fields } from '../cells/Cell.js';

/**
 * Where instances come from: a record that a program read and hands back holds deserialized values, and what is stored are
 * raw ones. Only instances of classes that deserialize something are noted.
 */
const origins = new WeakMap<object, Fields>();

/** Notes the stored fields that an instance shows. */
export function noteOrigin(instance: object, fields: Fields): void {
  origins.set(instance, fields);
}

/**
 * A record that a program hands over, with raw values in place of those that the store deserialized. `candidates`: instances
 * that it may be, be a copy of, or hold a deserialized object of.
 */
export function toRaw(
  { readers }: EntityShape,
  record: Record<string, unknown>,
  candidates: readonly object[],
): Record<string, unknown> {
  let raw = record;
  for (const instance of readers.size > 0 ? candidates : []) {
    const fields = origins.get(instance);
    const isCopy = Object.keys(instance).every((key) => Object.hasOwn(record, key));
    for (const field of fields ? readers.keys() : []) {
      const value = own(record, field);
      // A number alone may be meant as it is stored; one that came along with everything else was read.
      const isRead = isCopy || (typeof value === 'object' && value !== null);
      if (fields && isRead && Object.is(value, own(instance, field))) {
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
