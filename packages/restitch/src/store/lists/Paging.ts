import type { ListArgs } from '../../schema/Collection.js';
import type { Arrange } from '../journal/operations.js';

/** The part of an endpoint's `pagination` that the store uses. */
export interface Paging {
  arrangeFor(response: unknown, args: readonly unknown[], listArgs: ListArgs): Arrange;
}
