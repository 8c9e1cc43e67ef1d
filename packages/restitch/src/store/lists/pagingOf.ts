import type { Collection, ListArgs } from '../../schema/Collection.js';
import type { Arrange } from '../journal/operations.js';

/** The part of an endpoint's `pagination` that the store uses. */
export interface Paging {
  arrangeFor(response: unknown, args: readonly unknown[], listArgs: ListArgs): Arrange;
}

export function pagingOf(collection: Collection): Paging | undefined {
  // The cast: a bound collection has the `pagination` of its endpoint.
  return (collection as { readonly $pagination?: Paging | undefined }).$pagination;
}
