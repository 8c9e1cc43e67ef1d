import { isDevelopment } from '../../errors/development.js';
import { fieldOfParam } from '../../schema/fieldOfParam.js';
import { readFieldsOf } from '../../schema/keyFields.js';
import { pkText } from '../../schema/referenceText.js';
import type { EntityClass } from '../../schema/Schema.js';
import { setField } from '../../schema/setField.js';
import { isObject } from '../../schema/same.js';
import { entityShape } from '../../schema/shape.js';
import type { Shape } from '../../schema/shapes.js';
import { copyFields, own } from '../cells/plainValues.js';
import { NOTHING, setDeserialized } from './denormalize.js';

/** The key of a related record stands for the record, as in `/teams/:team/members/:user`. */
function withRecords(shape: Shape, raw: unknown): unknown {
  if (shape.kind === 'entity') {
    const isKey = !shape.custom.pk && pkText(raw) !== undefined;
    return isKey ? keyOnly(fieldOfParam(raw, shape.defaults()['id'])) : raw;
  }
  const member = 'member' in shape ? shape.member : undefined;
  if (!member || !isObject(raw)) {
    return raw;
  }
  let records: object | undefined;
  for (const name of Object.keys(raw)) {
    const item = own(raw, name);
    const record = withRecords(member, item);
    if (record !== item) {
      records ??= Array.isArray(raw) ? [...raw] : { ...raw };
      setField(records, name, record);
    }
  }
  return records ?? raw;
}

/** A key of unknown fields would be the key of other records, too. */
function keyOnly(id: unknown): object {
  return new Proxy(
    { id },
    {
      get(record, name) {
        if (typeof name === 'string' && name !== 'toJSON' && !(name in record)) {
          throw new TypeError(isDevelopment ? `\`${name}\` of a related record is unknown` : name);
        }
        return Reflect.get(record, name);
      },
    },
  );
}

/** See `keyReading`. */
export function readKeyFields(entity: EntityClass, fields: object): object {
  if (fields instanceof entity) {
    return fields;
  }
  const shape = entityShape(entity);
  const defaults = shape.defaults();
  let read: Record<string, unknown> | undefined;
  const change = (field: string, raw: unknown, value: unknown): void => {
    if (value !== raw) {
      setField((read ??= copyFields(fields)), field, value);
    }
  };
  for (const field of readFieldsOf(entity)) {
    const raw = own(fields, field);
    const declared = defaults[field];
    // Optimization: this runs for each row, and most values have the declared type.
    if (typeof raw !== typeof declared) {
      change(field, raw, fieldOfParam(raw, declared));
    }
  }
  for (const [field, part] of shape.related) {
    const raw = own(fields, field);
    change(field, raw, withRecords(part, raw));
  }
  if (shape.readers.size > 0) {
    read ??= copyFields(fields);
    try {
      setDeserialized(shape, read, read, NOTHING);
    } catch {
      // Normalization reports the error.
    }
  }
  return read ?? fields;
}
