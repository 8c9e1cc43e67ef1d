import type { EntityMeta } from '../../schema/Schema.js';
import type { EntityShape } from '../../schema/shapes.js';
import type { Cell } from '../cells/Cell.js';
import type { RowTable } from '../cells/Store.js';

/**
 * Starts to record the requests of a table's rows if a class orders records by time. Optimization:
 * most tables have no such class. For known rows, the time of the response replaces that of the
 * request.
 */
export function noteOrdering(table: RowTable, { custom }: EntityShape): void {
  if (custom.order && !table.metas) {
    table.metas = new WeakMap();
    for (const cell of table.cells.values()) {
      table.metas.set(cell, { ...cell.lifetime, date: cell.lifetime.fetchedAt });
    }
  }
}

/**
 * Returns the newest request in the base of a row. Undefined if no class needs it, or if nothing
 * was folded.
 */
export function metaOf(cell: Cell): EntityMeta | undefined {
  return metasOf(cell)?.get(cell);
}

export function noteMeta(cell: Cell, meta: EntityMeta | undefined): void {
  metasOf(cell)?.set(cell, meta);
}

function metasOf({ table }: Cell): RowTable['metas'] {
  return table.kind === 'rows' ? table.metas : undefined;
}
