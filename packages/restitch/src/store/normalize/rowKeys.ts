import { customPk } from '../../schema/customPk.js';
import { isIncomplete, keyFieldOf, keyReading, lacksKey } from '../../schema/keyFields.js';
import type { EntityShape } from '../../schema/shapes.js';
import { pkText } from '../../schema/referenceText.js';
import type { Context } from './Normalized.js';
import { guarded } from './normalizeErrors.js';
import type { Fields } from '../cells/Cell.js';

export function rowPk(
  context: Context,
  shape: EntityShape,
  record: Record<string, unknown>,
  parent?: unknown,
  key?: string,
): string | undefined {
  return shape.custom.pk ? ownPk(context, shape, record, parent, key) : pkText(record['id']);
}

function ownPk(
  context: Context,
  shape: EntityShape,
  record: Record<string, unknown>,
  parent?: unknown,
  key?: string,
): string | undefined {
  return guarded(context, 'missing-primary-key', `\`pk\` of ${shape.name}`, record, () => {
    const { entity } = shape;
    const fields = keyReading.read(entity, record);
    if (lacksKey(entity, fields)) {
      return undefined;
    }
    const pk = customPk(shape, fields, context.options.args, parent, key);
    return isIncomplete(entity, fields, pk) ? undefined : pk;
  });
}

/** Removes a key that comes from arguments: `'07'` must not replace `7` in the stored row. */
export function withoutKey(shape: EntityShape, fields: Fields): Fields {
  const { [keyFieldOf(shape) ?? '']: _, ...others } = fields;
  return others;
}
