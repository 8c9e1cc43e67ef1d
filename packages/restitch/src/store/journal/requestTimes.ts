import type { EntityMeta } from '../../schema/Schema.js';
import type { EntityShape } from '../../schema/shapes.js';
import type { Cell } from '../cells/Cell.js';
import type { RowTable } from '../cells/Store.js';

/**
 * Begins to note of which requests the rows of a table are, once a class of theirs orders records by time: no other asks, and
 * most tables have none. What is known by then counts as asked for when it was answered, which every cell knows.
 */
export function noteOrdering(table: RowTable, { custom }: EntityShape): void {
  if (custom.order && !table.metas) {
    table.metas = new WeakMap();
    for (const cell of table.cells.values()) {
      table.metas.set(cell, { ...cell.lifetime, date: cell.lifetime.fetchedAt });
    }
  }
}

/** The newest request that the base of a row comes from; undefined where no class asks, or nothing was folded. */
export function metaOf(cell: Cell): EntityMeta | undefined {
  return metasOf(cell)?.get(cell);
}

/** Notes what `metaOf` tells from now on. */
export function noteMeta(cell: Cell, meta: EntityMeta | undefined): void {
  metasOf(cell)?.set(cell, meta);
}

function metasOf({ table }: Cell): RowTable['metas'] {
  return table.kind === 'rows' ? table.metas : undefined;
}
