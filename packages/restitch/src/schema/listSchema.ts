import type { CollectionEdit } from './CollectionEdit.js';
import { identityOfList } from './homes.js';
import { isObject } from './same.js';

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
  const inBody = fieldInBody(cursor);
  const field = inBody ?? cursor;
  // The body comes last.
  const place = inBody !== undefined && args.length > 1 ? 1 : 0;
  return identityOfList(
    collection,
    args.map((arg, index) => (index === place ? without(arg, field) : arg)),
  );
}

const IN_BODY = /^body\./;

/** The member of the body that a cursor names; undefined where it names a search parameter. */
export function fieldInBody(cursor: string): string | undefined {
  return IN_BODY.test(cursor) ? cursor.replace(IN_BODY, '') : undefined;
}

/** An object without one of its members, or without that of an object in it, as in `page[number]`. */
function without(arg: unknown, field: string): unknown {
  if (!isObject(arg)) {
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
  const isEmpty = isObject(remaining) && Object.keys(remaining).length === 0;
  return isEmpty ? others : { ...others, [outer]: remaining };
}
