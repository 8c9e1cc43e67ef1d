import { pkOfArgs } from '../../schema/Entity.js';
import type {
  CollectionShape,
  EditShape,
  EntityShape,
  Row,
  Shape,
  UnionShape,
  ValuesShape,
} from '../../schema/shapes.js';
import type { ListArgs } from '../../schema/Collection.js';
import { cellNode, listCell, noteUse, rowCell, rowTable } from '../cells/tables.js';
import { isFields } from '../journal/applyPatch.js';
import { storedArgs } from '../cells/keys.js';
import { isKey, pkText } from '../../schema/references.js';
import { isListing } from '../lists/members.js';
import { type Finding, Lookup } from '../../schema/Lookup.js';
import type { References } from '../../schema/KindMethods.js';
import { own } from '../cells/plainValues.js';
import { isPlain } from '../../schema/same.js';
import type { Selection } from '../selections/selections.js';
import { NO_LINKS } from './nodes.js';
import type { Cell } from '../cells/Cell.js';
import type { CellNode, Links } from './Node.js';
import type { Store } from '../cells/Store.js';

/**
 * Finds the references in a stored value by its shape. `walk` passes them to a sink, `collect`
 * returns them as nodes. Neither follows a reference into another row, so their depth is limited by
 * one record.
 */

/** Receives the references in a stored value, in order. */
export interface Sink extends References {
  list(shape: CollectionShape, args: ListArgs): unknown;
  selection(selection: Selection): unknown;
}

/** Returns the nodes that a cell currently contains. */
export function collectCell(store: Store, { cell: { current }, shape }: CellNode): Links {
  const found = finderOf(store);
  if (shape.kind !== 'entity') {
    walkItems(shape.member, isListing(current) ? current.members : [], found);
  } else if (isFields(current)) {
    for (const [field, part] of shape.related) {
      walk(part, own(current, field), found);
    }
  }
  return found.links;
}

/** Returns the nodes that a normalized value contains. */
export function collect(store: Store, shape: Shape, value: unknown): Links {
  if (shape.kind === 'entity' && isKey(value)) {
    return usedNode(store, rowCell(store, shape, value), shape);
  }
  const found = finderOf(store);
  walk(shape, value, found);
  return found.links;
}

/** Returns the node of a cell for a shape, and records its use. */
export function usedNode(store: Store, cell: Cell, shape: CellNode['shape']): CellNode {
  noteUse(store, cell);
  return cellNode(cell, shape);
}

/**
 * Converts the references of a walk to nodes. Optimization: a store reuses one finder for all
 * walks. The hidden class of a short-lived object is discarded with it, so the engine would compile
 * this code repeatedly.
 */
export class Finder implements Sink, Finding {
  declare readonly store: Store;
  #nodes: CellNode[] = [];

  constructor(store: Store) {
    this.store = store;
  }

  /** Resets the finder before a walk: a walk that threw leaves nodes behind. */
  begin(): this {
    this.#nodes = [];
    return this;
  }

  /** Returns the nodes that were found, and releases them. */
  get links(): Links {
    const [first, second] = this.#nodes;
    // A copy, because an array that grew has spare capacity.
    const links = second ? [...this.#nodes] : (first ?? NO_LINKS);
    this.#nodes = [];
    return links;
  }

  row(shape: EntityShape, pk: string): void {
    this.#add(rowCell(this.store, shape, pk), shape);
  }

  list(shape: CollectionShape, args: ListArgs): void {
    this.#add(listCell(this.store, shape, args), shape);
  }

  selection({ cell, shape }: Selection): void {
    this.#add(cell(this.store), shape);
  }

  value(shape: Shape, value: unknown): void {
    walk(shape, value, this);
  }

  known(shape: EntityShape, pk: string): Cell | undefined {
    return rowTable(this.store, shape).cells.get(pk);
  }

  #add(cell: Cell, shape: CellNode['shape']): void {
    this.#nodes.push(usedNode(this.store, cell, shape));
  }
}

/** Returns the finder of a store, reset. */
export function finderOf(store: Store): Finder {
  store.finder ??= new Finder(store);
  return store.finder.begin();
}

/** Passes the references in a normalized value to a sink. */
export function walk(shape: Shape, value: unknown, sink: Sink): void {
  if (value === null || value === undefined) {
    return;
  }
  switch (shape.kind) {
    case 'entity':
    case 'union': {
      if (isKey(value) && shape.kind === 'entity') {
        sink.row(shape, value);
        return;
      }
      if (value instanceof Lookup) {
        value.walk(sink);
        return;
      }
      const row = rowOf(shape, value);
      if (row?.pk !== undefined) {
        sink.row(row.shape, row.pk);
      }
      return;
    }
    case 'array':
      walkItems(shape.member, value, sink);
      return;
    case 'object':
      for (const [field, part] of shape.fields) {
        walk(part, own(value, field), sink);
      }
      return;
    case 'collection':
      if (Array.isArray(value)) {
        // The value was stored as a whole by a class that does not declare the list.
        walkItems(shape.member, value, sink);
        return;
      }
      sink.list(shape, storedArgs(value));
      return;
    case 'edit':
      if (mapOf(shape)) {
        mapOf(shape)?.walk(value, sink);
      } else {
        walkItems(shape.list.member, Array.isArray(value) ? value : [value], sink);
      }
      return;
    case 'invalidate':
      walk(shape.member, value, sink);
      return;
    case 'leaf':
    case 'deserialize':
      return;
    default:
      shape.walk(value, sink);
  }
}

/** Returns the shape of the map that the response of an edit is, if it is one. */
export function mapOf({ list, edit: { action } }: EditShape): ValuesShape | undefined {
  return action === 'assign' || action === 'page' ? list.map : undefined;
}

function walkItems(member: Shape, items: unknown, sink: Sink): void {
  for (const item of Array.isArray(items) ? items : []) {
    walk(member, item, sink);
  }
}

/**
 * Returns the row of a stored value: its primary key, in a union with its discriminators. A whole
 * record, stored by a class that does not declare the relation, denotes the row with its key.
 * Undefined for values that are not references.
 */
export function rowOf(shape: EntityShape | UnionShape, value: unknown): Row | undefined {
  if (shape.kind === 'union') {
    return shape.rowOf(value);
  }
  const pk = pkText(isPlain(value) ? pkOfArgs(shape.entity, [value]) : value);
  return pk === undefined && !isPlain(value) ? undefined : { shape, pk };
}
