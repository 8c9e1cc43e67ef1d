import { unionRefs } from '../../schema/referenceText.js';
import type { EntityShape, Shape } from '../../schema/shapes.js';
import type { Cell, Stored } from '../cells/Cell.js';
import { own } from '../cells/plainValues.js';
import type { RowTable, Store } from '../cells/Store.js';
import { collect } from './walkReferences.js';

/**
 * Two classes can store the same row. A list or union that only the other class declares is a
 * reference, and is left out. Primary keys stay, because servers send them as data too.
 */
export function readableFields(
  store: Store,
  cell: Cell,
  shape: EntityShape,
  stored: Stored = cell.current,
): Stored {
  const { shapes } = cell.table as RowTable;
  if (shapes.length === 1) {
    return stored;
  }
  let readable = stored;
  for (const other of shapes) {
    for (const [field, part] of other.related) {
      const value = own(Object(readable), field);
      const mine = shape.relations.get(field);
      if (part !== mine && refers(store, part, value) && !(mine && refers(store, mine, value))) {
        readable = without(readable, field);
      }
    }
  }
  for (const field of rawFields(cell, shape, readable)) {
    readable = without(readable, field);
  }
  return readable;
}

/** Returns the fields that a class without their declaration stored as the server sent them. */
export function rawFields(
  { table }: Cell,
  { related }: EntityShape,
  stored: Stored,
): readonly string[] {
  // Optimization: with one class, all fields are in their stored form.
  const fields = (table as RowTable).shapes.length > 1 ? related : [];
  return fields
    .filter(([field, part]) => 'isStored' in part && !part.isStored(own(Object(stored), field)))
    .map(([field]) => field);
}

function without(stored: Stored, field: string): Stored {
  const { [field]: _, ...rest } = Object(stored);
  return rest;
}

function refers(store: Store, part: Shape, value: unknown): boolean {
  return (
    unionRefs.occursIn?.(value) ||
    collect(store, part.kind === 'lazy' ? part.member : part, value).some(
      // Plain data `{}` looks like a reference to a list without arguments, so `{}` does not count.
      (node) => node.shape.kind === 'collection' && node.cell.pk !== '{}',
    )
  );
}
