import { setField } from '../../schema/setField.js';
import type { EntityShape } from '../../schema/shapes.js';
import { isObject, own } from '../../schema/same.js';
import { copyFields, equal } from '../cells/plainValues.js';
import type { Fields } from '../cells/Cell.js';

interface Origin extends Pick<EntityShape, 'readers'> {
  readonly fields: Fields;
}

/** The raw values of instances, which are stored if a program writes an instance back. */
const origins = new WeakMap<object, Origin>();

export function noteOrigin(instance: object, { readers }: EntityShape, fields: Fields): void {
  origins.set(instance, { readers, fields });
}

/**
 * Restores the raw values of fields that a written record took from an instance. `input` can be an
 * instance.
 *
 * A copy such as `{ ...user, name }` also contains the defaults of fields that the server has not
 * sent. If they were stored, an incomplete record would count as complete. `stored` returns the row.
 */
export function toRaw(
  record: Record<string, unknown>,
  input: object,
  { defaults }: EntityShape,
  instances: Iterable<object> = [],
  stored?: () => unknown,
): Record<string, unknown> {
  let raw = record;
  const replace = (field: string, fields: object): void => {
    raw = raw === record ? copyFields(record) : raw;
    if (Object.hasOwn(fields, field)) {
      setField(raw, field, own(fields, field));
    } else {
      delete raw[field];
    }
  };
  for (const instance of [input, ...instances]) {
    const isCopy = Object.keys(instance).every((key) => Object.hasOwn(record, key));
    const isTaken = (field: string): boolean =>
      Object.hasOwn(record, field) && Object.is(own(record, field), own(instance, field));
    const origin = origins.get(instance);
    origin?.readers.forEach((_, field) => {
      // A number or text may be a raw value. In a copy, it is deserialized.
      if ((isCopy || isObject(own(record, field))) && isTaken(field)) {
        replace(field, origin.fields);
      }
    });
    const known = isCopy && instance !== input && stored?.();
    for (const field of isObject(known) ? Object.keys(instance) : []) {
      const isMissing = !Object.hasOwn(Object(known) as object, field);
      if (isMissing && equal(own(record, field), own(defaults(), field))) {
        replace(field, {});
      }
    }
  }
  return raw;
}
