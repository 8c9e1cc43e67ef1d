import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import { knownCell, noteUse } from '../store/cells/tables.js';
import { refold } from '../store/journal/fold.js';
import { applyToList } from '../store/lists/members.js';
import { replayLog } from '../store/lists/listLog.js';
import type { Cell, Fields, Listing } from '../store/cells/Cell.js';
import type { ListTable, RowTable, Store } from '../store/cells/Store.js';
import { fittingFields, isReadable } from './fieldDeclarations.js';
import type { HydratedState, Waiting } from './hydrated.js';
import { refetchUnnamed } from '../store/optimistic/createdRows.js';

/**
 * Fills a new table with the rows or lists that wait for it. Records that were deleted meanwhile
 * are removed from the lists.
 */
export function fillTable(
  store: Store,
  hydrated: HydratedState,
  table: RowTable | ListTable,
): void {
  const tables = hydrated[table.kind];
  const waiting = tables.get(table.key);
  tables.delete(table.key);
  for (const [pk, part] of waiting ?? []) {
    const cell = waitingCell(table, pk, part);
    noteUse(store, cell);
    store.observer?.cell(cell);
    const { stored, meta } = readWaiting(store, hydrated, cell, part);
    cell.lifetime = meta;
    if (!stored) {
      continue;
    }
    cell.current = stored;
    for (const { operationFor } of table.kind === 'lists' ? hydrated.removals : []) {
      const removal = operationFor(cell);
      cell.current = removal ? applyToList(cell.current, removal) : cell.current;
    }
    hydrated.cells.set(cell, stored);
    if (table.kind === 'lists') {
      hydrated.presumed.add(cell);
      // A hydrated list must not miss the changes in the log.
      replayLog(store, cell);
      refold(store, cell, 0);
      refetchUnnamed(store, cell);
    }
  }
}

/**
 * Returns the part of a waiting row or list that this program can read. `stored` is undefined if
 * the program can read no part.
 */
export function readWaiting(
  store: Store,
  hydrated: HydratedState,
  { table, pk }: Cell,
  waiting: Waiting,
): Waiting {
  const { stored, declared, meta, isIncomplete } = waiting;
  if (!stored || table.kind === 'selection') {
    return waiting;
  }
  const read =
    table.kind === 'rows'
      ? // The cast: only rows wait for a table of rows.
        fittingFields(table.shapes, stored as Fields, pk, declared)
      : isReadable({ kind: 'array', member: table.list.member }, (stored as Listing).members)
        ? stored
        : undefined;
  if (read !== stored && !hydrated.isReported) {
    hydrated.isReported = true;
    const message = isDevelopment
      ? `${table.key} '${pk}': hydrated state does not fit the class.`
      : `${table.key} ${pk}`;
    store.report(new RestitchError('other-class', message));
  }
  return read === stored && !isIncomplete
    ? waiting
    : { stored: read, meta: { ...meta, isIncomplete: true } };
}

/** The cell of a list gets the collection that first used the table of the list. */
export function waitingCell(table: RowTable | ListTable, pk: string, { args }: Waiting): Cell {
  const list = table.kind === 'lists' && args ? { args, shape: table.list } : undefined;
  return knownCell(table, pk, list);
}
