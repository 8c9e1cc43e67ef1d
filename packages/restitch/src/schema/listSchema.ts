import type { Collection, CollectionAction, CollectionEdit } from './Collection.js';
import { collectionsIn, identityOfList, isPlainSchema } from './homes.js';
import type { Schema } from './Schema.js';
import { Values } from './Values.js';

/** What identifies the list that a page belongs to. */
export function identityOfPage(
  { collection, options: { cursor } }: CollectionEdit,
  args: readonly unknown[],
): unknown {
  if (typeof cursor === 'function') {
    return identityOfList(collection, cursor(...args));
  }
  const [params, ...rest] = args;
  if (cursor === undefined || typeof params !== 'object' || params === null) {
    return identityOfList(collection, args);
  }
  const { [cursor]: _, ...remaining }: Readonly<Record<string, unknown>> = { ...params };
  return identityOfList(collection, [remaining, ...rest]);
}

/** Finds the collection in a schema, however deep it lies. */
export function collectionOf(schema: Schema): Collection | undefined {
  const [collection] = collectionsIn(schema);
  return collection;
}

/** Whether an action makes sense for a collection: members of a map have keys, those of a list have places. */
export function edits({ schema }: Collection, action: CollectionAction): boolean {
  const isMap = schema instanceof Values;
  return action === 'assign' ? isMap : !isMap || (action !== 'push' && action !== 'unshift');
}

/** The schema of a further page: as that of the list, with its collection replaced by `page`. */
export function pageSchema(schema: Schema, collection: Collection, page: Schema): Schema {
  if (schema === collection) {
    return page;
  }
  return isPlainSchema(schema)
    ? Object.fromEntries(
        Object.entries(schema).map(([field, part]) => [field, pageSchema(part, collection, page)]),
      )
    : schema;
}
