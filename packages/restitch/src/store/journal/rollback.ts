import { rowCell } from '../cells/tables.js';
import { metaOf, noteMeta } from './requestTimes.js';
import type { NormalizedResponse } from '../normalize/Normalized.js';
import { retain, patchesOf } from './patches.js';
import { isPending } from './rank.js';
import type { Store } from '../cells/Store.js';

/** Remembers the rows of a response. The returned function restores them. */
export function rememberRows(store: Store, { rows }: NormalizedResponse): () => void {
  // All cells are created first, because the last one can add a class that orders records by time.
  const cells = rows.map(({ shape, pk }) => rowCell(store, shape, pk));
  const saved = cells.map((cell) => {
    const { current, lifetime, stack } = cell;
    return {
      cell,
      before: {
        current,
        lifetime,
        stack: stack && { ...stack, patches: [...stack.patches] },
      },
      meta: metaOf(cell),
    };
  });
  return () => {
    for (const { cell, before, meta } of saved) {
      Object.assign(cell, before);
      noteMeta(cell, meta);
      // Patches that folded with the response are patches again.
      for (const { transaction } of patchesOf(cell)) {
        retain(transaction, cell);
        if (!isPending(transaction)) {
          store.unfolded.add(transaction);
        }
      }
    }
  };
}
