/**
 * What state from elsewhere may be brought so that the rules say what comes of it. It goes under all that is known; but where a
 * function, a deletion or an addition became final, what was under it is forgotten, and the store takes what it has for the lowest.
 */
import type { Effects, RowKey } from './effects.js';
import { concerns } from './folds.js';
import type { IssuePayload, ListName } from './program.js';
import { inRankOrder, type Ranked } from './rank.js';

interface Said extends Ranked {
  readonly effects: Effects;
}

/**
 * Whether the known part of a list is whole, or nothing was ever said of it. A page that came when nothing was known is forgotten.
 * So is an addition which ranks below the first response: only an optimistic update could still see the list without it. No
 * optimistic update that could run again may be final.
 */
export function mayFillInList(said: readonly Said[], list: ListName): boolean {
  const entries = said.flatMap((by) =>
    by.effects.operations
      .filter((operation) => concerns(operation, list))
      .map((what) => ({ by, what })),
  );
  const optimisticUpdates = said.filter(({ effects }) =>
    effects.patches.some(({ kind }) => kind === 'layer'),
  );
  const isWhole =
    optimisticUpdates.length === 0
      ? entries.some(({ what }) => what.kind === 'replace')
      : inRankOrder(entries)[0]?.what.kind === 'replace';
  return (
    (entries.length === 0 || (isWhole && !entries.some(({ what }) => what.kind === 'page'))) &&
    optimisticUpdates.every(({ settle }) => settle === undefined)
  );
}

/** Whether all that is said of a row, and of the author in it, are fields which make the row, or optimistic updates which may yet do so. */
export function mayFillInRow(said: readonly Said[], { id, author }: IssuePayload): boolean {
  const cells: RowKey[] = [`Issue:${id}`];
  if (typeof author === 'object' && author !== null) cells.push(`User:${author.id}`);
  return said.every(({ settle, effects }) =>
    effects.patches.every(
      (patch) =>
        !cells.includes(patch.cell) ||
        (patch.kind === 'fields' ? patch.creates || settle === undefined : settle === undefined),
    ),
  );
}
