import { pkOfArgs } from '../schema/Entity.js';
import { entitiesOf, entityShape, selectionShape } from '../schema/shape.js';
import type { EditShape, EntityShape, Shape, UnionShape } from '../schema/shape.js';
import { cellNode, listCell, rowCell } from './cells.js';
import { isFields } from './fold.js';
import { listArgs, parseUnionRef, pkText } from './keys.js';
import { isListing } from './listing.js';
import { Lookup } from './lookup.js';
import { isObject, isPlain, own } from './record.js';
import { allCell } from './selections.js';
import type { CellNode, Store } from './state.js';

/**
 * Two walks over stored data by its shape, in the same order: `collect` finds the nodes that a value contains, `fill` puts
 * their values in. Neither goes from one row into the next, so neither is deeper than one record.
 */

/** The nodes that a cell contains now. */
export function collectCell(store: Store, { cell, shape }: CellNode): CellNode[] {
  const links: CellNode[] = [];
  if (shape.kind !== 'entity') {
    for (const member of isListing(cell.shown) ? cell.shown.members : []) {
      collect(store, shape.member, member, links);
    }
  } else if (isFields(cell.shown)) {
    for (const [field, part] of shape.relations) {
      collect(store, part, own(cell.shown, field), links);
    }
  }
  return links;
}

/** Whether a row refers to one that it requires and that is gone. */
export function lacksRequired(store: Store, { cell, shape }: CellNode): boolean {
  if (shape.kind !== 'entity' || !isFields(cell.shown)) {
    return false;
  }
  for (const [field, part] of shape.relations) {
    const links: CellNode[] = [];
    if (shape.requires(field)) {
      collect(store, part, own(cell.shown, field), links);
    }
    if (links[0] && links[0].goneIn > 0) {
      return true;
    }
  }
  return false;
}

/** Adds the nodes that a normalized value contains. */
export function collect(store: Store, shape: Shape, value: unknown, links: CellNode[]): void {
  if (value === null || value === undefined) {
    return;
  }
  switch (shape.kind) {
    case 'entity':
    case 'union': {
      if (typeof value === 'string' && value !== '' && shape.kind === 'entity') {
        links.push(cellNode(rowCell(store, shape.key, value), shape));
        return;
      }
      if (value instanceof Lookup) {
        links.push(...value.nodes(store));
        return;
      }
      const row = rowOf(shape, value);
      if (row?.pk !== undefined) {
        links.push(cellNode(rowCell(store, row.shape.key, row.pk), row.shape));
      }
      return;
    }
    case 'array':
      collectItems(store, shape.member, value, links);
      return;
    case 'object':
      for (const [field, part] of shape.fields) {
        collect(store, part, own(value, field), links);
      }
      return;
    case 'collection':
      if (Array.isArray(value)) {
        // Stored whole, by a class that does not know of the list.
        collectItems(store, shape.member, value, links);
        return;
      }
      links.push(cellNode(listCell(store, shape, listArgs(value)), shape));
      return;
    case 'edit':
      for (const item of itemsOf(shape, value)) {
        collect(store, shape.list.member, item, links);
      }
      return;
    case 'invalidate':
      collect(store, shape.member, value, links);
      return;
    case 'all':
      for (const { entity } of entitiesOf(shape.member)) {
        links.push(cellNode(allCell(store, entity), selectionShape(entity)));
      }
      return;
    case 'custom':
      collect(store, shape.member, value, links);
      return;
    case 'values':
      for (const item of isObject(value) ? Object.values(value) : []) {
        collect(store, shape.member, item, links);
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

function collectItems(store: Store, member: Shape, items: unknown, links: CellNode[]): void {
  for (const item of Array.isArray(items) ? items : []) {
    collect(store, member, item, links);
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
    const chosen =
      shape.kind === 'union' ? shape.union.discriminatorOf(value, undefined, undefined) : '';
    const entity =
      shape.kind === 'entity'
        ? shape.entity
        : typeof chosen === 'string'
          ? shape.union.classOf(chosen)
          : undefined;
    return entity && { shape: entityShape(entity), pk: pkText(pkOfArgs(entity, [value])) };
  }
  if (shape.kind === 'entity') {
    const pk = pkText(value);
    return pk === undefined ? undefined : { shape, pk };
  }
  const reference = parseUnionRef(value);
  const entity = reference && shape.union.classOf(reference.discriminator);
  return entity && { shape: entityShape(entity), pk: reference.pk };
}
