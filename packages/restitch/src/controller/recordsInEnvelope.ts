import { isRecordShape } from '../schema/shape.js';
import { sameFields } from '../schema/same.js';
import type { Shape } from '../schema/shapes.js';
import { isObject, own } from '../store/cells/plainValues.js';
import type { Store } from '../store/cells/Store.js';
import { findCell } from '../store/views/queries.js';

/** True if a record in an envelope is deleted or cannot be read. An unknown record is undefined. */
export function lacksRecord(
  store: Store,
  shape: Shape,
  data: unknown,
  reference: unknown,
): boolean {
  return (
    shape.kind === 'object' &&
    isObject(data) &&
    isObject(reference) &&
    [...shape.fields].some(([field, part]) => {
      const value = own(data, field);
      const stored = own(reference, field);
      return isRecordShape(part)
        ? isLacking(store, part, value, stored)
        : lacksRecord(store, part, value, stored);
    })
  );
}

function isLacking(store: Store, shape: Shape, value: unknown, reference: unknown): boolean {
  return value === undefined && findCell(store, shape, reference)?.current !== undefined;
}

/**
 * A mounted reader keeps the deleted records of an envelope, as a detail page does. The other
 * records and lists are the current ones. A record that cannot be read, for example because its
 * author is deleted, is fetched again. Returns `known` if nothing has changed.
 */
export function withKnownRecords(
  store: Store,
  shape: Shape,
  data: unknown,
  reference: unknown,
  known: unknown,
): unknown {
  if (shape.kind !== 'object' || !lacksRecord(store, shape, data, reference)) {
    return data;
  }
  const kept: Record<string, unknown> = { ...Object(data) };
  for (const [field, part] of shape.fields) {
    const [value, stored, last] = [data, reference, known].map((of) => own(Object(of), field));
    if (!isRecordShape(part)) {
      kept[field] = withKnownRecords(store, part, value, stored, last);
    } else if (value === undefined && findCell(store, part, stored)?.current === null) {
      kept[field] = last;
    }
  }
  return sameFields(known, kept) ? known : Object.freeze(kept);
}
