import { warnStatics } from '../../schema/misspelledStatics.js';
import type { CollectionShape, EntityShape, Shape } from '../../schema/shapes.js';
import { entitiesIn } from '../../schema/signature.js';
import type { ListArgs } from '../../schema/Collection.js';
import { listKey } from './keys.js';
import { NO_LINKS, nodeAt, nodeList } from '../views/nodes.js';
import { NO_LIFETIME } from './results.js';
import type { Cell, ListOrigin } from './Cell.js';
import { UNBUILT, type CellNode } from '../views/Node.js';
import type { ListTable, RowTable, Store } from './Store.js';
import { baseOf, patchesOf } from '../journal/patches.js';
import type { EntityMeta } from '../../schema/Schema.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

export function rowTable(store: Store, shape: EntityShape): RowTable {
  const { table: key } = shape;
  let table = store.rows.get(key);
  if (!table) {
    table = {
      kind: 'rows',
      key,
      cells: new Map(),
      shapes: [],
      isRenamed: false,
      indexes: new Map(),
    };
    store.rows.set(key, table);
  }
  if (table.shapes[0] !== shape && !table.shapes.includes(shape)) {
    table.shapes = [...table.shapes, shape];
    store.hydrated?.fillTable(table);
    noteClass(table, shape);
  }
  return table;
}

/**
 * Called when a request begins. If two classes have the same `key`, a later response with the other
 * class may arrive first. It then contains the related records that only this class declares.
 */
export function noteClasses(store: Store, shape: Shape, seen: Set<Shape> = new Set()): void {
  for (const entity of entitiesIn(shape, seen)) {
    rowTable(store, entity);
    for (const [, part] of entity.related) {
      noteClasses(store, part, seen);
    }
  }
}

function noteClass(table: RowTable, shape: EntityShape): void {
  if (shape.custom.order && !table.metas) {
    table.metas = new WeakMap();
    for (const cell of table.cells.values()) {
      table.metas.set(cell, { ...cell.lifetime, date: cell.lifetime.fetchedAt });
    }
  }
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    warnStatics(shape.entity, shape.name);
  }
}

export function listTable(store: Store, list: CollectionShape): ListTable {
  let table = store.lists.get(list.key);
  if (!table) {
    table = { kind: 'lists', key: list.key, list, cells: new Map() };
    store.lists.set(list.key, table);
    store.hydrated?.fillTable(table);
  }
  return table;
}

export function knownCell(table: RowTable | ListTable, pk: string, list?: ListOrigin): Cell {
  let cell = table.cells.get(pk);
  if (!cell) {
    cell = createCell(table, pk, list);
    table.cells.set(pk, cell);
  }
  return cell;
}

/** Creates an empty cell for an unknown row. Its readers are notified when the row arrives. */
export function rowCell(store: Store, shape: EntityShape, pk: string): Cell {
  return knownCell(rowTable(store, shape), pk);
}

export function listCell(store: Store, shape: CollectionShape, args: ListArgs): Cell {
  const table = listTable(store, shape);
  const cell = knownCell(table, listKey(args), { args, shape });
  if (store.hydrated?.presumed.delete(cell) && cell.list) {
    cell.list = { ...cell.list, shape };
  }
  return cell;
}

/** A running sweep keeps the cell and all data that the cell refers to. */
export function noteUse(store: Store, cell: Cell): void {
  cell.usedIn = store.uses;
  store.usedInSweep?.add(cell);
}

export function noteChangedRow(store: Store, cell: Cell): void {
  const { table } = cell;
  if (table.kind === 'rows' && table.changed) {
    table.changed.add(cell);
    store.changedTables.add(table);
  }
}

export function createCell(table: Cell['table'], pk: string, list?: ListOrigin): Cell {
  const cell: Cell = {
    table,
    pk,
    current: undefined,
    stack: undefined,
    nodes: NO_LINKS,
    lifetime: NO_LIFETIME,
    usedIn: 0,
  };
  if (list) {
    cell.list = list;
  }
  return cell;
}

/** Readers of the cell fetch again, except those whose endpoint has a response of its own. */
export function expireCell(store: Store, cell: Cell, expiredIn: number = store.tick + 1): void {
  store.expiredIn = store.tick + 1;
  cell.lifetime = { ...cell.lifetime, isRepeat: false, expiredIn };
  store.observer?.cell(cell);
}

/** True if a list has had a response. Until then, its operations are only in the log. */
export function isBorn(cell: Cell): boolean {
  return (
    baseOf(cell) !== undefined ||
    patchesOf(cell).some(({ operation }) => operation.type === 'replace')
  );
}

/** Readers of two collections with the same member schema share one array. */
function isSameList(a: CellNode['shape'], b: CellNode['shape']): boolean {
  return a.kind === 'collection' && b.kind === 'collection' && a.member === b.member;
}

export function cellNode(cell: Cell, shape: CellNode['shape']): CellNode {
  const { nodes } = cell;
  let index = 0;
  for (let node = nodeAt(nodes, 0); node; node = nodeAt(nodes, index)) {
    if (node.shape === shape || isSameList(node.shape, shape)) {
      return node;
    }
    index += 1;
  }
  const node: CellNode = {
    cell,
    shape,
    parents: undefined,
    links: NO_LINKS,
    dirty: NO_LINKS,
    value: undefined,
    source: UNBUILT,
    changedIn: 0,
    builtIn: 0,
  };
  cell.nodes = nodes === NO_LINKS ? node : [...nodeList(nodes), node];
  return node;
}

export function metaOf(cell: Cell): EntityMeta | undefined {
  return metasOf(cell)?.get(cell);
}

export function noteMeta(cell: Cell, meta: EntityMeta | undefined): void {
  metasOf(cell)?.set(cell, meta);
}

function metasOf({ table }: Cell): RowTable['metas'] {
  return table.kind === 'rows' ? table.metas : undefined;
}
