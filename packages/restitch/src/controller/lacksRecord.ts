import { isRecordShape } from '../schema/shape.js';
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
