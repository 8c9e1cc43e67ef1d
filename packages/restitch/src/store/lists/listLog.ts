import type { EntityShape } from '../../schema/shapes.js';
import { entitiesOf } from '../../schema/shape.js';
import { isBorn } from '../cells/tables.js';
import { place } from '../journal/fold.js';
import { rowRef } from '../cells/keys.js';
import { isPending } from '../journal/rank.js';
import type { Operation, RemoveMember } from '../journal/operations.js';
import { addPatch, createPatch } from '../journal/patches.js';
import { callbackFailed } from '../normalize/refusals.js';
import type { Cell } from '../cells/Cell.js';
import type { LogEntry, Transaction } from '../journal/Transaction.js';
import type { Store } from '../cells/Store.js';

/**
 * List operations live in a log and are pushed to the lists that they concern. A list that is born later replays the log: its
 * answer may come from a request that began before a create which was answered meanwhile.
 */

/** Adds an operation to the log and places it on every list that is known and that it concerns. */
export function logOperation(store: Store, entry: LogEntry): void {
  const { transaction, concerns } = entry;
  store.log.push(entry);
  transaction.isLogged = true;
  for (const table of store.lists.values()) {
    for (const cell of concerns(table.list) ? table.cells.values() : []) {
      const operation = isBorn(cell) ? operationOn(store, entry, cell) : undefined;
      if (operation) {
        place(store, cell, createPatch(transaction, operation));
      }
    }
  }
}

/** Takes a deleted row out of every list that can hold it. */
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
    member: row.pk,
    operationFor: (list, member) => removalOf(shape, member, list),
  };
  logOperation(store, entry);
  if (!isPending(transaction)) {
    store.hydrated?.noteRemoval(entry);
  }
}

/** What an entry does to a list. A collection's own filter that throws says no, and is reported. */
function operationOn(store: Store, entry: LogEntry, cell: Cell): Operation | undefined {
  try {
    const operation =
      cell.list && entry.concerns(cell.list.shape)
        ? entry.operationFor(cell, entry.member)
        : undefined;
    return operation && { ...operation, row: entry.row };
  } catch (error) {
    store.report(callbackFailed('createCollectionFilter', error, entry.transaction.source));
    return undefined;
  }
}

/** Gives a list that is about to be known the logged operations that it must not miss. */
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

/** Takes the entries of one transaction out of the log. */
export function withdrawLog(store: Store, transaction: Transaction): void {
  if (transaction.isLogged) {
    store.log = store.log.filter((entry) => entry.transaction !== transaction);
    transaction.isLogged = false;
  }
}

/** Drops what no list can miss any more, once nothing is in flight: all but the guesses of stalled requests. */
export function trimLog(store: Store): void {
  store.log = store.log.filter(({ transaction }) => isPending(transaction));
}

/** The operation by which a deleted row leaves a list. */
function removalOf(row: EntityShape, pk: string, { list }: Cell): RemoveMember {
  const members: string[] = [];
  for (const { entity, path } of list ? entitiesOf(list.shape.member) : []) {
    if (entity.table === row.table) {
      members.push(rowRef(path, pk));
    }
  }
  return { type: 'remove', members };
}
