import { pkOfArgs } from '../../schema/Entity.js';
import { entitiesOf, entityShape } from '../../schema/shape.js';
import type {
  CollectionShape,
  EditShape,
  EntityShape,
  Shape,
  UnionShape,
} from '../../schema/shapes.js';
import type { ListArgs } from '../../schema/Collection.js';
import { cellNode, listCell, noteUse, rowCell } from '../cells/tables.js';
import { isFields } from '../journal/applyPatch.js';
import { goneSince } from './goneRows.js';
import { isKey, parseUnionRef, pkText, storedArgs } from '../cells/keys.js';
import { isListing } from '../lists/members.js';
import { Lookup } from './lookups.js';
import { isObject, own } from '../cells/plainValues.js';
import { commonEnds, isPlain } from '../../schema/same.js';
import { selectionCell } from '../lists/selections.js';
import { nodeAt, nodeList, NO_LINKS } from './nodes.js';
import { UNBUILT } from './Node.js';
import type { Cell } from '../cells/Cell.js';
import type { CellNode, Links } from './Node.js';
import type { Store } from '../cells/Store.js';

/**
 * Two walks over stored data by its shape, in the same order. `walk` finds the references in a
 * value, which `collect` returns as nodes. `fill` inserts the values of those nodes. Neither
 * follows a reference into another row, so their depth is limited by one record.
 */

/** Receives each reference in a stored value, in order. */
export interface Sink {
  row(shape: EntityShape, pk: string): void;
  list(shape: CollectionShape, args: ListArgs): void;
  /** Receives the rows with a value in an indexed field, or all rows without a field. */
  selection(shape: EntityShape, field?: string, text?: string): void;
  /** True to receive also the records of lazy relations, of which readers see only keys. */
  readonly followsLazy?: true;
}

/** Returns the nodes that a cell currently contains. */
export function collectCell(store: Store, node: CellNode): Links {
  const { cell, shape } = node;
  const { shown } = cell;
  if (shape.kind !== 'entity') {
    return isListing(shown) ? collectMembers(store, shape.member, shown.members, node) : NO_LINKS;
  }
  const [first] = shape.related;
  if (!first || !isFields(shown)) {
    return NO_LINKS;
  }
  if (shape.related.length === 1) {
    // Optimization: most rows refer to one other row.
    return collect(store, first[1], own(shown, first[0]));
  }
  const found = finderOf(store);
  for (const [field, part] of shape.related) {
    walk(part, own(shown, field), found);
  }
  return found.links;
}

/** Returns true if a row refers to a required row that is missing. */
export function lacksRequired(store: Store, { cell, shape }: CellNode): boolean {
  if (shape.kind !== 'entity' || !isFields(cell.shown)) {
    return false;
  }
  for (const [field, part] of shape.related) {
    const first = shape.requires(field) && nodeAt(collect(store, part, own(cell.shown, field)), 0);
    if (first && goneSince(first) > 0) {
      return true;
    }
  }
  return false;
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

function usedNode(store: Store, cell: Cell, shape: CellNode['shape']): CellNode {
  noteUse(store, cell);
  return cellNode(cell, shape);
}

/**
 * Returns the nodes of the members of a list. Optimization: known members at its start and end keep
 * their nodes.
 */
function collectMembers(
  store: Store,
  member: Shape,
  members: readonly unknown[],
  { links, source }: CellNode,
): Links {
  // A node counts as not built if a cell in it was replaced. Only members that are keys have one
  // node each.
  const known = source === UNBUILT || member.kind !== 'entity' ? NO_LINKS : nodeList(links);
  const [start, end] = commonEnds(
    known.map(({ cell }) => cell.pk),
    members,
  );
  const found = finderOf(store);
  for (const item of members.slice(start, members.length - end)) {
    walk(member, item, found);
  }
  return start + end === 0
    ? found.links
    : known.slice(0, start).concat(found.links, known.slice(known.length - end));
}

/**
 * Converts the references of a walk to nodes. Optimization: a store reuses one finder for all
 * walks. The hidden class of a short-lived object is discarded with it, so the engine would compile
 * this code repeatedly.
 */
export class Finder implements Sink {
  readonly #store: Store;
  #nodes: CellNode[] = [];

  constructor(store: Store) {
    this.#store = store;
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
    this.#add(rowCell(this.#store, shape, pk), shape);
  }

  list(shape: CollectionShape, args: ListArgs): void {
    this.#add(listCell(this.#store, shape, args), shape);
  }

  selection(shape: EntityShape, field?: string, text?: string): void {
    this.#add(selectionCell(this.#store, shape, field, text), shape.selection);
  }

  #add(cell: Cell, shape: CellNode['shape']): void {
    this.#nodes.push(usedNode(this.#store, cell, shape));
  }
}

function finderOf(store: Store): Finder {
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
      for (const item of itemsOf(shape, value)) {
        walk(shape.list.member, item, sink);
      }
      return;
    case 'all':
      for (const { entity } of entitiesOf(shape.member)) {
        sink.selection(entity);
      }
      return;
    case 'invalidate':
    case 'custom':
    case 'lazy':
      if (shape.kind !== 'lazy' || sink.followsLazy) {
        walk(shape.member, value, sink);
      }
      return;
    case 'values':
      for (const item of isObject(value) ? Object.values(value) : []) {
        walk(shape.member, item, sink);
      }
      return;
    default:
  }
}

/** Returns the members in the response of an edit: one, several, or the values of a map. */
function itemsOf(shape: EditShape, value: unknown): readonly unknown[] {
  if (holdsMap(shape)) {
    return isObject(value) ? Object.values(value) : [];
  }
  return Array.isArray(value) ? value : [value];
}

/** Returns true if the response of an edit is a map of records. */
export function holdsMap({ list, edit: { action } }: EditShape): boolean {
  return action === 'assign' || (action === 'page' && list.isMap);
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
export function rowOf(
  shape: EntityShape | UnionShape,
  value: unknown,
): { readonly shape: EntityShape; readonly pk: string | undefined } | undefined {
  if (isPlain(value)) {
    const entity = shape.kind === 'entity' ? shape.entity : shape.classOf(value);
    return entity && { shape: entityShape(entity), pk: pkText(pkOfArgs(entity, [value])) };
  }
  if (shape.kind === 'entity') {
    const pk = pkText(value);
    return pk === undefined ? undefined : { shape, pk };
  }
  const reference = parseUnionRef(value);
  const entity = reference && shape.classAt(reference.path);
  return entity && { shape: entityShape(entity), pk: reference.pk };
}
