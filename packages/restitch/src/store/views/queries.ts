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

/** What stands for a question that needs no reference: all rows there are. */
const EVERYTHING = true;

/**
 * What a schema and arguments name in the store, in normalized form: a row by the fields of its key (or the key itself) or by
 * an index, a list by its arguments. Undefined where they name nothing.
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
      // Every part is named by the same arguments.
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

/** What the arguments of an endpoint name: as `queryKey`, of an object the one thing in it. */
function lookupKey(shape: Shape, args: readonly unknown[]): unknown {
  const [[field, part] = []] = shape.kind === 'object' ? shape.fields : [];
  const reference = queryKey(part ?? shape, args);
  return field === undefined || reference === undefined
    ? reference
    : new Envelope(field, reference);
}

/** As `lookupKey`, computed at the first look, and the same object at each. */
export function lookupKeyReader(shape: Shape, args: readonly unknown[]): () => unknown {
  let known: readonly [reference: unknown] | undefined;
  return () => (known ??= [lookupKey(shape, args)])[0];
}

/** What a schema and arguments ask for by themselves: how it reads, with the keys that are given resolved, and what they name. */
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

/** The row that arguments name; of a union without a discriminator among them one of any class. */
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

/** The row that arguments name, by what its class says. */
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

/** The primary key that arguments name, whatever the class's `queryKey`: where they say what to write. */
export function entityPk({ entity }: EntityShape, args: readonly unknown[]): string | undefined {
  return pkText(pkOfArgs(entity, args));
}

/** The cell that a normalized reference names, if there is one; none is made. */
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
    shown: (shape, pk) => shownInstances(store, shape, pk, layer),
  };
}

/** What readers are shown of a row, and what a layer was shown. */
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

/** Whether something that a reference names, be it one of several, is there to be shown. */
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

/** Whether the row or list that a reference names is there to be shown. */
export function isPresent(cell: Cell | undefined): cell is Cell {
  return isObject(cell?.shown);
}

/** What the store holds under a schema and arguments, read once. */
export function lookUp(store: Store, schema: Schema, args: readonly unknown[]): unknown {
  const { shape, reference } = questionOf(schema, args);
  if (reference === undefined || reference === null) {
    return undefined;
  }
  // The keys of a lazy relation name what is there of it, if only nothing.
  const isHere = shape !== shapeOf(schema) || isAnyPresent(store, shape, reference);
  return isHere ? readOnce(store, shape, args, reference) : undefined;
}

/** Reads a normalized value once, leaving no link behind: nobody will be told when it changes. */
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
