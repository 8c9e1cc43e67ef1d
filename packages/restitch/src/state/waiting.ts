import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import { knownCell, noteUse } from '../store/cells/tables.js';
import { refold } from '../store/journal/fold.js';
import { applyToList } from '../store/lists/members.js';
import { replayLog } from '../store/lists/listLog.js';
import type { Cell, Fields, Listing } from '../store/cells/Cell.js';
import type { ListTable, RowTable, Store } from '../store/cells/Store.js';
import { doubtUnnamed } from '../store/optimistic/unnamedRows.js';
import { fittingFields, isReadable } from './declarations.js';
import type { HydratedState, Waiting } from './hydrated.js';

/** Fills a table that is being made with what waits for it. What was deleted meanwhile leaves its lists. */
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
    const { stored, meta } = readWaiting(store, hydrated, cell, part);
    cell.lifetime = meta;
    if (!stored) {
      continue;
    }
    cell.shown = stored;
    for (const { operationFor } of table.kind === 'lists' ? hydrated.removals : []) {
      const removal = operationFor(cell);
      cell.shown = removal ? applyToList(cell.shown, removal) : cell.shown;
    }
    hydrated.cells.set(cell, stored);
    if (table.kind === 'lists') {
      hydrated.presumed.add(cell);
      // A list that is taken up must not miss what the log says of it.
      replayLog(store, cell);
      refold(store, cell, 0);
      doubtUnnamed(store, cell);
    }
  }
}

/** What of a part this program can read: nothing is stored where that is nothing. */
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
      ? // The cast: what waits for a table of rows is one.
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

/** The cell that something waits for; a list is then known by the collection that was first seen with its members. */
export function waitingCell(table: RowTable | ListTable, pk: string, { args }: Waiting): Cell {
  const list = table.kind === 'lists' && args ? { args, shape: table.list } : undefined;
  return knownCell(table, pk, list);
}
