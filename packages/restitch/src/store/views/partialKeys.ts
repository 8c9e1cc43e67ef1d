import { isWholeKey, readFieldsOf } from '../../schema/keyFields.js';
import { pkText } from '../../schema/referenceText.js';
import { isPlain } from '../../schema/same.js';
import { entitiesOf } from '../../schema/shape.js';
import type { EntityShape, UnionShape } from '../../schema/shapes.js';
import { own } from '../cells/plainValues.js';
import type { Store } from '../cells/Store.js';
import { rowTable } from '../cells/tables.js';
import { isFields } from '../journal/applyPatch.js';
import { entityPk } from './queries.js';

/**
 * True if the parameters `given`, which name the record `named`, fit another stored record as well.
 * They lack a part of its key, and the class has a default for this part:
 *
 * ```
 *   pk                          default    given        named     another record
 *   `${this.kind}:${this.id}`   post       { id: 1 }    post:1    page:1
 * ```
 */
export function fitsAnother(
  store: Store,
  member: EntityShape | UnionShape,
  given: unknown,
  named: unknown,
): boolean {
  if (!isPlain(given)) {
    return false;
  }
  for (const { entity } of entitiesOf(member)) {
    const isWhole = isWholeKey(entity.entity, given);
    const pk = isWhole ? undefined : entityPk(entity, [named]);
    if (pk !== undefined && hasOther(store, entity, given, pk)) {
      return true;
    }
  }
  return false;
}

function hasOther(store: Store, shape: EntityShape, given: object, pk: string): boolean {
  const parts = readFieldsOf(shape.entity);
  let isByName = pk === entityPk(shape, [given]);
  for (const part of parts) {
    isByName ||= pkText(own(given, part)) === pk;
  }
  // Otherwise, a parameter that is no field of the key, such as `rowId`, is the value of one. Other
  // parameters, such as `?notify=yes`, name no record.
  const values = new Set<string | undefined>();
  for (const [name, value] of Object.entries(given)) {
    if (!parts.has(name)) {
      values.add(pkText(value));
    }
  }
  values.delete(undefined);
  const { cells } = rowTable(store, shape);
  // A created row has several keys, so its cell is compared.
  const named = cells.get(pk);
  for (const row of cells.values()) {
    const { current } = row;
    if (row !== named && isFields(current) && !hasOtherPart(parts, current, given)) {
      let isNamed = isByName;
      for (const part of parts) {
        isNamed ||= !own(given, part) && values.has(pkText(own(current, part)));
      }
      if (isNamed) {
        return true;
      }
    }
  }
  return false;
}

/** True if the parameters contain a part of a key that differs from the part of the record. */
export function hasOtherPart(parts: ReadonlySet<string>, fields: object, given: object): boolean {
  for (const part of parts) {
    const text = pkText(own(given, part));
    if (text !== undefined && pkText(own(fields, part)) !== text) {
      return true;
    }
  }
  return false;
}
