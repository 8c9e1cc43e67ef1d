/**
 * What state from elsewhere may be brought so that the rules say what comes of it. It goes under all that is known; but where a
 * function, a deletion or an addition became final, what was under it is forgotten, and the store takes what it has for the lowest.
 */
import type { Effects, RowKey } from './effects.js';
import { concerns } from './folds.js';
import type { IssuePayload, ListName } from './program.js';

interface Said {
  readonly settle: number | undefined;
  readonly effects: Effects;
}

/**
 * Whether what is known of a list is whole, or nothing was ever said of it. A page that came when nothing was known is forgotten. No
 * guess that could run again may be final.
 */
export function mayFillInList(said: readonly Said[], list: ListName): boolean {
  const operations = said.flatMap(({ effects }) => effects.operations);
  const answers = (asked: 'replace' | 'page'): boolean =>
    operations.some(
      ({ kind, ...about }) => kind === asked && 'list' in about && about.list === list,
    );
  const isKnown = answers('replace') && !answers('page');
  return (
    (isKnown || !operations.some((operation) => concerns(operation, list))) &&
    !said.some(
      ({ settle, effects }) =>
        settle !== undefined && effects.patches.some(({ kind }) => kind === 'layer'),
    )
  );
}

/** Whether all that is said of a row, and of the author in it, are fields which make the row, or guesses which may yet do so. */
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
