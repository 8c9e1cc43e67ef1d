import type { CollectionShape, EntityShape } from '../../schema/shapes.js';
import { unboundHook } from '../../schema/listHomes.js';
import { entitiesOf } from '../../schema/shape.js';
import { isBorn, listTable } from '../cells/tables.js';
import { place } from '../journal/fold.js';
import { rowRef } from '../../schema/referenceText.js';
import { isPending } from '../journal/responseOrder.js';
import type { ListEdit, Operation, RemoveMember } from '../journal/operations.js';
import { addPatch, createPatch, patchesOf } from '../journal/patches.js';
import { markOutOfOrder } from '../journal/outOfOrderMarks.js';
import { lacks } from './wholeLists.js';
import { callbackFailed } from '../normalize/normalizeErrors.js';
import { own } from '../cells/plainValues.js';
import { collect } from '../views/walkReferences.js';
import type { Cell, ListOrigin } from '../cells/Cell.js';
import type { LogEntry, Transaction } from '../journal/Transaction.js';
import type { Store } from '../cells/Store.js';

/**
 * List operations are also kept in a log, which a list replays when it becomes known. Otherwise,
 * the list could lack a create that was confirmed while the list was requested.
 */

function logOperation(store: Store, entry: LogEntry): void {
  const { transaction } = entry;
  store.log.add(entry);
  (transaction.logged ??= []).push(entry);
  eachOperation(store, entry, (cell, operation) => place(store, cell, transaction, operation));
}

/** Visits the operations on all known lists. Marks the lists that must be fetched again. */
function eachOperation(
  store: Store,
  entry: LogEntry,
  visit?: (cell: Cell, operation: Operation) => void,
): void {
  for (const table of store.lists.values()) {
    for (const cell of entry.concerns(table.list) ? table.cells.values() : []) {
      const operation = isBorn(cell) ? operationOn(store, entry, cell) : undefined;
      if (operation) {
        visit?.(cell, operation);
      }
    }
  }
}

/** Creates the table of the list first, so that the edit also changes hydrated lists. */
export function logEdit(
  store: Store,
  list: CollectionShape,
  transaction: Transaction,
  row: Cell | undefined,
  operationFor: LogEntry['operationFor'],
  isPartial?: boolean,
): void {
  listTable(store, list);
  // The same list in a record has a key without the scope. An edit changes both lists.
  const inRecords = unboundHook.lists?.keyInRecords(list);
  const concerns = ({ key }: CollectionShape): boolean => key === list.key || key === inRecords;
  logOperation(store, { transaction, row, concerns, operationFor, isPartial });
}

export function logRemoval(
  store: Store,
  transaction: Transaction,
  shape: EntityShape,
  row: Cell,
): void {
  const entry: LogEntry = {
    transaction,
    row,
    concerns: ({ member }) =>
      [...entitiesOf(member)].some(({ entity }) => entity.table === shape.table),
    operationFor: (list) => removalOf(shape, row.pk, list),
  };
  logOperation(store, entry);
  if (!isPending(transaction)) {
    store.hydrated?.noteRemoval(entry);
  }
}

/** A response that started at tick `since` is no reason to fetch the list for older edits. */
function operationOn(store: Store, entry: LogEntry, cell: Cell, since = 0): Operation | undefined {
  const { transaction, row, isPartial } = entry;
  const { start, settle } = transaction;
  try {
    const { list } = cell;
    const operation = list && entry.concerns(list.shape) ? entry.operationFor(list) : undefined;
    const edit = typeof operation === 'object' ? operation : undefined;
    // Out-of-order mutations of the row may have decided the edit.
    const mark = (edit && row && store.outOfOrderUntilQuiet.get(row)) ?? 0;
    const last = Math.max(mark, settle);
    const mustFetch = (): boolean | undefined =>
      mark > start ||
      (edit && isLeftOut(cell, edit, start)) ||
      operation === 'unclear' ||
      (isPartial && isUnsure(entry)) ||
      (edit?.type === 'add' && row && hasExpiredList(store, row));
    if (!isPending(transaction) && last > since && mustFetch()) {
      markOutOfOrder(store, cell, last);
    }
    return edit && { ...edit, row };
  } catch (error) {
    store.report(callbackFailed('createCollectionFilter', error, transaction.source));
    return undefined;
  }
}

/** True if a later mutation has responded with the whole list, which lacks the edit. */
function isLeftOut(cell: Cell, edit: ListEdit, since: number): boolean {
  return patchesOf(cell).some(
    ({ operation, transaction: { kind, start, settle } }) =>
      operation.type === 'replace' &&
      kind === 'mutation' &&
      start > since &&
      settle < Infinity &&
      lacks(operation, edit),
  );
}

/** True if the fields of the row on the server may differ from those that decided the edit. */
function isUnsure({ row, isUnsure, transaction: { start } }: LogEntry): boolean | undefined {
  return (
    isUnsure ||
    !row?.current ||
    row.lifetime.expiredIn !== undefined ||
    patchesOf(row).some(
      ({ transaction: { kind, settle, start: other } }) =>
        kind === 'mutation' && other !== start && settle > start && settle < Infinity,
    )
  );
}

/** True if a list nested in the row is expired. A list that gains such a row is fetched again. */
function hasExpiredList(store: Store, { table, current }: Cell): boolean {
  const shapes = table.kind === 'rows' ? table.shapes : NONE;
  return shapes.some(({ related }) =>
    related.some(([field, part]) =>
      collect(store, part, own(Object(current), field)).some(
        ({ cell }) => cell.list && cell.lifetime.expiredIn,
      ),
    ),
  );
}

const NONE: readonly EntityShape[] = [];

/** After a failed mutation, later edits of its rows are unsure: their lists are fetched again. */
export function checkLog(store: Store, entries: Iterable<LogEntry> = [], isUnsure = false): void {
  for (const entry of entries) {
    entry.isUnsure ||= isUnsure;
    if (!isPending(entry.transaction)) {
      eachOperation(store, entry);
    }
  }
}

/** Called for each response with the list. A known list gets no patches, but can be marked. */
export function replayLog(store: Store, cell: Cell, start?: number): void {
  const isKnown = isBorn(cell);
  for (const entry of store.log) {
    const { transaction } = entry;
    const operation = operationOn(store, entry, cell, start);
    if (operation && !isKnown) {
      addPatch(cell, createPatch(transaction, operation));
      store.unfolded.add(transaction);
    }
  }
}

export function withdrawLog(store: Store, transaction: Transaction): void {
  transaction.logged?.forEach((entry) => store.log.delete(entry));
  transaction.logged = undefined;
}

/** Optimistic updates of stalled requests stay in the log. */
export function trimLog(store: Store): void {
  for (const { transaction } of store.log) {
    if (!isPending(transaction)) {
      withdrawLog(store, transaction);
    }
  }
}

function removalOf(row: EntityShape, pk: string, { shape }: ListOrigin): RemoveMember {
  const members: string[] = [];
  for (const { entity, path } of entitiesOf(shape.member)) {
    if (entity.table === row.table) {
      members.push(rowRef(path, pk));
    }
  }
  return { type: 'remove', members };
}
