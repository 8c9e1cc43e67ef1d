import { isWholeKey, readFieldsOf } from '../../schema/keyFields.js';
import { pkText } from '../../schema/referenceText.js';
import { isPlain } from '../../schema/same.js';
import { entitiesOf } from '../../schema/shape.js';
import type { EntityShape, UnionShape } from '../../schema/shapes.js';
import { own } from '../cells/plainValues.js';
import type { Fields } from '../cells/Cell.js';
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
  for (const { entity } of isPlain(given) ? entitiesOf(member) : []) {
    const isWhole = isWholeKey(entity.entity, given);
    const pk = isWhole ? undefined : entityPk(entity, [named]);
    if (pk !== undefined && hasOther(store, entity, given, pk)) {
      return true;
    }
  }
  return false;
}

function hasOther(store: Store, shape: EntityShape, given: unknown, pk: string): boolean {
  let isByName = pk === entityPk(shape, [given]);
  for (const part of readFieldsOf(shape.entity)) {
    isByName ||= pkText(own(Object(given), part)) === pk;
  }
  const { cells } = rowTable(store, shape);
  // A created row has several keys, so its cell is compared.
  const named = cells.get(pk);
  for (const row of cells.values()) {
    if (row !== named && isFields(row.current) && fits(shape, row.current, given, isByName)) {
      return true;
    }
  }
  return false;
}

/**
 * If `isByName` is false, a parameter that is no field of the key, such as `rowId`, is the value of
 * one. Other parameters, such as `?notify=yes`, name no record.
 */
function fits({ entity }: EntityShape, row: Fields, given: unknown, isByName: boolean): boolean {
  const parts = readFieldsOf(entity);
  let isNamed = isByName;
  for (const [name, value] of Object.entries(Object(given))) {
    const text = pkText(value);
    const isPart = parts.has(name);
    for (const part of text === undefined ? [] : isPart ? [name] : parts) {
      const isSame = pkText(own(row, part)) === text;
      if (isPart && !isSame) {
        return false;
      }
      isNamed ||= isSame && !isPart && !own(Object(given), part);
    }
  }
  return isNamed;
}
