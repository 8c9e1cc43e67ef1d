import { isAbout } from '../../schema/signature.js';
import type { CollectionShape, EntityShape } from '../../schema/shapes.js';
import { unboundHook } from '../../schema/listHomes.js';
import { entitiesOf } from '../../schema/shape.js';
import { isBorn, listTable } from '../cells/tables.js';
import { refold } from '../journal/fold.js';
import { noteOvertaken } from '../journal/stalled.js';
import { rowRef } from '../../schema/referenceText.js';
import { isPending } from '../journal/responseOrder.js';
import type { ListEdit, RemoveMember } from '../journal/operations.js';
import { addPatch, createPatch, patchesOf } from '../journal/patches.js';
import { lastMark, markOutOfOrder } from '../journal/outOfOrderMarks.js';
import { lacks } from './wholeLists.js';
import { callbackFailed } from '../normalize/normalizeErrors.js';
import { entryOf } from '../../host/entryOf.js';
import { own } from '../cells/plainValues.js';
import type { NormalizedResponse } from '../normalize/Normalized.js';
import { collect } from '../views/walkReferences.js';
import type { Cell, ListOrigin } from '../cells/Cell.js';
import type { LogEntry, Patch, Transaction } from '../journal/Transaction.js';
import type { Store } from '../cells/Store.js';

/**
 * List operations are also kept in a log, which a list replays when it becomes known. Otherwise,
 * the list could lack a create that was confirmed while the list was requested.
 */

/** Cost: each list is computed once for all entries, because a bulk create has thousands. */
export function logEntries(
  store: Store,
  transaction: Transaction,
  entries: readonly LogEntry[],
): void {
  for (const entry of entries) {
    store.log.add(entry);
    (transaction.logged ??= []).push(entry);
  }
  if (entries.length > 0) {
    store.hydrated?.noteEdit();
  }
  checkLists(store, entries, transaction);
}

/** Marks the lists that must be fetched again. With `placed`, the entries also edit the lists. */
function checkLists(store: Store, entries: readonly LogEntry[], placed?: Transaction): void {
  for (const { list, cells } of store.lists.values()) {
    const isEdited = entries.some((entry) => entry.concerns(list));
    for (const cell of isEdited ? cells.values() : []) {
      if (isBorn(cell) && addEdits(store, cell, entries, placed) && placed) {
        noteOvertaken(store, cell, placed);
        refold(store, cell, placed.start, placed);
      }
    }
  }
}

/**
 * Returns true if the list gained patches. A response that started at tick `since` is no reason to
 * fetch the list for older edits.
 */
function addEdits(
  store: Store,
  cell: Cell,
  entries: Iterable<LogEntry>,
  isPlaced: unknown,
  since = 0,
): boolean {
  const { list } = cell;
  // Optimization: a list can have thousands of edits, but has few whole lists from responses.
  const replaces = patchesOf(cell).filter(isReplace);
  let isChanged = false;
  for (const entry of entries) {
    const { transaction, row, isPartial } = entry;
    const { start, settle, source } = transaction;
    try {
      const operation = list && entry.concerns(list.shape) ? entry.operationFor(list) : undefined;
      const edit = typeof operation === 'object' ? operation : undefined;
      // Out-of-order mutations of the row may have decided the edit.
      const mark = edit && row ? lastMark(store, row) : 0;
      const last = Math.max(mark, settle);
      if (
        !isPending(transaction) &&
        last > since &&
        (mark > start ||
          (edit && isLeftOut(replaces, edit, start)) ||
          operation === 'unclear' ||
          (isPartial && isUnsure(entry)) ||
          (edit?.type === 'add' && row && hasExpiredList(store, row)))
      ) {
        markOutOfOrder(store, cell, last);
      }
      if (edit && isPlaced) {
        addPatch(cell, createPatch(transaction, { ...edit, row }));
        store.unfolded.add(transaction);
        isChanged = true;
      }
    } catch (error) {
      store.report(callbackFailed('createCollectionFilter', error, source));
    }
  }
  return isChanged;
}

/** Creates the table of the list first, so that the edit also changes hydrated lists. */
export function editEntry(
  store: Store,
  list: CollectionShape,
  transaction: Transaction,
  row: Cell | undefined,
  operationFor: LogEntry['operationFor'],
  isPartial?: boolean,
): LogEntry {
  listTable(store, list);
  // The same list in a record has a key without the scope. An edit changes both lists.
  const inRecords = unboundHook.lists?.inRecords(list);
  if (inRecords && store.hydrated) {
    listTable(store, inRecords);
  }
  const concerns = ({ key }: CollectionShape): boolean =>
    key === list.key || key === inRecords?.key;
  return { transaction, row, concerns, operationFor, isPartial };
}

/**
 * Returns a function for the deleted rows of a response. The server still counts a row that it sends
 * in one of the `lists`, even if `process` hides the row, so that row is not removed.
 */
export function removalsFor(
  transaction: Transaction,
  lists: NormalizedResponse['lists'],
): (shape: EntityShape, row: Cell) => readonly LogEntry[] {
  const sent = new Map<object, ReadonlySet<unknown>>();
  return (shape, row) => {
    const operationFor = (list: Pick<ListOrigin, 'shape'>): RemoveMember =>
      removalOf(shape, row.pk, list);
    const isSent = lists.some((list) => {
      const members = entryOf(sent, list, () => new Set<unknown>(list.members));
      return operationFor(list).members.some((member) => members.has(member));
    });
    const concerns = ({ member }: CollectionShape): boolean => isAbout(member, shape);
    return isSent ? [] : [{ transaction, row, concerns, operationFor }];
  };
}

function isReplace({ operation, transaction: { kind, settle } }: Patch): boolean {
  return operation.type === 'replace' && kind === 'mutation' && settle < Infinity;
}

/** True if a later mutation has responded with the whole list, which lacks the edit. */
function isLeftOut(replaces: readonly Patch[], edit: ListEdit, since: number): boolean {
  return replaces.some(
    ({ operation, transaction: { start } }) =>
      operation.type === 'replace' && start > since && lacks(operation, edit),
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
export function checkLog(store: Store, entries: readonly LogEntry[] = [], isUnsure = false): void {
  for (const entry of entries) {
    entry.isUnsure ||= isUnsure;
  }
  checkLists(store, entries);
}

/** Called for each response with the list. A known list gets no patches, but can be marked. */
export function replayLog(store: Store, cell: Cell, start?: number): void {
  addEdits(store, cell, store.log, !isBorn(cell), start);
}

export function withdrawLog(store: Store, transaction: Transaction): void {
  transaction.logged?.forEach((entry) => store.log.delete(entry));
  transaction.logged = undefined;
}

/** Optimistic updates of stalled requests stay in the log. */
export function trimLog(store: Store): void {
  for (const { transaction } of store.log) {
    if (!isPending(transaction)) {
      for (const stalled of store.stalled) {
        stalled.lacksEdits ||= transaction.settle > stalled.start;
      }
      withdrawLog(store, transaction);
    }
  }
}

export function removalOf(
  row: Pick<EntityShape, 'table'>,
  pk: string,
  { shape }: Pick<ListOrigin, 'shape'>,
): RemoveMember {
  const members: string[] = [];
  for (const { entity, path } of entitiesOf(shape.member)) {
    if (entity.table === row.table) {
      members.push(rowRef(path, pk));
    }
  }
  return { type: 'remove', members };
}
