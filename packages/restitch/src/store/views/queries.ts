import type { Schema } from '../../schema/Schema.js';
import { candidateOf } from '../../schema/candidates.js';
import { Lookup } from '../../schema/Lookup.js';
import { shapeOf } from '../../schema/shape.js';
import { usedShape } from '../../schema/usedShape.js';
import type { EntityShape, Shape } from '../../schema/shapes.js';
import { pkOfArgs } from '../../schema/Entity.js';
import { keyReading } from '../../schema/keyFields.js';
import { identityOfList } from '../../schema/listHomes.js';
import { listTable, rowTable } from '../cells/tables.js';
import { listArgs, listKey } from '../cells/keys.js';
import { pkText } from '../../schema/referenceText.js';
import type { Node } from './Node.js';
import { isRoot, nodeList } from './nodes.js';
import { isObject } from '../cells/plainValues.js';
import { readNode } from './readNode.js';
import { contentOf, isWithin, type Lifetime, NO_LIFETIME } from '../cells/results.js';
import type { Result } from '../cells/Result.js';
import type { NormalizeOptions } from '../normalize/Normalized.js';
import type { Cell } from '../cells/Cell.js';
import type { Layer } from '../journal/Transaction.js';
import type { Store } from '../cells/Store.js';
import { partsOf, walk } from './walkReferences.js';
import { currentBelow } from '../journal/fold.js';
import { Builder } from './Builder.js';
import { Envelope, NOTHING, denormalize } from './denormalize.js';
import { readKeyFields } from './readKeyFields.js';

keyReading.read = readKeyFields;

/**
 * For example, `{ id: 5 }` names a row by its key, and `{ username: 'ada' }` by an index. An object
 * that contains itself gets undefined for the inner one.
 */
export function queryKey(
  shape: Shape,
  args: readonly unknown[],
  outer: readonly Shape[] = [],
): unknown {
  switch (shape.kind) {
    case 'entity': {
      const found = candidateOf(shape, args);
      return typeof found === 'string' ? found : found?.alone();
    }
    case 'collection':
      return listArgs(identityOfList(shape.collection, args));
    case 'object':
      return outer.includes(shape)
        ? undefined
        : Object.fromEntries([
            ...shape.plain,
            ...Array.from(
              shape.fields,
              ([field, part]) => [field, queryKey(part, args, [...outer, shape])] as const,
            ),
          ]);
    case 'array': {
      const [items] = args;
      return Array.isArray(items) ? items.map((item) => queryKey(shape.member, [item])) : undefined;
    }
    case 'leaf':
    case 'deserialize':
    case 'edit':
    case 'invalidate':
      return undefined;
    default:
      return shape.queryKey(args, queryKey);
  }
}

/** The reference in an object such as `{ data: User }` becomes an `Envelope`. */
export function lookupKey(shape: Shape, args: readonly unknown[]): unknown {
  const [[field, part] = []] = shape.kind === 'object' ? shape.fields : [];
  const found = queryKey(part ?? shape, args);
  const reference = found instanceof Lookup ? found.unique() : found;
  return field === undefined || reference === undefined
    ? reference
    : new Envelope(field, reference);
}

export function questionOf(
  schema: Schema,
  args: readonly unknown[],
): { readonly shape: Shape; readonly reference: unknown } {
  const shape = usedShape(schema);
  return {
    shape: shape.kind === 'lazy' ? shape.member : shape,
    reference: queryKey(shape, args),
  };
}

/** Used for writes, which do not call the `queryKey` of the class. */
export function entityPk({ entity }: EntityShape, args: readonly unknown[]): string | undefined {
  return pkText(pkOfArgs(entity, args));
}

export function findCell(store: Store, shape: Shape, reference: unknown): Cell | undefined {
  const known = (of: EntityShape, pk: string): Cell | undefined =>
    rowTable(store, of).cells.get(pk);
  if (reference instanceof Lookup) {
    return reference.cell({ store, known }) as Cell | undefined;
  }
  const found: (Cell | undefined)[] = [];
  walk(shape, reference, {
    row: (of, pk) => found.push(known(of, pk)),
    list: (of, args) => found.push(listTable(store, of).cells.get(listKey(args))),
    store,
    take: (cell) => found.push(cell),
    value(part, inner) {
      if (shape.kind === 'custom' || reference instanceof Envelope) {
        found.push(findCell(store, part, inner));
      }
    },
  });
  return found.find(isPresent) ?? found[0];
}

/**
 * Instances from the store, or those that `layer` received, count as references to their rows. Stored
 * fields are without the requests since `start`.
 */
export function givenValue(
  store: Store,
  source: string,
  args: readonly unknown[],
  layer?: Layer,
  start: number = Infinity,
): NormalizeOptions {
  const readOf = (cell: Cell | undefined): Iterable<object> =>
    instancesIn(cell && layer?.copies.get(cell));
  return {
    source,
    args,
    copy: true,
    stored(shape, pk) {
      const cell = findCell(store, shape, pk);
      return cell && currentBelow(store, cell, start);
    },
    instancesOf(shape, pk) {
      const cell = findCell(store, shape, pk);
      return [...instancesIn(cell), ...readOf(cell)];
    },
    readOf: layer && ((shape, pk) => readOf(findCell(store, shape, pk))),
    sharing: (shape) => rowTable(store, shape).shapes,
  };
}

function* instancesIn(cell: Cell | undefined): Iterable<object> {
  for (const { value } of cell ? nodeList(cell.nodes) : []) {
    if (isObject(value)) {
      yield value;
    }
  }
}

export function isAnyPresent(store: Store, shape: Shape, reference: unknown): boolean {
  return [...partsOf(shape, reference)].some(([part, value]) =>
    part.kind === 'array' && Array.isArray(value)
      ? value.some((item) => isAnyPresent(store, part.member, item))
      : isPresent(findCell(store, part, value)),
  );
}

/** Before the first response, this is the lifetime of other data, such as a record from a list. */
export function dataLifetime(store: Store, result: Result): Lifetime {
  if (result.status !== 'none') {
    return result;
  }
  const { shape, expiredIn } = result;
  const lifetime = expiredIn > 0 ? undefined : findCell(store, shape, contentOf(result))?.lifetime;
  return lifetime && !lifetime.expiredIn ? lifetime : NO_LIFETIME;
}

/**
 * Before the first response, an expired row or list anywhere in the data counts, such as the author
 * of a post. Its age does not count. For a mounted reader, the result itself expires.
 */
export function isFresh(store: Store, result: Result, isMounted?: boolean): boolean {
  const canContain = result.status === 'none' && (store.expiredIn || store.hydrated);
  const found = new Set<Node>(canContain && !isMounted ? result.roots : []);
  // The loop also visits the nodes that it adds.
  for (const node of found) {
    if (!isRoot(node) && isOutdated(node.cell.lifetime)) {
      return false;
    }
    nodeList(node.links).forEach((link) => found.add(link));
  }
  return isWithin(dataLifetime(store, result), store.now());
}

/** Hydrated data has no `expiredIn`: its lifetime ends in 0. */
export function isOutdated({ expiredIn, fetchedAt, expiresAt }: Lifetime): boolean {
  return expiredIn !== undefined || (fetchedAt > 0 && expiresAt === 0);
}

export function isPresent(cell: Cell | undefined): cell is Cell {
  return isObject(cell?.current);
}

export function lookUp(store: Store, schema: Schema, args: readonly unknown[]): unknown {
  const { shape, reference } = questionOf(schema, args);
  if (reference === undefined || reference === null) {
    return undefined;
  }
  // A lazy relation always has a value, which can be an empty list.
  const isHere = shape !== shapeOf(schema) || isAnyPresent(store, shape, reference);
  return isHere ? readOnce(store, shape, args, reference) : undefined;
}

export function readOnce(
  store: Store,
  shape: Shape,
  args: readonly unknown[],
  normalized: unknown,
): unknown {
  store.uses += 1;
  const reader = new Builder(store, (node) => readNode(store, node));
  reader.args = args;
  return denormalize(shape, normalized, reader, NOTHING);
}
