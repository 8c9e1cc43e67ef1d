import { isDevelopment } from '../../errors/development.js';
import { sample } from '../../errors/excerpt.js';
import { SchemaError } from '../../errors/SchemaError.js';
import type { EntityShape } from '../../schema/shapes.js';
import type { Fields } from '../cells/Cell.js';
import { isObject } from '../cells/plainValues.js';
import type { Context } from './Normalized.js';
import { guarded } from './normalizeErrors.js';

/**
 * Sent fields are checked together with the stored row. If this row is already invalid, an update of
 * its other fields is no error.
 */
export function validateRow(
  context: Context,
  shape: EntityShape,
  record: Fields,
  pk: string,
): void {
  const { isReceived, isSent, source, stored: storedOf } = context.options;
  const { entity, name } = shape;
  const stored = isReceived ? undefined : storedOf?.(shape, pk);
  const value = isObject(stored) ? { ...stored, ...record } : record;
  if (isValid(entity, value)) {
    return;
  }
  const isWhole = isObject(stored) && isValid(entity, stored);
  if (isSent && !isWhole) {
    return;
  }
  const problem = guarded(context, 'validation-failed', `${name}.validate of '${pk}'`, record, () =>
    entity.validate(isWhole ? value : record),
  );
  if (problem) {
    throw new SchemaError(
      'validation-failed',
      isDevelopment
        ? `${source}: ${name} '${pk}' was refused by ${name}.validate: ${problem} ` +
            `(${sample(record)}). Loosen \`validate\`, or reshape the response in \`process\`.`
        : `${source}: ${name} ${pk}: ${problem}`,
    );
  }
}

function isValid(entity: EntityShape['entity'], fields: Fields): boolean {
  try {
    return !entity.validate(fields);
  } catch {
    return false;
  }
}
