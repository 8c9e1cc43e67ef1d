import type { Shape } from '../schema/shapes.js';
import type { Cell, Fields, Stored } from '../store/cells/Cell.js';
import { own } from '../store/cells/plainValues.js';
import type { Result } from '../store/cells/Result.js';
import type { ListTable, RowTable, Store } from '../store/cells/Store.js';
import { currentConfirmed } from '../store/journal/fold.js';
import type { Missing } from '../store/views/missingFields.js';
import type { CellNode } from '../store/views/Node.js';
import { declares } from './fieldDeclarations.js';
import { hydratedOf, type HydratedState } from './hydrated.js';
import { mapFields, NOT_JSON } from './json.js';
import { baseOf } from '../store/journal/patches.js';
import { nodesWithin } from '../store/views/nodesWithin.js';

/** Notes the values that a hydrated row or list lacks. `rest` has the values that remain. */
export function noteLost(
  { lostFields }: HydratedState,
  { kind, key }: Pick<RowTable | ListTable, 'kind' | 'key'>,
  pk: string,
  lost: Iterable<string>,
  rest?: Stored,
): void {
  const tables = lostFields[kind];
  for (const field of lost) {
    const rows = tables.get(key) ?? new Map<string, Map<string, unknown>>();
    tables.set(key, rows);
    const fields = rows.get(pk) ?? new Map<string, unknown>();
    rows.set(pk, fields);
    fields.set(field, own(Object(rest), field));
  }
}

export function noteRemoved({ partial, removed }: HydratedState, row: Cell): void {
  partial.delete(row);
  removed.add(row);
}

export function noteRemoval({ removals }: HydratedState, table: string, pk: string): void {
  const known = removals.get(table);
  if (known) {
    known.add(pk);
  } else {
    removals.set(table, new Set([pk]));
  }
}

/**
 * Called for an evicted row. A later response may contain the row without the fields that hydrated
 * results need.
 */
export function loseRow(hydrated: HydratedState, cell: Cell): void {
  if (cell.table.kind === 'rows') {
    const known = { ...hydrated.partial.get(cell)?.stored, ...hydrated.cells.get(cell) };
    noteLost(hydrated, cell.table, cell.pk, Object.keys(known));
    hydrated.partial.delete(cell);
  }
}

/**
 * Called when hydrated rows were evicted. The sweep follows only the relations of classes in use, so
 * other relations may refer to these rows.
 */
export function loseReferences(hydrated: HydratedState): void {
  for (const [cell, part] of hydrated.partial) {
    // The casts: only rows are partial.
    const table = cell.table as RowTable;
    const known = part.stored as Fields;
    const lost = Object.keys(part.declared ?? {}).filter(
      (field) =>
        own(known, field) != null && table.shapes.every(({ relations }) => !relations.has(field)),
    );
    const stored = mapFields(known, (value, field) => (lost.includes(field) ? NOT_JSON : value));
    hydrated.partial.set(cell, { ...part, stored });
    noteLost(hydrated, table, cell.pk, lost, baseOf(cell));
  }
}

/** Returns the hydrated fields that a row lacks, because no response has contained them since. */
export function lostFieldsOf(store: Store, { table, pk }: Cell, stored: Stored): string[] {
  const tables = table.kind === 'selection' ? undefined : hydratedOf(store)?.lostFields[table.kind];
  const lost = table.kind === 'selection' ? undefined : tables?.get(table.key)?.get(pk);
  return lost && stored !== null
    ? [...lost].flatMap(([field, value]) =>
        Object.is(own(Object(stored), field), value) ? [field] : [],
      )
    : [];
}

/** A field that only other classes declare is not missing for this class. */
function isLost(store: Store, { cell, shape }: CellNode): boolean {
  const { table } = cell;
  const shapes = table.kind === 'rows' ? table.shapes : [];
  return (
    (shape.kind === 'collection' && !cell.current) ||
    lostFieldsOf(store, cell, currentConfirmed(store, cell)).some(
      (field) =>
        (shape.kind === 'entity' && declares(shape, field)) ||
        !shapes.some((other) => declares(other, field)),
    )
  );
}

/** Returns a row that lacks a value, or a list that was not exported, if a value leads to one. */
export function lostWithin(store: Store, shape: Shape, value: unknown): CellNode | undefined {
  for (const node of nodesWithin(store, shape, value)) {
    if (isLost(store, node)) {
      return node;
    }
  }
  return undefined;
}

/**
 * Before its first response, a result shows hydrated data without a check of its own hydrated
 * result: that one was refused, arrived later, or was never exported.
 */
export function findLost(store: Store, { shape, named }: Result): Missing | undefined {
  const lost = lostWithin(store, shape, named)?.shape;
  return lost && { fields: [], isPartial: lost.kind === 'entity' && lost.entity.partial };
}
