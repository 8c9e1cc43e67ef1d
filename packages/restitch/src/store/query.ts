import { identityOf } from '../schema/Collection.js';
import { entitiesOf } from '../schema/shape.js';
import type { EntityShape, Shape, UnionShape } from '../schema/shape.js';
import { listArgs, listKey, pkText, unionRef } from './keys.js';
import { customPk, instanceOf } from './normalizeRow.js';
import { createRoot } from './nodes.js';
import { isObject } from './record.js';
import { readNode } from './rebuild.js';
import type { NormalizeOptions } from './normalized.js';
import type { Cell, Layer, Root, Store } from './state.js';
import { collect, unionRow } from './collect.js';
import { fillRoot } from './fill.js';

/**
 * What a schema and arguments name in the store, in normalized form: a row by the fields of its key (or the key itself), a
 * list by its arguments. Undefined for schemas that cannot be looked up.
 */
export function queryKey(store: Store, shape: Shape, args: readonly unknown[]): unknown {
  switch (shape.kind) {
    case 'entity':
      return entityPk(shape, args);
    case 'union':
      return unionKey(store, shape, args);
    case 'collection':
      return listArgs(identityOf(shape.collection, args));
    default:
      return undefined;
  }
}

/** With a discriminator among the arguments its class is looked up, otherwise every class until a row is there. */
function unionKey(store: Store, shape: UnionShape, args: readonly unknown[]): string | undefined {
  const [first] = args;
  const told =
    typeof first === 'object' && first !== null
      ? shape.union.discriminatorOf(first, undefined, undefined)
      : undefined;
  for (const { entity, discriminator } of entitiesOf(shape)) {
    const pk = told === undefined || told === discriminator ? entityPk(entity, args) : undefined;
    if (pk !== undefined && discriminator !== undefined) {
      const reference = unionRef(discriminator, pk);
      if (told === discriminator || isPresent(findCell(store, shape, reference))) {
        return reference;
      }
    }
  }
  return undefined;
}

/** `queryKey` for a root: read at each look where it depends on what is stored, else once, so that it is one object. */
export function queryKeyReader(
  store: Store,
  shape: Shape,
  args: readonly unknown[],
): () => unknown {
  if (shape.kind === 'union') {
    return () => queryKey(store, shape, args);
  }
  const reference = queryKey(store, shape, args);
  return () => reference;
}

/** The primary key that arguments name: a key itself, or an object with the fields of the key. */
export function entityPk(shape: EntityShape, args: readonly unknown[]): string | undefined {
  const [first] = args;
  if (typeof first !== 'object' || first === null) {
    return pkText(first);
  }
  const fields: Record<string, unknown> = { ...first };
  if (!shape.custom.pk) {
    return pkText(fields['id']);
  }
  try {
    return customPk(shape, instanceOf(shape, fields), [undefined, undefined, args]);
  } catch {
    // A `pk` that needs more than the arguments hold: they name no row.
    return undefined;
  }
}

/** The cell that a normalized reference names, if there is one; none is made. */
export function findCell(store: Store, shape: Shape, reference: unknown): Cell | undefined {
  if (reference === undefined || reference === null) {
    return undefined;
  }
  if (shape.kind === 'union') {
    const row = unionRow(shape, reference);
    return row && findCell(store, row.shape, row.pk);
  }
  if (shape.kind === 'entity') {
    return store.rows.get(shape.key)?.cells.get(pkText(reference) ?? '');
  }
  return shape.kind === 'collection'
    ? store.lists.get(shape.key)?.cells.get(listKey(listArgs(reference)))
    : undefined;
}

/**
 * How a value that the program hands over is normalized: copied, and with the instances that the store, or the snapshot of
 * `layer`, showed it as references.
 */
export function givenValue(
  store: Store,
  source: string,
  args: readonly unknown[],
  layer?: Layer,
): NormalizeOptions {
  return {
    source,
    args,
    copy: true,
    isShown: (shape, pk, instance) =>
      layer?.instances.has(instance) === true || isShown(store, shape, pk, instance),
  };
}

/** Whether an instance is what readers are shown of a row. */
function isShown(store: Store, shape: EntityShape, pk: string, instance: object): boolean {
  for (let node = findCell(store, shape, pk)?.node; node; node = node.next) {
    if (node.value === instance) {
      return true;
    }
  }
  return false;
}

/** Whether the row or list that a reference names is there to be shown. */
export function isPresent(cell: Cell | undefined): cell is Cell {
  return isObject(cell?.shown);
}

/** Reads a normalized value once, leaving no link behind: nobody will be told when it changes. */
export function readOnce(store: Store, shape: Shape, normalized: unknown): unknown {
  const root = createRoot(shape, () => normalized);
  const links: Root['links'][number][] = [];
  collect(store, shape, normalized, links);
  for (const link of links) {
    readNode(store, link);
  }
  root.links = links;
  return fillRoot(root, normalized);
}
