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
import { isFields } from '../journal/fold.js';
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
 * Two walks over stored data by its shape, in the same order: `walk` finds the references that a value contains, for `collect`
 * as nodes, and `fill` puts the values of those nodes in. Neither goes from one row into the next, so neither is deeper than
 * one record.
 */

/** Told of each reference in a stored value, in order. */
export interface Sink {
  row(shape: EntityShape, pk: string): void;
  list(shape: CollectionShape, args: ListArgs): void;
  /** The rows with a value in an indexed field, or without a field all of them. */
  selection(shape: EntityShape, field?: string, text?: string): void;
  /** It is told of records, too, of which only the keys are shown. */
  readonly followsLazy?: true;
}

/** The nodes that a cell contains now. */
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
    // Most rows refer to one other.
    return collect(store, first[1], own(shown, first[0]));
  }
  const found = finderOf(store);
  for (const [field, part] of shape.related) {
    walk(part, own(shown, field), found);
  }
  return found.links;
}

/** Whether a row refers to one that it requires and that is gone. */
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

/** The nodes that a normalized value contains. */
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

/** The nodes of the members of a list. An optimization: members at its start and end whose nodes it has already keep them. */
function collectMembers(
  store: Store,
  member: Shape,
  members: readonly unknown[],
  { links, source }: CellNode,
): Links {
  // A node is marked as not built where another cell takes the place of one in it. Only members that are keys have one node each.
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
 * Turns what a walk finds into nodes. A store has one, used again by each walk: the hidden class of an object that dies at once goes with
 * it, and the engine would compile all of this again and again.
 */
export class Finder implements Sink {
  readonly #store: Store;
  #nodes: CellNode[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  /** To be called before a walk: one that threw left something behind. */
  begin(): this {
    this.#nodes = [];
    return this;
  }

  /** What was found, and is no longer held here. */
  get links(): Links {
    const [first, second] = this.#nodes;
    // A copy, because an array that grew has room for more.
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

/** Tells a sink of the references that a normalized value contains. */
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
        // Stored whole, by a class that does not know of the list.
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

/** The members in the answer of an edit: one, several, or of a map those under its keys. */
function itemsOf(shape: EditShape, value: unknown): readonly unknown[] {
  if (holdsMap(shape)) {
    return isObject(value) ? Object.values(value) : [];
  }
  return Array.isArray(value) ? value : [value];
}

/** Whether the answer of an edit is a map of records. */
export function holdsMap({ list, edit: { action } }: EditShape): boolean {
  return action === 'assign' || (action === 'page' && list.isMap);
}

function walkItems(member: Shape, items: unknown, sink: Sink): void {
  for (const item of Array.isArray(items) ? items : []) {
    walk(member, item, sink);
  }
}

/**
 * The row that a stored value stands for: its primary key, in a union with its discriminator. A whole record, which a class of
 * the same key stored without knowing that it is one, stands for the row that it names. Undefined for what was passed through.
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
