import type { EntityShape } from '../../schema/shapes.js';
import { createCell, rowTable } from '../cells/tables.js';
import { touch } from '../journal/fold.js';
import { isFields } from '../journal/applyPatch.js';
import { indexText } from '../../schema/referenceText.js';
import { wholeList } from '../lists/members.js';
import { nodeList } from '../views/nodes.js';
import { own } from '../cells/plainValues.js';
import type { Sink } from '../views/walkReferences.js';
import type { Cell, Stored } from '../cells/Cell.js';
import type { Index, RowTable, SelectionShape, SelectionWork, Store } from '../cells/Store.js';

/**
 * A selection contains all rows of one table, or the rows with one value in an indexed field. Each
 * selection is a cell whose members are primary keys, so views read it like a list.
 *
 * ```
 *   a row changes ──▶ table.changed ──▶ the selections that the row enters or leaves,
 *                                       at the end of the commit or at the next read
 * ```
 */

export interface Selection {
  readonly shape: SelectionShape;
  readonly cell: (store: Store) => Cell;
}

/** Without a `field`, the selection contains all rows. */
export function selectionOf(shape: EntityShape, field?: string, text?: string): Selection {
  let read = shapes.get(shape);
  if (!read) {
    read = { kind: 'selection', member: shape };
    shapes.set(shape, read);
  }
  return { shape: read, cell: (store) => selectionCell(store, shape, field, text) };
}

/** Returns undefined in a deserializer, whose store is an empty object (`NO_RECORDS`). */
export function takeSelection(sink: Sink, { cell, shape }: Selection): unknown {
  return 'rows' in sink.store ? sink.take(cell(sink.store), shape) : undefined;
}

const shapes = new WeakMap<EntityShape, SelectionShape>();

function selectionCell(store: Store, shape: EntityShape, field?: string, text = ''): Cell {
  const table = rowTable(store, shape);
  const index = indexOf(store, table, field);
  updateSelections(store);
  let cell = index.selections.get(text);
  if (!cell) {
    cell = createCell({ kind: 'selection', rows: table, shape, field, text }, text);
    cell.current = membersOf(index, text);
    index.selections.set(text, cell);
  }
  return cell;
}

export function indexedRow(
  store: Store,
  shape: EntityShape,
  field: string,
  text: string,
): Cell | undefined {
  const index = indexOf(store, rowTable(store, shape), field);
  updateSelections(store);
  return [...(index.rows.get(text) ?? [])].at(-1);
}

function updateSelections(store: Store): void {
  for (const table of store.changedTables) {
    const { changed = [], isRenamed } = table;
    table.changed = new Set();
    table.isRenamed = false;
    for (const index of table.indexes.values()) {
      updateIndex(store, index, changed, isRenamed);
    }
  }
  store.changedTables.clear();
}

function updateIndex(
  store: Store,
  index: Index,
  changed: Iterable<Cell>,
  isRenamed: boolean,
): void {
  const { selections, isKnown } = index;
  const moved = new Set<string>(isRenamed ? selections.keys() : []);
  for (const row of changed) {
    const before = index.texts.get(row);
    const after = enter(index, row);
    if (before !== after) {
      moved.add(before ?? '').add(after ?? '');
      if (before !== undefined) {
        leave(index, row, before);
      }
    }
  }
  if (isKnown !== index.isKnown) {
    moved.add('');
  }
  for (const text of moved) {
    const cell = selections.get(text);
    if (cell) {
      if (nodeList(cell.nodes).some(({ parents }) => parents) || store.watchers.has(cell)) {
        touch(store, cell, 0);
        cell.current = membersOf(index, text);
      } else {
        // The next reader creates the selection again.
        selections.delete(text);
      }
    }
  }
}

function enter(index: Index, row: Cell): string | undefined {
  const { texts, rows, field } = index;
  const text = textOf(row.current, field);
  // After a deletion (`null`), an empty selection is `[]`. A row that was rolled back never
  // existed.
  index.isKnown ||= row.current === null;
  if (text === undefined) {
    texts.delete(row);
  } else {
    texts.set(row, text);
    rows.set(text, (rows.get(text) ?? new Set()).add(row));
  }
  return text;
}

function leave({ rows }: Index, row: Cell, text: string): void {
  const others = rows.get(text);
  others?.delete(row);
  if (others?.size === 0) {
    rows.delete(text);
  }
}

export function membersBy({ table }: Cell, readCell: (row: Cell) => Stored): Stored {
  if (table.kind !== 'selection') {
    return undefined;
  }
  const members: string[] = [];
  let isKnown = table.field !== undefined;
  for (const [pk, row] of table.rows.cells) {
    const current = readCell(row);
    isKnown ||= current !== undefined;
    // A key that differs from `row.pk` is an old temporary key of the row.
    if (pk === row.pk && textOf(current, table.field) === table.text) {
      members.push(pk);
    }
  }
  return isKnown ? wholeList({ members }) : undefined;
}

function membersOf({ rows, isKnown }: Index, text: string): Stored {
  const found = rows.get(text);
  return found || isKnown
    ? wholeList({ members: Array.from(found ?? [], ({ pk }) => pk) })
    : undefined;
}

function indexOf(store: Store, table: RowTable, field: string | undefined): Index {
  store.selections = WORK;
  let index = table.indexes.get(field);
  if (!index) {
    const made: Index = {
      field,
      texts: new Map(),
      rows: new Map(),
      selections: new Map(),
      isKnown: field !== undefined,
    };
    table.changed ??= new Set();
    table.cells.forEach((row) => enter(made, row));
    table.indexes.set(field, made);
    index = made;
  }
  return index;
}

function textOf(current: Stored, field: string | undefined): string | undefined {
  if (!isFields(current)) {
    return undefined;
  }
  return field === undefined ? '' : indexText(own(current, field));
}

/** Optimization: otherwise, the removal of each row would update unused selections. */
function dropSelections(store: Store, isKept: (cell: Cell) => boolean): void {
  for (const { indexes } of store.rows.values()) {
    for (const [field, { selections }] of indexes) {
      for (const [text, cell] of selections) {
        if (!isKept(cell)) {
          selections.delete(text);
        }
      }
      if (selections.size === 0) {
        indexes.delete(field);
      }
    }
  }
}

const WORK: SelectionWork = { update: updateSelections, drop: dropSelections, membersBy };
