import { pkOfArgs } from '../../schema/Entity.js';
import type {
  CollectionShape,
  EditShape,
  EntityShape,
  Row,
  Shape,
  StoredRows,
  UnionShape,
  ValuesShape,
} from '../../schema/shapes.js';
import type { ListArgs } from '../../schema/Collection.js';
import { cellNode, listCell, noteUse, rowCell } from '../cells/tables.js';
import { storedArgs } from '../cells/keys.js';
import { pkText } from '../../schema/referenceText.js';
import { Lookup } from '../../schema/Lookup.js';
import type { References } from '../../schema/KindMethods.js';
import { isObject, own } from '../cells/plainValues.js';
import { isPlain } from '../../schema/same.js';
import type { Cell } from '../cells/Cell.js';
import type { CellNode } from './Node.js';
import type { Store } from '../cells/Store.js';

/** Receives the references in a stored value, but not the references in the rows that they name. */
export interface Sink extends References, StoredRows {
  readonly store: Store;
  list(shape: CollectionShape, args: ListArgs): unknown;
  /** Receives a cell that no key in the value names, such as a selection. */
  take(cell: Cell, shape: CellNode['shape']): unknown;
}

export function collect(store: Store, shape: Shape, value: unknown): readonly CellNode[] {
  const nodes: CellNode[] = [];
  const sink: Sink = {
    store,
    take(cell, of) {
      noteUse(store, cell);
      nodes.push(cellNode(cell, of));
    },
    row: (of, pk) => sink.take(rowCell(store, of, pk), of),
    list: (of, args) => sink.take(listCell(store, of, args), of),
    value: (part, inner) => walk(part, inner, sink),
    stored: (of, pk) => rowCell(store, of, pk).current,
  };
  walk(shape, value, sink);
  return nodes;
}

export function walk(shape: Shape, value: unknown, sink: Sink): void {
  if (value === null || value === undefined) {
    return;
  }
  switch (shape.kind) {
    case 'entity':
    case 'union': {
      if (value instanceof Lookup) {
        value.walk(sink);
        return;
      }
      const row = rowOf(shape, value, sink);
      if (row?.pk !== undefined) {
        sink.row(row.shape, row.pk);
      }
      return;
    }
    case 'object':
      for (const [field, part] of shape.fields) {
        sink.value(part, own(value, field));
      }
      return;
    case 'array':
    case 'collection':
    case 'edit':
      if (Array.isArray(value)) {
        // A class that does not declare a list can store its records as an array.
        value.forEach((item) => sink.value(shape.member, item));
      } else if (shape.kind === 'collection') {
        sink.list(shape, storedArgs(value));
      } else if (shape.kind === 'edit') {
        sink.value(mapOf(shape) ?? shape.member, value);
      }
      return;
    case 'invalidate':
      sink.value(shape.member, value);
      return;
    case 'leaf':
    case 'deserialize':
      return;
    default:
      shape.walk(value, sink);
  }
}

export function* partsOf(
  shape: Shape,
  value: unknown,
): IterableIterator<readonly [part: Shape, value: unknown]> {
  if (shape.kind === 'custom') {
    yield* partsOf(shape.member, value);
  } else if (shape.kind !== 'object') {
    yield [shape, value];
  } else if (isObject(value)) {
    for (const [field, part] of shape.fields) {
      yield* partsOf(part, own(value, field));
    }
  }
}

export function mapOf({ list, edit: { action } }: EditShape): ValuesShape | undefined {
  return action === 'assign' || action === 'page' ? list.map : undefined;
}

/** A class that does not declare the relation stores a whole record instead of a reference. */
export function rowOf(
  shape: EntityShape | UnionShape,
  value: unknown,
  rows?: StoredRows,
): Row | undefined {
  if (shape.kind === 'union') {
    return shape.rowOf(value, rows);
  }
  const pk = pkText(isPlain(value) ? pkOfArgs(shape.entity, [value]) : value);
  return pk === undefined && !isPlain(value) ? undefined : { shape, pk };
}
