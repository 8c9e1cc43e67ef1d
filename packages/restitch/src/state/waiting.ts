import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import { knownCell, noteUse } from '../store/cells/tables.js';
import { refold } from '../store/journal/fold.js';
import { editAll } from '../store/lists/members.js';
import { removalOf, replayLog } from '../store/lists/listLog.js';
import type { Cell, Fields, Listing, Stored } from '../store/cells/Cell.js';
import type { ListEdit } from '../store/journal/operations.js';
import type { ListTable, RowTable, Store } from '../store/cells/Store.js';
import { type Fitting, fittingFields, isReadable, misfit } from './fieldDeclarations.js';
import { combined, type HydratedState, joined, type Waiting } from './hydrated.js';
import { noteLost, noteRemoved } from './incomplete.js';
import { mapFields, NOT_JSON } from './json.js';
import { isObject, own } from '../store/cells/plainValues.js';
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
    if (stored === undefined) {
      continue;
    }
    if (stored === null) {
      noteRemoved(hydrated, cell);
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

/** Returns a list without the rows that were deleted while it waited. */
export function withoutRemoved(
  { removals }: HydratedState,
  { list }: Cell,
  stored: Stored,
): Stored {
  const edits: ListEdit[] = [];
  if (list) {
    for (const [table, pks] of removals) {
      for (const pk of pks) {
        edits.push(removalOf({ table }, pk, list));
      }
    }
  }
  return edits.length > 0 ? editAll(stored, edits) : stored;
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
    const { stored } = readWaiting(store, hydrated, cell, part);
    // The other fields are in the row already, where later changes may have removed them.
    const read = isObject(stored)
      ? mapFields(stored, (value, field) => (part.unread.has(field) ? value : NOT_JSON))
      : stored;
    const filled = combined(base, read, false);
    const page = hydrated.cells.get(cell);
    hydrated.cells.set(cell, page === base ? filled : combined(page, read, false));
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
  isNewer = false,
): Waiting {
  const { table, pk } = cell;
  if (!waiting.stored || table.kind === 'selection') {
    return waiting;
  }
  const fitting =
    table.kind === 'rows'
      ? // The cast: only rows wait for a table of rows.
        fittingFields(table.shapes, waiting.stored as Fields, pk, waiting.declared)
      : fittingList(table, waiting.stored);
  const { stored, unread, unfit } = fitting;
  if (unread.size > 0 || fitting.hasOthers) {
    const before = hydrated.partial.get(cell);
    const isKept = (field: string): boolean => own(Object(waiting.stored), field) === undefined;
    hydrated.partial.set(cell, {
      ...(before ? joined(before, waiting, isNewer) : waiting),
      unread: new Set([...(before?.unread ?? []), ...unread]),
      unfit: new Set([...[...(before?.unfit ?? [])].filter(isKept), ...unfit]),
    });
  }
  if (unfit.size > 0 && !hydrated.isReported) {
    hydrated.isReported = true;
    const message = isDevelopment
      ? `${table.key} '${pk}': hydrated state does not fit the class.`
      : `${table.key} ${pk}`;
    store.report(new RestitchError('other-class', message));
  }
  const lost = [...(waiting.lost ?? []), ...fitting.lost];
  const base = Object(baseOf(cell));
  if (isNewer) {
    const found = hydrated.lostFields[table.kind].get(table.key)?.get(pk);
    Object.keys(Object(stored)).forEach((field) => found?.delete(field));
    noteLost(hydrated, table, pk, lost, { ...base, ...stored });
  } else {
    // A field that the row has is newer.
    const lacking = lost.filter((field) => own(base, field) === undefined);
    noteLost(hydrated, table, pk, lacking, stored);
  }
  return { ...waiting, stored, lost };
}

function fittingList({ list }: ListTable, stored: Stored): Fitting {
  // The cast: only lists wait for a table of lists.
  return isReadable({ kind: 'array', member: list.member }, (stored as Listing).members)
    ? { stored, unread: NONE, unfit: NONE, lost: NONE, hasOthers: false }
    : { ...misfit(MEMBERS), unread: NONE };
}

const NONE: ReadonlySet<string> = new Set();
const MEMBERS = { members: [] };

/** A list gets the first `Collection` of its table, until an endpoint reads it with another one. */
export function waitingCell(table: RowTable | ListTable, pk: string, { args }: Waiting): Cell {
  const list = table.kind === 'lists' && args ? { args, shape: table.list } : undefined;
  return knownCell(table, pk, list);
}
