import type { CollectionEdit } from './CollectionEdit.js';
import { identityOfList } from './listHomes.js';
import { isObject } from './same.js';

export function identityOfPage(
  { collection, options: { cursor } }: CollectionEdit,
  args: readonly unknown[],
): unknown {
  const remove = typeof cursor === 'string' ? () => withoutPage(args, cursor) : cursor;
  return identityOfList(collection, remove?.(...args) ?? args);
}

export function withoutPage(args: readonly unknown[], cursor: string): readonly unknown[] {
  const inBody = fieldInBody(cursor);
  const field = inBody ?? cursor;
  // The body is the last argument.
  const place = inBody !== undefined && args.length > 1 ? 1 : 0;
  return args.map((arg, index) => (index === place ? without(arg, field) : arg));
}

/** Returns `page` for `body.page`, and undefined for a cursor outside of the body. */
export function fieldInBody(cursor: string): string | undefined {
  return /^body\.(.*)/s.exec(cursor)?.[1];
}

function without(arg: unknown, field: string): unknown {
  if (!isObject(arg)) {
    return arg;
  }
  const { [field]: _, ...rest }: Readonly<Record<string, unknown>> = { ...arg };
  const [, outer, inner] = /^(.+)\[(.+)\]$/.exec(field) ?? [];
  if (!outer || !inner || !(outer in rest)) {
    return rest;
  }
  const { [outer]: whole, ...others } = rest;
  const remaining = without(whole, inner);
  // `{ page: { number: 2 } }` becomes `{}`, like the arguments of the first page.
  const isEmpty = isObject(remaining) && Object.keys(remaining).length === 0;
  return isEmpty ? others : { ...others, [outer]: remaining };
}
