import type { EntityShape } from '../../schema/shapes.js';
import { expireCell, knownCell, rowTable } from '../cells/tables.js';
import { withMissing } from '../cells/plainValues.js';
import { isUnknown, type Lifetime } from '../cells/results.js';
import type { Cell, Fields, Stored } from '../cells/Cell.js';
import type { RowTable, Store } from '../cells/Store.js';
import type { Operation } from './operations.js';
import type { LogEntry, Transaction } from './Transaction.js';
import { logEntries, removalsFor } from '../lists/listLog.js';
import type { NormalizedEdit, NormalizedResponse, NormalizedRow } from '../normalize/Normalized.js';
import { renamedFields } from '../optimistic/nameCreatedRow.js';
import { foldRecord, place, refold } from './fold.js';
import { lastMark, raiseMark } from './outOfOrderMarks.js';
import { noteOutOfOrder } from './outOfOrderMutations.js';
import { baseOf, patchesOf, setBase } from './patches.js';
import { isPending, isQuiet } from './responseOrder.js';
import { mark, nodeList, rebuildParents } from '../views/nodes.js';
import { withoutKey } from '../normalize/rowKeys.js';

export interface Placing {
  readonly store: Store;
  readonly transaction: Transaction;
  readonly normalized: NormalizedResponse;
  readonly lifetime: Lifetime | undefined;
  /** See `Lifetime.tick`. */
  readonly tick: number;
  readonly isOptimistic: boolean;
  /** The real keys of the temporary keys that a prediction still contains. */
  readonly names: ReadonlyMap<unknown, string>;
}

/** Returns true if the response may contain a record twice. */
export function placeRows(placing: Placing): boolean {
  const { store, transaction, normalized, isOptimistic } = placing;
  const { rows, edits, needsRows } = normalized;
  const created = createdIn(edits);
  const { overtaken } = transaction;
  const isAlone = !isOptimistic && !overtaken && isQuiet(store, transaction);
  const removals: LogEntry[] = [];
  const removalsOf = removalsFor(transaction, normalized.lists);
  // Cells written from here on get a `usedIn` of at least `began`. So a repeated record is noticed.
  store.uses += 1;
  const began = store.uses;
  let meetsAgain = overtaken !== undefined;
  let last: EntityShape | undefined;
  let table: RowTable | undefined;
  for (const row of rows) {
    const { shape, pk, fields: given, isNested } = row;
    table = table && shape === last ? table : rowTable(store, shape);
    last = shape;
    const cell = knownCell(table, pk);
    meetsAgain ||= cell.usedIn >= began;
    const isCreate = created.get(pk) === shape;
    const needsRow = (isOptimistic || needsRows) && !isNested && !isCreate;
    const known = given && needsRow ? withoutKey(shape, given) : given;
    const fields = known && renamedFields(store, shape, known, pk, cell);
    noteOutOfOrder(store, cell, transaction, fields);
    if (overtaken?.has(cell)) {
      // The row is newer. A stalled read adds only missing fields; a stalled mutation is ignored.
      if (fields && transaction.kind !== 'mutation') {
        fillMissing(store, cell, fields);
      }
    } else if (!fields) {
      place(store, cell, transaction, { type: 'delete' });
      // Readers that waited for the end of the deletion must read again, although the row is equal.
      nodeList(cell.nodes).forEach((node) => mark(store, node));
      // A removal of a marked row would mark its lists.
      removals.push(...(row.isUnsure ? [] : removalsOf(shape, cell)));
    } else if (
      isAlone &&
      (isNested || !needsRows) &&
      !cell.stack &&
      !shape.custom.merge &&
      !table.metas
    ) {
      foldRecord(store, cell, fields, transaction);
    } else {
      const keepsDeleted = isOptimistic && isNested;
      placeMerge(placing, cell, row, mergeOf(shape, fields, needsRow, isCreate, keepsDeleted));
    }
    if (!isOptimistic) {
      renewRow(placing, cell, row, isCreate ? undefined : given);
    }
  }
  logEntries(store, transaction, removals);
  for (const { row } of store.hydrated && !isPending(transaction) ? removals : []) {
    if (row) {
      store.hydrated?.noteRemoval(row);
    }
  }
  return meetsAgain;
}

function createdIn(edits: readonly NormalizedEdit[]): ReadonlyMap<string, EntityShape> {
  const created = new Map<string, EntityShape>();
  for (const { isCreated, pk, row } of edits) {
    if (isCreated) {
      created.set(pk, row);
    }
  }
  return created;
}

/** If a class decides which response is newer, it also decides about the lists in its records. */
function placeMerge(
  { store, transaction }: Placing,
  cell: Cell,
  row: NormalizedRow,
  operation: Operation,
): void {
  const others = row.shape.custom.order ? [...patchesOf(cell)] : [];
  place(store, cell, transaction, operation);
  row.isOlder = operation.isOlder;
  for (const other of others) {
    if (other.operation.isOlder) {
      (row.older ??= new Set<Transaction>()).add(other.transaction);
    }
  }
}

/** `needsRow` skips unknown rows. A nested record is stored anyway: its relation refers to it. */
function mergeOf(
  shape: EntityShape,
  fields: Fields,
  needsRow: boolean,
  isCreate: boolean,
  keepsDeleted: boolean,
): Operation {
  const merge = { type: 'merge', shape, fields } as const;
  return needsRow || isCreate || keepsDeleted
    ? { ...merge, needsRow, isCreate, keepsDeleted }
    : merge;
}

/**
 * Called after the row is placed. A response that lacks a stored field does not renew the row,
 * because this field may be outdated. An expired row stays expired after a mutation whose response
 * lacks a declared field. An unknown row is then expired, too, so that its lists are fetched again,
 * unless it is nested: the author of a created post can be a summary.
 */
function renewRow(
  { store, transaction, lifetime, tick }: Placing,
  cell: Cell,
  { shape, isNested, isUnsure }: NormalizedRow,
  changed: Fields | null | undefined,
): void {
  const isNew = isUnknown(cell.lifetime);
  const isPart =
    changed &&
    ((cell.current !== changed && fieldCount(cell.current) > fieldCount(changed)) ||
      (transaction.kind === 'mutation' &&
        ((isNew && !isNested) || cell.lifetime.expiredIn !== undefined) &&
        lacksFields(shape, changed)));
  const keepsLifetime = isPart && !isNew;
  // Part of an edited row does not show that the server has sent the row since it expired.
  const isEdit = keepsLifetime && transaction.kind === 'mutation';
  renewCell(cell, lifetime, isEdit ? cell.lifetime.tick : tick, keepsLifetime);
  if (isUnsure) {
    // A deleted row can only be in a response in flight.
    raiseMark(store.outOfOrderUntilQuiet, cell, transaction.settle);
    if (changed !== null) {
      raiseMark(store.outOfOrder, cell, transaction.settle);
    }
  }
  // The cast: rows are in tables of rows. A query of a union depends on which row is the newest,
  // even if the content of the row stays equal.
  if ((cell.table as RowTable).hasRivals) {
    nodeList(cell.nodes).forEach((node) => rebuildParents(store, node));
  }
  if ((isPart && isNew) || lastMark(store, cell) > transaction.start) {
    expireCell(store, cell);
  }
}

/** Optimization: the row contains all fields of a response, so comparing the numbers is enough. */
function fieldCount(stored: Stored): number {
  // The cast: `for` skips null and undefined.
  const fields = stored as Fields;
  let count = 0;
  for (const field in fields) {
    count += fields[field] === undefined ? 0 : 1;
  }
  return count;
}

/** Existing fields stay, because `incoming` is older. */
function fillMissing(store: Store, cell: Cell, incoming: Fields): void {
  const before = baseOf(cell);
  const base = withMissing(before, incoming);
  if (base !== before) {
    setBase(cell, base);
    refold(store, cell, 0);
  }
}

/** Relations do not count: many responses leave them out. With `wanted`, only its fields count. */
export function lacksFields(shape: EntityShape, fields: object, wanted?: object): boolean {
  return Object.keys(shape.defaults()).some(
    (field) =>
      !Object.hasOwn(fields, field) &&
      !shape.relations.has(field) &&
      (!wanted || Object.hasOwn(wanted, field)),
  );
}

/**
 * With `isPart`, or after a later expiry, the cell keeps its old lifetime. Only `isRepeat` is noted,
 * because it ends a loop of readers that make each other fetch.
 */
export function renewCell(
  cell: Cell,
  lifetime: Lifetime | undefined,
  tick: number | undefined,
  isPart?: boolean | null,
): void {
  const isRepeat = lifetime?.isRepeat;
  const isRenewed = lifetime && !isPart && (cell.lifetime.expiredIn ?? 0) <= (tick ?? 0);
  cell.lifetime = isRenewed ? lifetime : { ...cell.lifetime, isRepeat, tick };
}
