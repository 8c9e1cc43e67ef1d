import type { CollectionShape } from '../schema/shapes.js';
import type { Listing } from '../store/cells/Cell.js';
import type { Store } from '../store/cells/Store.js';
import { oldestStart } from '../store/journal/responseOrder.js';
import { collect } from '../store/views/walkReferences.js';

/**
 * Returns the value of each member. `items`, the list for readers, lacks the hidden rows: rows that
 * `process` dropped, that `createIfValid` refused, or that lack a required related row.
 */
export function valuesOf(
  store: Store,
  { member }: CollectionShape,
  { members }: Listing,
  items: readonly unknown[],
): readonly unknown[] {
  return items.length === members.length
    ? items
    : members.map((row) => {
        const [node] = collect(store, member, row);
        return node ? node.value : row;
      });
}

/** Finds rows that became hidden, although they are still stored. */
export class HiddenRows {
  #items: readonly unknown[] | undefined;
  readonly #visible = new Set<unknown>();
  /** False if a mutation was in flight at the last call. */
  #isQuiet = true;

  /**
   * For example, the program deleted the required author of a post. The server may have deleted the
   * post, too, so the pages must be loaded again. Returns true only once for each hidden row, and
   * not before all mutations have ended: a failed mutation shows the row again.
   */
  hasNew(
    store: Store,
    shape: CollectionShape,
    listing: Listing | undefined,
    items: unknown,
  ): boolean {
    const isQuiet = oldestStart(store, 'mutation') === Infinity;
    const isSame = items === this.#items && (this.#isQuiet || !isQuiet);
    if (!listing || !Array.isArray(items) || isSame) {
      return false;
    }
    this.#items = items;
    this.#isQuiet = isQuiet;
    const { members } = listing;
    const values = valuesOf(store, shape, listing, items);
    const isStored = (row: unknown): boolean =>
      collect(store, shape.member, row).some(({ cell }) => cell.current);
    const hasNew = members.some(
      (row, at) => values[at] === undefined && this.#visible.has(row) && isStored(row),
    );
    if (isQuiet) {
      this.#visible.clear();
    }
    members.forEach((row, at) => values[at] !== undefined && this.#visible.add(row));
    return hasNew && isQuiet;
  }
}
