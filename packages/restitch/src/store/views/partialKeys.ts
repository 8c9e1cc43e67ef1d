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
    for (const row of pk === undefined ? [] : rowTable(store, entity).cells.values()) {
      if (row.pk !== pk && isFields(row.current) && fits(entity, row.current, Object(given))) {
        return true;
      }
    }
  }
  return false;
}

/** A parameter with the name of no field, such as `rowId`, is the value of some field. */
function fits({ entity }: EntityShape, row: Fields, given: object): boolean {
  for (const [name, value] of Object.entries(given)) {
    const text = pkText(value);
    const named = pkText(own(row, name));
    let isFound = text === undefined || text === named;
    for (const part of named === undefined ? readFieldsOf(entity) : []) {
      isFound ||= pkText(own(row, part)) === text;
    }
    if (!isFound) {
      return false;
    }
  }
  return true;
}
