import { Collection, type CollectionAction, type CollectionEdit } from './Collection.js';
import type { Schema } from './Schema.js';
import { Values } from './Values.js';

/** What identifies the list that a page belongs to. */
export function identityOfPage(
  { collection, options: { cursor } }: CollectionEdit,
  args: readonly unknown[],
): unknown {
  if (typeof cursor === 'function') {
    return collection.argsKey(...cursor(...args));
  }
  const [params, ...rest] = args;
  if (cursor === undefined || typeof params !== 'object' || params === null) {
    return collection.argsKey(...args);
  }
  const { [cursor]: _, ...remaining }: Readonly<Record<string, unknown>> = { ...params };
  return collection.argsKey(remaining, ...rest);
}

/** Finds the collection in a schema that is one, or is a plain object that holds one. */
export function collectionOf(schema: Schema): Collection | undefined {
  if (schema instanceof Collection) {
    return schema;
  }
  return isPlainSchema(schema)
    ? Object.values(schema).find((part) => part instanceof Collection)
    : undefined;
}

/** Whether an action makes sense for a collection: members of a map have keys, those of a list have places. */
export function edits({ schema }: Collection, action: CollectionAction): boolean {
  const isMap = schema instanceof Values;
  return action === 'assign' ? isMap : !isMap || (action !== 'push' && action !== 'unshift');
}

/** The schema of a further page: as that of the list, with its collection replaced by `page`. */
export function pageSchema(schema: Schema, collection: Collection, page: Schema): Schema {
  return isPlainSchema(schema)
    ? Object.fromEntries(
        Object.entries(schema).map(([field, part]) => [field, part === collection ? page : part]),
      )
    : page;
}

function isPlainSchema(schema: Schema): schema is Readonly<Record<string, Schema>> {
  return (
    typeof schema === 'object' &&
    schema !== null &&
    Object.getPrototypeOf(schema) === Object.prototype
  );
}
