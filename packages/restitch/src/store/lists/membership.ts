import type { Collection } from '../../schema/Collection.js';
import { CollectionClass, LATER } from '../../schema/collectionClass.js';
import type { CollectionEdit, CollectionEditOptions } from '../../schema/CollectionEdit.js';
import { type Fit, fitOf } from '../../schema/listFit.js';
import type { NormalizedEdit } from '../normalize/Normalized.js';
import type { ListEdit } from '../journal/operations.js';
import type { Fields, ListOrigin } from '../cells/Cell.js';

/** Returns a `Fit` if only the server knows whether the row belongs to the list. */
export function editOf(
  { shape, args, temporary, key }: Pick<NormalizedEdit, 'shape' | 'args' | 'temporary' | 'key'>,
  member: string,
  fields: Fields,
  list: ListOrigin,
): ListEdit | Fit | undefined {
  const { action, options } = shape.edit;
  const { collection } = list.shape;
  const { [LATER]: _, ...wanted } = list.args;
  const isRemoval = action === 'remove';
  // `{}`: only the arguments of the call count, because the fields of the row may have changed.
  const record = isRemoval ? {} : fields;
  const ownFilter = ownFilterOf(shape.edit, collection);
  if (isRemoval && !ownFilter && !isNamed(collection, wanted, args)) {
    return undefined;
  }
  const fit = !ownFilter
    ? fitOf(collection, wanted, record, args)
    : ownFilter(...args)(wanted, record)
      ? 'matches'
      : 'contradicts';
  if (isRemoval ? fit === 'matches' : action === 'move' && fit === 'contradicts') {
    return { type: 'remove', members: [member], isMove: !isRemoval };
  }
  if (isRemoval || fit === 'contradicts') {
    return undefined;
  }
  if (fit !== 'matches') {
    return fit;
  }
  if (key !== undefined) {
    return { type: 'assign', key, member };
  }
  if (list.shape.map) {
    // Only the server knows the key under which a map contains the moved record.
    return 'unclear';
  }
  const place = options.merge ?? (action === 'unshift' ? 'start' : 'end');
  return { type: 'add', member, place, temporary };
}

/** A removal from the list of one author leaves the list of all posts as it is. */
function isNamed(
  collection: Collection,
  wanted: object,
  [named, ...body]: readonly unknown[],
): boolean {
  const filters = (of: unknown): readonly string[] =>
    Object.keys(Object(of)).filter((name) => !collection.nonFilterArgumentKeys(name));
  // A single argument is the record.
  return filters(wanted).length > 0 || body.length === 0 || filters(named).length === 0;
}

/** Returns a filter that the program wrote. It can read any field of a record. */
export function ownFilterOf(
  { options }: CollectionEdit,
  collection: Collection,
): CollectionEditOptions['createCollectionFilter'] {
  const isOwn =
    collection.options.createCollectionFilter ||
    collection.createCollectionFilter !== CollectionClass.prototype.createCollectionFilter;
  return (
    options.createCollectionFilter ??
    (isOwn ? (...args) => collection.createCollectionFilter(...args) : undefined)
  );
}
