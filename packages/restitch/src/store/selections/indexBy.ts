import { isDevelopment } from '../../errors/development.js';
import type { Indexes } from '../../schema/Indexes.js';
import type { IndexCandidate } from '../../schema/Lookup.js';
import { indexText } from '../../schema/referenceText.js';
import { RowLookup } from '../../schema/rowLookup.js';
import type { EntityShape } from '../../schema/shapes.js';
import type { Store } from '../cells/Store.js';
import type { Sink } from '../views/walkReferences.js';
import { indexedRow, selectionOf, takeSelection } from './selections.js';

/**
 * Returns the value of `static indexes`: the fields that identify a record in addition to its
 * primary key. A program that does not call `indexBy` has no index code in its bundle.
 *
 * @remarks The stored value of each field must be a unique text or number. If several records have
 * the same value, a query returns the record that received it last.
 *
 * @example
 * ```ts
 * import { Controller, Entity, indexBy } from 'restitch';
 *
 * class User extends Entity {
 *   id = '';
 *   username = '';
 *   static override indexes = indexBy('username');
 * }
 *
 * const ada = new Controller().get(User, { username: 'ada' });
 * ```
 */
export function indexBy<F extends string>(...fields: readonly F[]): Indexes<F> {
  return Object.assign([...fields], { $find: find });
}

function find(shape: EntityShape, named: object): IndexCandidate | undefined {
  const { entity, name } = shape;
  const [[field, value] = []] = Object.entries(named);
  if (field === undefined || ![...entity.indexes].includes(field)) {
    throw new TypeError(
      isDevelopment
        ? `\`queryKey\` of ${name} names \`${field}\`, which is not one of its \`indexes\`.`
        : `${name}.queryKey`,
    );
  }
  const text = indexText(value);
  if (text === undefined) {
    return undefined;
  }
  const selection = selectionOf(shape, field, text);
  return {
    shape,
    text: JSON.stringify([field, text]),
    walk(sink: Sink) {
      return takeSelection(sink, selection);
    },
    cell({ store }) {
      // The cast: `schema/` does not know the type of a store.
      return indexedRow(store as Store, shape, field, text);
    },
    alone() {
      return new RowLookup(this);
    },
  };
}
