import { fieldsOf } from '../../schema/formFields.js';
import {
  changedShape,
  entitiesOf,
  isRecordShape,
  onlyShape,
  shapesIn,
} from '../../schema/shape.js';
import type { EntityShape, Shape, UnionShape } from '../../schema/shapes.js';
import { entitiesIn, isAbout } from '../../schema/signature.js';
import { rowCell, rowTable } from '../cells/tables.js';
import { nodeList } from '../views/nodes.js';
import { hasOtherPart } from '../views/partialKeys.js';
import { entityPk } from '../views/queries.js';
import { isListing } from '../lists/members.js';
import { isWholeKey, readFieldsOf } from '../../schema/keyFields.js';
import type { NormalizedResponse } from '../normalize/Normalized.js';
import { createStack, noteConfirmed, retain } from './patches.js';
import { markOutOfOrder, raiseMark } from './outOfOrderMarks.js';
import { noteOvertaken } from './stalled.js';
import { isObject } from '../cells/plainValues.js';
import type { Transaction } from './Transaction.js';
import type { Cell } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';

/**
 * Marks the row that the call names, unless the response contains it with all fields that the call
 * may have changed:
 *
 * - The response lacks the row, such as a renamed row.
 * - An empty response may confirm a new primary key, such as another `slug`.
 * - The response contains the row as another class of a union, so its lists may have changed.
 * - The class does not declare a sent field, so that the field was not stored.
 * - A removal from the list `{ author: 7 }` changes the author. Its body names the row.
 *
 * If the arguments do not name a row, an empty response, or one with another part of the key, marks
 * all rows of the class. Another one marks its own rows that lack a sent field. For a schema with
 * several records, a response without any marks all rows of their classes.
 * `args` can name a row that `called` does not: see `namedArgs.ts`. This row must be stored. For the
 * deletion of a row that was not stored, `rows` is empty.
 *
 * `rows` is undefined if an empty response confirmed an optimistic update. Returns true if the record
 * may be in other lists, too, because of another primary key or a sent field that was not stored.
 */
export function noteUnconfirmed(
  store: Store,
  shape: Shape,
  called: readonly unknown[],
  args: readonly unknown[],
  sent: unknown,
  rows: NormalizedResponse['rows'] | undefined,
  transaction: Transaction,
): boolean {
  const only = onlyShape(shape);
  const isRemoval = only.kind === 'edit' && only.edit.action === 'remove' && args.length > 1;
  const isDelete = only.kind === 'invalidate';
  const changed = isRemoval || isDelete ? only.member : changedShape(only);
  if (!isRecordShape(changed)) {
    markRows(store, rows && transaction.isEmpty ? changedIn(shape) : [], transaction);
    return false;
  }
  if (isDelete && rows?.length !== 0) {
    return false;
  }
  const names = Object.keys(Object(isRemoval ? args[0] : fieldsOf(sent)));
  const isEmpty = isDelete || transaction.isEmpty || rows?.length === 0;
  // The body of a removal names its row.
  const from = isRemoval ? -1 : 0;
  const naming = args.slice(from);
  const isUnnamed = !isNamed(store, changed, called.slice(from), naming);
  if (isUnnamed && (isEmpty || isOther(rows, called[0]))) {
    markRows(store, entitiesIn(changed), transaction);
  }
  let isUnclear = isUnnamed && noteUnnamed(store, rows, names, transaction);
  for (const { entity } of entitiesOf(changed)) {
    const pk = entityPk(entity, naming);
    const cell = pk ? rowCell(store, entity, pk) : undefined;
    // An unknown row is marked too: a response in flight may contain its old content.
    const isKnown = store.inFlight.size + store.stalled.size > 0 || cell?.current !== undefined;
    const row = rows?.find((one) => one.pk === cell?.pk && one.shape.table === entity.table);
    const fields = Object(row?.fields) as object;
    const isOfRow = (name: string): boolean =>
      Object.hasOwn(entity.defaults(), name) || Object.hasOwn(Object(cell?.current), name);
    const isMissing = (name: string): boolean => !Object.hasOwn(fields, name);
    const isOtherClass =
      cell && row?.shape !== entity && nodeList(cell.nodes).some(({ shape: of }) => of === entity);
    const renamed = transaction.isEmpty && renamedPk(entity, args[0], cell, sent);
    const isRenamed = Boolean(renamed) && renamed !== pk;
    const isUnsaved = isRemoval
      ? names.some((name) => isOfRow(name) && isMissing(name))
      : rows && (!row || isOtherClass || lacksSent(entity, fields, names));
    if (cell && isKnown && (isUnsaved || isRenamed)) {
      markChanged(store, cell, transaction);
      // A move can have changed the lists of the row by a field that was not stored.
      isUnclear ||= isRenamed || (!isRemoval && names.some(isMissing));
    }
  }
  return isUnclear;
}

/** Returns the primary key that the record has with the sent fields. */
function renamedPk(
  entity: EntityShape,
  given: unknown,
  cell: Cell | undefined,
  sent: unknown,
): string | undefined {
  const fields = { ...Object(given), ...Object(cell?.current), ...Object(fieldsOf(sent)) };
  return entityPk(entity, [fields]);
}

/** True for a response with a part of the record that lacks sent fields. */
function lacksSent(entity: EntityShape, fields: object, names: readonly string[]): boolean {
  const isMissing = (name: string): boolean => !Object.hasOwn(fields, name);
  return names.some(isMissing) && Object.keys(entity.defaults()).some(isMissing);
}

function markChanged(store: Store, cell: Cell, transaction: Transaction): void {
  markConfirmed(store, cell, transaction);
  noteOvertaken(store, cell, transaction);
}

/** Because of `confirmedStart`, an earlier mutation that settles later marks the row again. */
function markConfirmed(store: Store, cell: Cell, transaction: Transaction): void {
  cell.stack ??= createStack(cell.current);
  retain(transaction, cell);
  store.unfolded.add(transaction);
  noteConfirmed(cell.stack, transaction);
  markOutOfOrder(store, cell, transaction.settle);
}

/** A deletion is placed before this, so that its row no longer counts as stored. */
function isNamed(
  store: Store,
  changed: EntityShape | UnionShape,
  called: readonly unknown[],
  args: readonly unknown[],
): boolean {
  for (const { entity } of entitiesOf(changed)) {
    const pk = entityPk(entity, args);
    const cell = pk ? rowTable(store, entity).cells.get(pk) : undefined;
    const isSure = isWholeKey(entity.entity, called[0]) && pk === entityPk(entity, called);
    if (isObject(cell?.current) || (pk && isSure)) {
      return true;
    }
  }
  return false;
}

/** True if the response contains a record with other parts of a key than the arguments. */
function isOther(rows: NormalizedResponse['rows'] = [], given: unknown): boolean {
  return rows.some(
    ({ shape, fields, isNested }) =>
      !isNested &&
      fields &&
      hasOtherPart(readFieldsOf(shape.entity), fields, Object(given) as object),
  );
}

/** Marks the rows of a response that lack sent fields. Returns true if there are some. */
function noteUnnamed(
  store: Store,
  rows: NormalizedResponse['rows'] | undefined,
  names: readonly string[],
  transaction: Transaction,
): boolean {
  let isUnclear = false;
  for (const { shape, pk, fields, isNested } of rows ?? []) {
    if (fields && !isNested && lacksSent(shape, fields, names)) {
      markChanged(store, rowCell(store, shape, pk), transaction);
      isUnclear = true;
    }
  }
  return isUnclear;
}

/** Yields the classes of the records that a mutation may change. A create changes none. */
function* changedIn(shape: Shape): IterableIterator<EntityShape> {
  for (const found of shapesIn(shape)) {
    const part = found.kind === 'array' ? found.member : found;
    if (part.kind !== 'edit' || /move|remove/.test(part.edit.action)) {
      yield* entitiesIn(part);
    }
  }
}

/**
 * Responses in flight can contain old rows that are not stored yet. An empty list can gain rows: the
 * other lists are fetched again because of their rows.
 */
function markRows(store: Store, changed: Iterable<EntityShape>, transaction: Transaction): void {
  for (const entity of changed) {
    const table = rowTable(store, entity);
    raiseMark(store.outOfOrderUntilQuiet, table, transaction.settle);
    for (const row of table.cells.values()) {
      if (isObject(row.current)) {
        markConfirmed(store, row, transaction);
      }
    }
    markEmptyLists(store, entity, transaction);
  }
}

function markEmptyLists(store: Store, entity: EntityShape, { settle }: Transaction): void {
  for (const { list, cells } of store.lists.values()) {
    for (const cell of isAbout(list, entity) ? cells.values() : []) {
      if (isListing(cell.current) && cell.current.members.length === 0) {
        markOutOfOrder(store, cell, settle);
      }
    }
  }
}
