import type { Listing } from '../cells/Cell.js';
import type { Arrange } from '../journal/operations.js';

/** Set by the first pagination, so that an application without infinite lists need not load it. */
export const markedLists: {
  replace?: (before: Listing, now: Listing, isWrite: boolean) => Listing;
} = {};

/** The part of an endpoint's `pagination` that the store uses. */
export interface Paging {
  /** `requestArgs` also has the default search parameters of the endpoint. */
  arrangeFor(response: unknown, args: readonly unknown[], requestArgs: readonly unknown[]): Arrange;
}
