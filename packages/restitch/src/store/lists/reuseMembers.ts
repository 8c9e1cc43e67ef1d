import { equal, isObject } from '../cells/plainValues.js';
import type { Stored } from '../cells/Cell.js';
import { isListing } from './members.js';

/** A row of a union without a class has no key, so it is the same row if its content is equal. */
export function reuseMembers(before: Stored, sent: readonly unknown[]): readonly unknown[] {
  const rows = [...sent];
  const reused = new Set<unknown>();
  for (const known of isListing(before) ? before.members : []) {
    const isSame = (row: unknown): boolean => !reused.has(row) && equal(known, row);
    const index = isObject(known) ? rows.findIndex(isSame) : -1;
    if (index >= 0) {
      rows[index] = known;
      reused.add(known);
    }
  }
  return rows;
}
