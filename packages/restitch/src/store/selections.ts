import type { EntityShape } from '../schema/shape.js';
import { createCell, rowTable } from './cells.js';
import { isFields, touch } from './fold.js';
import { pkText } from './keys.js';
import { isListing, wholeList } from './listing.js';
import { nodeList } from './nodes.js';
import { own } from './record.js';
import type { Cell, Index, Listing, RowTable, Selection, Store, Stored } from './state.js';

/**
 * Selections: rows of one table that are read together, all of them or those with one value in an indexed field. Each is a
 * cell whose members are primary keys, so that views show it as they show a list.
 *
 * ```
 *   a row changes ──▶ table.changed ──▶ (end of the commit, or next look) ──▶ the selections that it enters or leaves
 * ```
 *
 * None exists before somebody asks. A write then costs what it changed, never the size of the table.
 */

/** The cell of all rows of a class. */
export function allCell(store: Store, shape: EntityShape): Cell {
  const table = rowTable(store, shape);
  if (!table.all) {
    table.all = createSelection(table, undefined, '');
    watch(table, (row) => enterAll(row, table.all));
    table.all.cell.shown = membersOf(table.all);
  }
  updateSelections(store);
  return table.all.cell;
}

/** The cell of the rows that have a value in an indexed field. It is kept while somebody shows it. */
export function indexCell(store: Store, shape: EntityShape, field: string, text: string): Cell {
  const table = rowTable(store, shape);
  const { rows, selections } = indexOf(table, field);
  updateSelections(store);
  let selection = selections.get(text);
  if (!selection) {
    selection = createSelection(table, field, text);
    selection.rows = rows.get(text) ?? selection.rows;
    selection.cell.shown = membersOf(selection);
    selections.set(text, selection);
  }
  return selection.cell;
}

/** The row that has a value in an indexed field; of several, the one that came to it last. */
export function indexedRow(
  store: Store,
  shape: EntityShape,
  field: string,
  text: string,
): Cell | undefined {
  const index = indexOf(rowTable(store, shape), field);
  updateSelections(store);
  return [...(index.rows.get(text) ?? [])].at(-1);
}

/** Brings every selection up to date with the rows that changed. */
export function updateSelections(store: Store): void {
  for (const table of store.changedTables) {
    const { changed, all, isRenamed } = table;
    table.changed = new Set();
    table.isRenamed = false;
    if (all && changed) {
      updateAll(store, all, changed, isRenamed);
    }
    for (const index of table.indexes.values()) {
      updateIndex(store, index, changed ?? [], isRenamed);
    }
  }
  store.changedTables.clear();
}

function updateAll(
  store: Store,
  selection: Selection,
  changed: Iterable<Cell>,
  isRenamed: boolean,
): void {
  const { rows, cell } = selection;
  const count = rows.size;
  const wasKnown = selection.isKnown;
  let isOther = isRenamed;
  const added: string[] = [];
  for (const row of changed) {
    if (!isFields(row.shown)) {
      isOther = rows.delete(row) || isOther;
      // A row that was taken back rather than deleted was never there.
      selection.isKnown ||= row.shown === null;
    } else if (!rows.has(row)) {
      enterAll(row, selection);
      added.push(row.pk);
    }
  }
  if (isOther || rows.size !== count || selection.isKnown !== wasKnown) {
    touch(store, cell, 0);
    const before = isListing(cell.shown) && !isOther ? cell.shown : undefined;
    cell.shown = before ? listing([...before.members, ...added]) : membersOf(selection);
  }
}

function enterAll(row: Cell, selection: Selection | undefined): void {
  if (selection && isFields(row.shown)) {
    selection.rows.add(row);
  } else if (selection && row.shown === null) {
    selection.isKnown = true;
  }
}

function updateIndex(
  store: Store,
  index: Index,
  changed: Iterable<Cell>,
  isRenamed: boolean,
): void {
  const moved = new Set<string>(isRenamed ? index.selections.keys() : []);
  for (const row of changed) {
    const before = index.texts.get(row);
    const after = textOf(row.shown, index.field);
    if (before !== after) {
      leave(index, row, before);
      enter(index, row, after);
      moved.add(before ?? '').add(after ?? '');
    }
  }
  for (const text of moved) {
    const selection = index.selections.get(text);
    if (!selection) {
      continue;
    }
    if (
      !nodeList(selection.cell.nodes).some(({ parents }) => parents) &&
      !store.watchers.has(selection.cell)
    ) {
      // Nobody looks; whoever does next makes it anew.
      index.selections.delete(text);
      continue;
    }
    selection.rows = index.rows.get(text) ?? new Set();
    touch(store, selection.cell, 0);
    selection.cell.shown = membersOf(selection);
  }
}

function enter({ texts, rows }: Index, row: Cell, text: string | undefined): void {
  if (text !== undefined) {
    texts.set(row, text);
    const others = rows.get(text);
    if (others) {
      others.add(row);
    } else {
      rows.set(text, new Set([row]));
    }
  }
}

function leave({ texts, rows }: Index, row: Cell, text: string | undefined): void {
  if (text !== undefined) {
    texts.delete(row);
    const others = rows.get(text);
    others?.delete(row);
    if (others?.size === 0) {
      rows.delete(text);
    }
  }
}

/** A selection's members where its rows show something else than now. */
export function membersBy({ table }: Cell, show: (row: Cell) => Stored): Stored {
  if (table.kind !== 'selection') {
    return undefined;
  }
  const members: string[] = [];
  let isKnown = table.field !== undefined;
  for (const [pk, row] of table.rows.cells) {
    const shown = show(row);
    isKnown ||= shown !== undefined;
    const isMember = table.field === undefined || textOf(shown, table.field) === table.text;
    // Another key than its own is an alias.
    if (pk === row.pk && isFields(shown) && isMember) {
      members.push(pk);
    }
  }
  return isKnown ? listing(members) : undefined;
}

function membersOf({ rows, isKnown }: Selection): Stored {
  return isKnown || rows.size > 0 ? listing(Array.from(rows, ({ pk }) => pk)) : undefined;
}

function listing(members: readonly unknown[]): Listing {
  return wholeList({ members });
}

function createSelection(table: RowTable, field: string | undefined, text: string): Selection {
  const cell = createCell({ kind: 'selection', rows: table, field, text }, text);
  return { cell, rows: new Set(), isKnown: field !== undefined };
}

/** The index of a field; made at first use, from the rows that are there. */
function indexOf(table: RowTable, field: string): Index {
  let index = table.indexes.get(field);
  if (!index) {
    const made: Index = { field, texts: new Map(), rows: new Map(), selections: new Map() };
    watch(table, (row) => enter(made, row, textOf(row.shown, field)));
    table.indexes.set(field, made);
    index = made;
  }
  return index;
}

/** From now on the table notes what changes; what is there already is visited, some of it under two keys. */
function watch(table: RowTable, visit: (row: Cell) => void): void {
  table.changed ??= new Set();
  table.cells.forEach(visit);
}

/** The value of a row's field as the text by which it is looked up: `5` and `'5'` are one. */
function textOf(shown: Stored, field: string): string | undefined {
  return isFields(shown) ? pkText(own(shown, field)) : undefined;
}
