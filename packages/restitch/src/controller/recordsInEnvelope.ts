import { isRecordShape } from '../schema/shape.js';
import { sameFields } from '../schema/same.js';
import type { Shape } from '../schema/shapes.js';
import { isObject, own } from '../store/cells/plainValues.js';

/** True if a record in an envelope is deleted or cannot be read. */
export function lacksRecord(shape: Shape, data: unknown, reference: unknown): boolean {
  return (
    shape.kind === 'object' &&
    isObject(data) &&
    isObject(reference) &&
    [...shape.fields].some(([field, part]) => {
      const [value, stored] = [own(data, field), own(reference, field)];
      return isRecordShape(part)
        ? value === undefined && stored != null
        : lacksRecord(part, value, stored);
    })
  );
}

/**
 * A mounted reader keeps the deleted records of an envelope, as a detail page does. The other
 * records and lists are the current ones. Returns `known` if nothing has changed.
 */
export function withKnownRecords(
  shape: Shape,
  data: unknown,
  reference: unknown,
  known: unknown,
): unknown {
  if (shape.kind !== 'object' || !lacksRecord(shape, data, reference)) {
    return data;
  }
  const kept: Record<string, unknown> = { ...Object(data) };
  for (const [field, part] of shape.fields) {
    const [value, stored, last] = [data, reference, known].map((of) => own(Object(of), field));
    if (!isRecordShape(part)) {
      kept[field] = withKnownRecords(part, value, stored, last);
    } else if (value === undefined && stored != null) {
      kept[field] = last;
    }
  }
  return sameFields(known, kept) ? known : Object.freeze(kept);
}
