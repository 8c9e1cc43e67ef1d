import type { Collection, ListArgs } from '../../schema/Collection.js';
import { CollectionClass, LATER } from '../../schema/collectionClass.js';
import { type Fit, fitOf } from '../../schema/listFit.js';
import type { NormalizedEdit } from '../normalize/Normalized.js';
import type { ListEdit } from '../journal/operations.js';
import type { Cell, Fields } from '../cells/Cell.js';

/** Returns a `Fit` if only the server knows whether the row belongs into the list. */
export function editOf(
  { shape, args, temporary, key }: Pick<NormalizedEdit, 'shape' | 'args' | 'temporary' | 'key'>,
  member: string,
  fields: Fields,
  list: Cell,
): ListEdit | Fit | undefined {
  const { action, options } = shape.edit;
  const origin = list.list;
  const fit = (record: Fields): Fit => {
    if (!origin) {
      return 'unknown';
    }
    const { [LATER]: _, ...wanted } = origin.args;
    if (options.createCollectionFilter) {
      const matches = options.createCollectionFilter(...args)(wanted, record);
      return matches ? 'matches' : 'contradicts';
    }
    return fitIn(origin.shape.collection, wanted, record, args);
  };
  if (action === 'remove') {
    // `{}`: only the arguments of the call count, because the fields of the row may have changed.
    return fit({}) === 'matches' ? { type: 'remove', members: [member] } : undefined;
  }
  const found = fit(fields);
  if (action === 'move' && found === 'contradicts') {
    return { type: 'remove', members: [member] };
  }
  if (found !== 'matches') {
    return found === 'contradicts' ? undefined : found;
  }
  if (key !== undefined) {
    return { type: 'assign', key, member };
  }
  const place = options.merge ?? (action === 'unshift' ? 'start' : 'end');
  return { type: 'add', member, place, temporary };
}

function fitIn(
  collection: Collection,
  wanted: ListArgs,
  record: Fields,
  args: readonly unknown[],
): Fit {
  if (!hasOwnFilter(collection)) {
    return fitOf(collection, wanted, record, args);
  }
  return collection.createCollectionFilter(...args)(wanted, record) ? 'matches' : 'contradicts';
}

/** True for a custom filter, which can read any field of a record. */
export function hasOwnFilter(collection: Collection | undefined): boolean {
  return (
    collection !== undefined &&
    (collection.options.createCollectionFilter !== undefined ||
      collection.createCollectionFilter !== CollectionClass.prototype.createCollectionFilter)
  );
}
