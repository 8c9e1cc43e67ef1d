import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import { knownCell, noteUse } from '../store/cells/tables.js';
import { refold } from '../store/journal/fold.js';
import { applyToList } from '../store/lists/members.js';
import { replayLog } from '../store/lists/listLog.js';
import type { Cell, Fields, Listing, Stored } from '../store/cells/Cell.js';
import type { ListTable, RowTable, Store } from '../store/cells/Store.js';
import { type Fitting, fittingFields, isReadable, MISFIT } from './fieldDeclarations.js';
import { combined, type HydratedState, type Waiting } from './hydrated.js';
import { isObject } from '../store/cells/plainValues.js';
import { baseOf, setBase } from '../store/journal/patches.js';
import { refetchUnnamed } from '../store/optimistic/createdRows.js';

export function fillTable(
  store: Store,
  hydrated: HydratedState,
  table: RowTable | ListTable,
): void {
  const tables = hydrated[table.kind];
  const waiting = tables.get(table.key);
  tables.delete(table.key);
  fillFields(store, hydrated, table);
  for (const [pk, part] of waiting ?? []) {
    const cell = waitingCell(table, pk, part);
    noteUse(store, cell);
    store.observer?.cell(cell);
    const { stored, meta } = readWaiting(store, hydrated, cell, part);
    cell.lifetime = meta;
    if (!stored) {
      continue;
    }
    hydrated.cells.set(cell, stored);
    if (table.kind === 'rows') {
      cell.current = stored;
      continue;
    }
    hydrated.presumed.add(cell);
    // `replayLog` adds patches only while the list has no base. A later part of the page replaces
    // the base, so creates and deletes must be patches.
    replayLog(store, cell);
    setBase(cell, withoutRemoved(hydrated, cell, stored));
    refold(store, cell, 0);
    refetchUnnamed(store, cell);
  }
}

function withoutRemoved({ removals }: HydratedState, { list }: Cell, stored: Stored): Stored {
  let rest = stored;
  for (const { operationFor } of removals) {
    const removal = list && operationFor(list);
    rest = typeof removal === 'object' ? applyToList(rest, removal) : rest;
  }
  return rest;
}

/** Adds the hydrated fields that only a new class of the table can read. */
function fillFields(store: Store, hydrated: HydratedState, table: RowTable | ListTable): void {
  // `readWaiting` puts rows with unread fields back, so the loop needs a copy.
  const partial = Array.from(hydrated.partial);
  for (const [cell, part] of partial) {
    const base = baseOf(cell);
    if (cell.table !== table || table.cells.get(cell.pk) !== cell || !isObject(base)) {
      continue;
    }
    hydrated.partial.delete(cell);
    const { stored, meta } = readWaiting(store, hydrated, cell, part);
    const filled = combined(base, stored, false);
    const page = hydrated.cells.get(cell);
    hydrated.cells.set(cell, page === base ? filled : combined(page, stored, false));
    const { isIncomplete, tick } = cell.lifetime;
    cell.lifetime = {
      ...cell.lifetime,
      // After a response, the row counts as complete.
      isIncomplete: (isIncomplete === true || tick === undefined) && meta.isIncomplete === true,
    };
    if (cell.stack) {
      setBase(cell, filled);
      refold(store, cell, 0);
    } else {
      cell.current = filled;
    }
  }
}

/**
 * Returns the fields that this program can read. `stored` is undefined if there are none. The other
 * fields of a row wait for further classes.
 */
export function readWaiting(
  store: Store,
  hydrated: HydratedState,
  cell: Cell,
  waiting: Waiting,
): Waiting {
  const { table, pk } = cell;
  const { stored, declared, meta } = waiting;
  if (!stored || table.kind === 'selection') {
    return waiting;
  }
  const fitting =
    table.kind === 'rows'
      ? // The cast: only rows wait for a table of rows.
        fittingFields(table.shapes, stored as Fields, pk, declared)
      : fittingList(table, stored);
  const { isMisfit } = fitting;
  if (isMisfit || fitting.isWaiting) {
    hydrated.partial.set(cell, waiting);
  }
  if (isMisfit && !hydrated.isReported) {
    hydrated.isReported = true;
    const message = isDevelopment
      ? `${table.key} '${pk}': hydrated state does not fit the class.`
      : `${table.key} ${pk}`;
    store.report(new RestitchError('other-class', message));
  }
  const isIncomplete = waiting.isIncomplete || fitting.isIncomplete;
  return { stored: fitting.stored, meta: isIncomplete ? { ...meta, isIncomplete } : meta };
}

function fittingList({ list }: ListTable, stored: Stored): Fitting {
  // The cast: only lists wait for a table of lists.
  return isReadable({ kind: 'array', member: list.member }, (stored as Listing).members)
    ? { stored, isWaiting: false, isIncomplete: false, isMisfit: false }
    : MISFIT;
}

/** A list gets the first `Collection` of its table, until an endpoint reads it with another one. */
export function waitingCell(table: RowTable | ListTable, pk: string, { args }: Waiting): Cell {
  const list = table.kind === 'lists' && args ? { args, shape: table.list } : undefined;
  return knownCell(table, pk, list);
}
