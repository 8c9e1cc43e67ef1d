import type { Collection, ListArgs } from '../../schema/Collection.js';
import type { Arrange } from '../journal/operations.js';

/** The members of an endpoint's `pagination` that the store uses. */
export interface Paging {
  /** Returns the function that places a response in the list. */
  arrangeFor(response: unknown, args: readonly unknown[], listArgs: ListArgs): Arrange;
}

export function pagingOf(collection: Collection): Paging | undefined {
  // The cast: a bound collection has the `pagination` of its endpoint.
  return (collection as { readonly '~pagination'?: Paging | undefined })['~pagination'];
}
