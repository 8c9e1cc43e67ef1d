import type { Collection } from './Collection.js';
import { CollectionClass } from './collectionClass.js';
import type { CollectionAction, CollectionEdit } from './CollectionEdit.js';
import { identityOfList, listsIn, withLists } from './homes.js';
import { isKind } from './kind.js';
import type { Schema } from './Schema.js';

/** What identifies the list that a page belongs to. */
export function identityOfPage(
  { collection, options: { cursor } }: CollectionEdit,
  args: readonly unknown[],
): unknown {
  if (typeof cursor === 'function') {
    return identityOfList(collection, cursor(...args));
  }
  if (cursor === undefined) {
    return identityOfList(collection, args);
  }
  const field = cursor.replace(IN_BODY, '');
  // The body comes last.
  const place = isInBody(cursor) && args.length > 1 ? 1 : 0;
  return identityOfList(
    collection,
    args.map((arg, index) => (index === place ? without(arg, field) : arg)),
  );
}

const IN_BODY = /^body\./;

/** Whether a cursor is the name of a member of the body, rather than of a search parameter. */
export function isInBody(cursor: string): boolean {
  return IN_BODY.test(cursor);
}

/** An object without one of its members, or without that of an object in it, as in `page[number]`. */
function without(arg: unknown, field: string): unknown {
  if (typeof arg !== 'object' || arg === null) {
    return arg;
  }
  const { [field]: _, ...rest }: Readonly<Record<string, unknown>> = { ...arg };
  const [, outer, inner] = /^(.+)\[(.+)\]$/.exec(field) ?? [];
  if (outer === undefined || inner === undefined || !(outer in rest)) {
    return rest;
  }
  const { [outer]: whole, ...others } = rest;
  const remaining = without(whole, inner);
  // Nothing but the page: the list is asked for without it.
  const isEmpty =
    typeof remaining === 'object' && remaining !== null && Object.keys(remaining).length === 0;
  return isEmpty ? others : { ...others, [outer]: remaining };
}

/** Finds the collection in a schema, however deep it lies. */
export function collectionOf(schema: Schema): Collection | undefined {
  return [...listsIn(schema)].find((list) => list instanceof CollectionClass);
}

/** Whether an action makes sense for a collection: members of a map have keys, those of a list have places. */
export function edits({ schema }: Collection, action: CollectionAction): boolean {
  const isMap = isKind(schema, 'values');
  return action === 'assign' ? isMap : !isMap || (action !== 'push' && action !== 'unshift');
}

/** The schema of a further page: as that of the list, with its collection replaced by `page`. */
export function pageSchema(schema: Schema, collection: Collection, page: Schema): Schema {
  return withLists(schema, (list) => (list === collection ? page : list));
}
