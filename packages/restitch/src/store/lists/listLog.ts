import type { CollectionShape, EntityShape } from '../../schema/shapes.js';
import { entitiesOf } from '../../schema/shape.js';
import { isBorn, listTable } from '../cells/tables.js';
import { place } from '../journal/fold.js';
import { rowRef } from '../../schema/referenceText.js';
import { isPending } from '../journal/responseOrder.js';
import type { Operation, RemoveMember } from '../journal/operations.js';
import { addPatch, createPatch } from '../journal/patches.js';
import { callbackFailed } from '../normalize/normalizeErrors.js';
import type { Cell } from '../cells/Cell.js';
import type { LogEntry, Transaction } from '../journal/Transaction.js';
import type { Store } from '../cells/Store.js';

/**
 * List operations are kept in a log and placed on every known list that they concern. A list that
 * becomes known later replays the log. The response with this list may lack a create that was
 * confirmed while the request was in flight.
 */

function logOperation(store: Store, entry: LogEntry): void {
  const { transaction, concerns } = entry;
  store.log.add(entry);
  (transaction.logged ??= []).push(entry);
  for (const table of store.lists.values()) {
    for (const cell of concerns(table.list) ? table.cells.values() : []) {
      const operation = isBorn(cell) ? operationOn(store, entry, cell) : undefined;
      if (operation) {
        place(store, cell, createPatch(transaction, operation));
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
): void {
  listTable(store, list);
  const concerns = ({ key }: CollectionShape): boolean => key === list.key;
  logOperation(store, { transaction, row, concerns, operationFor });
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

/** If a custom filter throws, the error is reported, and the list does not change. */
function operationOn(store: Store, entry: LogEntry, cell: Cell): Operation | undefined {
  try {
    const operation =
      cell.list && entry.concerns(cell.list.shape) ? entry.operationFor(cell) : undefined;
    return operation && { ...operation, row: entry.row };
  } catch (error) {
    store.report(callbackFailed('createCollectionFilter', error, entry.transaction.source));
    return undefined;
  }
}

export function replayLog(store: Store, cell: Cell): void {
  for (const entry of store.log) {
    const { transaction } = entry;
    const operation = operationOn(store, entry, cell);
    if (operation) {
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

function removalOf(row: EntityShape, pk: string, { list }: Cell): RemoveMember {
  const members: string[] = [];
  for (const { entity, path } of list ? entitiesOf(list.shape.member) : []) {
    if (entity.table === row.table) {
      members.push(rowRef(path, pk));
    }
  }
  return { type: 'remove', members };
}
