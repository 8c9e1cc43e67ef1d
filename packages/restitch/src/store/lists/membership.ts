import type { Collection, ListArgs } from '../../schema/Collection.js';
import { CollectionClass, LATER } from '../../schema/collectionClass.js';
import type { CollectionEdit, CollectionEditOptions } from '../../schema/CollectionEdit.js';
import { type Fit, fitOf, isFilter } from '../../schema/listFit.js';
import { own } from '../../schema/same.js';
import { setField } from '../../schema/setField.js';
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
  const { [LATER]: _, ...listArgs } = list.args;
  const isRemoval = action === 'remove';
  // `{}`: only the arguments of the call count, because the fields of the row may have changed.
  const record = isRemoval ? {} : fields;
  const ownFilter = ownFilterOf(shape.edit, collection);
  const wanted = isRemoval && !ownFilter ? namedFilters(collection, listArgs, args) : listArgs;
  if (!wanted) {
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

/**
 * Returns the filters of a list that decide whether a removal concerns it. A removal from the list
 * of an author also concerns the lists with further filters, but not the list of all posts.
 */
function namedFilters(
  collection: Collection,
  listArgs: ListArgs,
  [named, ...body]: readonly unknown[],
): ListArgs | undefined {
  const wanted: Record<string, string> = {};
  let isEmpty = true;
  let hasAll = true;
  for (const [name, value] of Object.entries<unknown>(Object(named))) {
    if (value !== undefined && isFilter(collection, name)) {
      const text = own(listArgs, name);
      isEmpty = false;
      hasAll &&= text !== undefined;
      setField(wanted, name, text);
    }
  }
  // A single argument is the record.
  if (body.length === 0 || isEmpty) {
    return listArgs;
  }
  const isFiltered = Object.keys(listArgs).some((name) => isFilter(collection, name));
  return hasAll ? wanted : isFiltered ? listArgs : undefined;
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
