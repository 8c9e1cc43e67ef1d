import type { Collection, ListArgs } from '../../schema/Collection.js';
import { isPlain } from '../../schema/same.js';
import type { CollectionShape, Shape } from '../../schema/shapes.js';
import { equal, own } from '../cells/plainValues.js';
import { listArgs, storedArgs } from '../cells/keys.js';
import type { Context, Owner } from './Normalized.js';

/** Values that identify nothing: otherwise, the lists of all records with this value would be one. */
const EMPTY: readonly unknown[] = [undefined, null, '', NaN];

/** Fields of the key that a partial record lacks come from the stored record. */
export function nestedArgs(
  context: Context,
  { collection }: CollectionShape,
  owner: Owner,
  key = '',
): ListArgs {
  const whole = { ...storedOf(context, owner), ...owner.record };
  return keyIn(collection, whole, key) ?? listArgs(ownedBy(owner, key));
}

/**
 * A record without a list, or without an object of lists, can change the fields of `nestKey`. Returns
 * the changed references to the lists.
 */
export function changedLists(
  context: Context,
  shape: Shape,
  owner: Owner,
  key: string = owner.field,
  before: unknown = own(storedOf(context, owner), key),
): object | undefined {
  if (shape.kind === 'object' && isPlain(before)) {
    let next: object | undefined;
    for (const [field, part] of shape.fields) {
      const changed = changedLists(context, part, owner, field, own(before, field) ?? null);
      next = changed ? { ...(next ?? before), [field]: changed } : next;
    }
    return next;
  }
  if (shape.kind !== 'collection' || storedArgs(before) !== before) {
    return undefined;
  }
  const next = nestedArgs(context, shape, owner, key);
  const wasEmpty = '@owner' in next && !keyIn(shape.collection, storedOf(context, owner), key);
  return wasEmpty || equal(next, before) ? undefined : next;
}

function storedOf({ options }: Context, { row: { shape, pk } }: Owner): object {
  return Object(options.stored?.(shape, pk));
}

/** A stored relation is a primary key, so a `nestKey` that reads a record in it can throw. */
function keyIn(collection: Collection, record: object, key: string): ListArgs | undefined {
  let named: object | undefined;
  try {
    named = collection.nestKey(record, key);
  } catch {
    return undefined;
  }
  return !named || Object.values(named).some((value) => EMPTY.includes(value))
    ? undefined
    : listArgs(Object(named));
}

/** The position distinguishes lists with the same name, such as a list in each item of an array. */
function ownedBy(owner: Owner, key: string): object {
  const { row, field } = owner;
  owner.lists ??= new Map();
  const position = owner.lists.get(key) ?? 0;
  owner.lists.set(key, position + 1);
  return { '@owner': [row.shape.table, row.pk, field, key, position] };
}
