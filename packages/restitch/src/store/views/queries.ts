import { isDevelopment } from '../../errors/development.js';
import type { Schema } from '../../schema/Schema.js';
import { entitiesOf, shapeOf } from '../../schema/shape.js';
import { usedShape } from '../../schema/usedShape.js';
import type { EntityShape, Shape, UnionShape } from '../../schema/shapes.js';
import { pkOfArgs } from '../../schema/Entity.js';
import { identityOfList } from '../../schema/homes.js';
import { listTable, rowTable } from '../cells/tables.js';
import { listArgs, listKey, pkText, rowRef, storedArgs } from '../cells/keys.js';
import { type Candidate, Envelope, Lookup } from './lookups.js';
import { selectionCell } from '../lists/selections.js';
import { createRoot, nodeList } from './nodes.js';
import { isObject, own } from '../cells/plainValues.js';
import { readNode } from './readNode.js';
import type { NormalizeOptions } from '../normalize/Normalized.js';
import type { Cell } from '../cells/Cell.js';
import type { Layer } from '../journal/Transaction.js';
import type { Store } from '../cells/Store.js';
import { collect, rowOf } from './references.js';
import { denormalizeRoot } from './denormalize.js';

/** The reference of a query that needs none: it reads all rows. */
const EVERYTHING = true;

/**
 * Returns the normalized reference that a schema and arguments name. For a row, it is found by the
 * key, the fields of the key or an index; for a list, by its arguments. Undefined if they name
 * nothing.
 */
export function queryKey(shape: Shape, args: readonly unknown[]): unknown {
  switch (shape.kind) {
    case 'entity':
    case 'union':
      return rowKey(shape, args);
    case 'collection':
      return listArgs(identityOfList(shape.collection, args));
    case 'all':
      return EVERYTHING;
    case 'object':
      // The same arguments apply to every part.
      return Object.fromEntries([
        ...shape.plain,
        ...Array.from(shape.fields, ([field, part]) => [field, queryKey(part, args)] as const),
      ]);
    case 'array': {
      const [items] = args;
      return Array.isArray(items) ? items.map((item) => queryKey(shape.member, [item])) : undefined;
    }
    case 'custom':
      return queryKey(shape.member, args);
    case 'lazy':
      // The keys that a record holds.
      return args[0];
    default:
      return undefined;
  }
}

/**
 * Returns the reference that the arguments of an endpoint name: like `queryKey`, but in an object
 * only its single part.
 */
function lookupKey(shape: Shape, args: readonly unknown[]): unknown {
  const [[field, part] = []] = shape.kind === 'object' ? shape.fields : [];
  const reference = queryKey(part ?? shape, args);
  return field === undefined || reference === undefined
    ? reference
    : new Envelope(field, reference);
}

/**
 * Returns a function that computes `lookupKey` at the first call and then returns the same object.
 */
export function lookupKeyReader(shape: Shape, args: readonly unknown[]): () => unknown {
  let known: readonly [reference: unknown] | undefined;
  return () => (known ??= [lookupKey(shape, args)])[0];
}

/**
 * Returns the shape and the reference of a query for a schema and arguments. For a `Lazy`, the
 * shape is that of the records behind the keys.
 */
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

/**
 * Returns the row that arguments name. In a union without a discriminator, it can belong to any
 * class.
 */
function rowKey(
  shape: EntityShape | UnionShape,
  args: readonly unknown[],
): string | Lookup | undefined {
  const [first] = args;
  const members = [...entitiesOf(shape, isObject(first) ? first : undefined)];
  const candidates = new Map<Candidate, (typeof members)[number]>();
  for (const member of members) {
    const candidate = candidateOf(member.entity, args);
    if (candidate && 'pk' in candidate && members.length === 1) {
      return rowRef(member.path, candidate.pk);
    }
    if (candidate) {
      candidates.set(candidate, member);
    }
  }
  const isMeant = (candidate: Candidate, fields: object): boolean =>
    shape.kind === 'entity' ||
    candidates.get(candidate) === shape.memberFor(members, candidate.shape.table, fields);
  return candidates.size > 0 ? new Lookup([...candidates.keys()], isMeant) : undefined;
}

/** Returns the row that arguments name by the `queryKey` of its class. */
function candidateOf(shape: EntityShape, args: readonly unknown[]): Candidate | undefined {
  const named: unknown = shape.entity.queryKey(args);
  if (!isObject(named)) {
    const pk = pkText(named);
    return pk === undefined ? undefined : { shape, pk };
  }
  const [[field, value] = []] = Object.entries(named);
  if (field === undefined || !shape.entity.indexes.includes(field)) {
    throw new TypeError(
      isDevelopment
        ? `\`queryKey\` of ${shape.name} names \`${field}\`, which is not one of its \`indexes\`.`
        : `${shape.name}.queryKey`,
    );
  }
  const text = pkText(value);
  return text === undefined ? undefined : { shape, field, text };
}

/** Returns the primary key that arguments name, without the class's `queryKey`. Used for writes. */
export function entityPk({ entity }: EntityShape, args: readonly unknown[]): string | undefined {
  return pkText(pkOfArgs(entity, args));
}

/** Returns the cell of a normalized reference, if there is one. Creates none. */
export function findCell(store: Store, shape: Shape, reference: unknown): Cell | undefined {
  if (reference === undefined || reference === null) {
    return undefined;
  }
  if (reference instanceof Lookup) {
    return reference.cell(store);
  }
  if (shape.kind === 'all') {
    const cells = [...entitiesOf(shape.member)].map(({ entity }) => selectionCell(store, entity));
    return cells.find(isPresent) ?? cells[0];
  }
  if (shape.kind === 'custom') {
    return findCell(store, shape.member, reference);
  }
  if (shape.kind === 'object' && reference instanceof Envelope) {
    const [[field, part] = []] = shape.fields;
    return part && field !== undefined ? findCell(store, part, own(reference, field)) : undefined;
  }
  if (shape.kind === 'entity' || shape.kind === 'union') {
    const row = rowOf(shape, reference);
    return row && rowTable(store, row.shape).cells.get(row.pk ?? '');
  }
  return shape.kind === 'collection'
    ? listTable(store, shape).cells.get(listKey(storedArgs(reference)))
    : undefined;
}

/**
 * Returns the options to normalize a value that the program writes: it is copied. Instances from
 * the store, or from the snapshot of `layer`, are references.
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
    shown: (shape, pk) => shownInstances(store, shape, pk, layer),
  };
}

/** Yields the instances of a row that readers and a layer received. */
function* shownInstances(
  store: Store,
  shape: EntityShape,
  pk: string,
  layer: Layer | undefined,
): Iterable<object> {
  const cell = findCell(store, shape, pk);
  yield* (cell && layer?.instances.get(cell)) ?? [];
  for (const node of cell ? nodeList(cell.nodes) : []) {
    if (isObject(node.value)) {
      yield node.value;
    }
  }
}

/** Returns true if a row or list of a reference exists, even if it is one of several. */
export function isAnyPresent(store: Store, shape: Shape, reference: unknown): boolean {
  if (shape.kind === 'custom') {
    return isAnyPresent(store, shape.member, reference);
  }
  if (shape.kind === 'object' && isObject(reference)) {
    return [...shape.fields].some(([field, part]) => isAnyPresent(store, part, reference[field]));
  }
  if (shape.kind === 'array' && Array.isArray(reference)) {
    return reference.some((item) => isAnyPresent(store, shape.member, item));
  }
  return isPresent(findCell(store, shape, reference));
}

/** Returns true if the row or list of a reference exists. */
export function isPresent(cell: Cell | undefined): cell is Cell {
  return isObject(cell?.shown);
}

/** Returns the value of a schema and arguments in the store, without a subscription. */
export function lookUp(store: Store, schema: Schema, args: readonly unknown[]): unknown {
  const { shape, reference } = questionOf(schema, args);
  if (reference === undefined || reference === null) {
    return undefined;
  }
  // The keys of a lazy relation always have a value, which can be empty.
  const isHere = shape !== shapeOf(schema) || isAnyPresent(store, shape, reference);
  return isHere ? readOnce(store, shape, args, reference) : undefined;
}

/** Reads a normalized value once, without links. Its reader is not notified of changes. */
export function readOnce(
  store: Store,
  shape: Shape,
  args: readonly unknown[],
  normalized: unknown,
): unknown {
  store.uses += 1;
  const root = createRoot(shape, args, () => normalized);
  root.links = collect(store, shape, normalized);
  for (const link of nodeList(root.links)) {
    readNode(store, link);
  }
  return denormalizeRoot(root, normalized);
}
