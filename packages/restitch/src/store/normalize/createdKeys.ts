import { emptyKeyFields, keyFieldOf, keyReading, otherKeyFields } from '../../schema/keyFields.js';
import type { EntityShape } from '../../schema/shapes.js';
import { type Context } from './Normalized.js';
import { rowPk } from './rowKeys.js';
import { own } from '../cells/plainValues.js';
import type { Fields } from '../cells/Cell.js';

export function createdPk(
  context: Context,
  shape: EntityShape,
  record: Record<string, unknown>,
  parent: unknown,
  key: string | undefined,
  temporaryPk: (place: string, isNumber: boolean) => string,
): string {
  const field = keyFieldOf(shape);
  const isGiven =
    field === undefined
      ? emptyKeyFields(shape.entity, keyReading.read(shape.entity, record)).length === 0
      : own(record, field) != null;
  const pk = isGiven ? rowPk(context, shape, record, parent, key) : undefined;
  return pk ?? (context.temporary = temporaryPk(context.responsePlace, isNumberKey(shape, record)));
}

/** Returns the key field, or the only empty field of a combined key. */
function temporaryField(shape: EntityShape, record: Fields): string | undefined {
  const { entity } = shape;
  const field = keyFieldOf(shape);
  const fields = keyReading.read(entity, record);
  const empty = field === undefined ? emptyKeyFields(entity, fields) : [field];
  if (empty.length > 0) {
    return empty.length === 1 ? empty[0] : undefined;
  }
  // A `pk` such as `this.id && …` returns a key only if `id` has a value.
  const [first, another] = otherKeyFields(entity, fields);
  const isOnly =
    first !== undefined &&
    another === undefined &&
    emptyKeyFields(entity, { ...fields, [first]: first }).length === 0;
  return isOnly ? first : undefined;
}

function isNumberKey(shape: EntityShape, record: Fields): boolean {
  return /number|bigint/.test(typeof shape.defaults()[temporaryField(shape, record) ?? '']);
}

/** Sets the temporary key in the record, so that nested records can refer to it. */
export function withKey(
  shape: EntityShape,
  record: Record<string, unknown>,
  pk: string,
): Record<string, unknown> {
  const field = temporaryField(shape, record);
  return field === undefined
    ? record
    : { ...record, [field]: isNumberKey(shape, record) ? Number(pk) : pk };
}
