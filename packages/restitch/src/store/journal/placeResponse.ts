import type { EntityShape } from '../../schema/shapes.js';
import { isBorn, knownCell, listCell, listTable, rowCell, rowTable } from '../cells/tables.js';
import type { Lifetime } from '../cells/results.js';
import type { Cell } from '../cells/Cell.js';
import type { RowTable, Store } from '../cells/Store.js';
import type { Transaction } from './Transaction.js';
import { logOperation, logRemoval, replayLog } from '../lists/listLog.js';
import { distinct } from '../lists/members.js';
import { editOf } from '../lists/membership.js';
import { changedSince, placeOf } from '../lists/pagePlaces.js';
import type { NormalizedResponse } from '../normalize/Normalized.js';
import { renamedFields, renamedMember } from '../optimistic/nameCreatedRow.js';
import { refetchUnnamed } from '../optimistic/unnamedRows.js';
import { fillMissing } from './fillMissing.js';
import { foldRecord, place } from './fold.js';
import { noteListOutOfOrder, noteOutOfOrder } from './outOfOrder.js';
import { createPatch } from './patches.js';
import { isQuiet } from './rank.js';

const NONE: readonly never[] = [];

/**
 * Puts a normalized response, or an optimistic one, into the cells that it is about: rows first, then lists and pages, then the rows that
 * enter or leave lists.
 */
export function placeResponse(
  store: Store,
  transaction: Transaction,
  normalized: NormalizedResponse,
  lifetime: Lifetime | undefined,
  isOptimistic: boolean,
): void {
  const created =
    normalized.edits.length > 0 ? new Set(normalized.edits.map(({ pk }) => pk)) : undefined;
  const { overtaken } = transaction;
  const isAlone = !isOptimistic && !overtaken && isQuiet(store, transaction);
  let hasDeleted = false;
  // Cells of this response get a higher number, so a record that occurs twice is recognized.
  store.uses += 1;
  const began = store.uses;
  let meetsAgain = overtaken !== undefined;
  let known: EntityShape | undefined;
  let table: RowTable | undefined;
  for (const { shape, pk, fields: given } of normalized.rows) {
    // Most records of a response have one class.
    table = table && shape === known ? table : rowTable(store, shape);
    known = shape;
    const cell = knownCell(table, pk);
    meetsAgain ||= cell.usedIn >= began;
    const fields = given && renamedFields(store, shape, given, pk, cell);
    hasDeleted ||= !fields;
    renewCell(cell, lifetime);
    noteOutOfOrder(store, cell, transaction, fields);
    if (overtaken?.has(cell)) {
      // A stalled mutation doesn't change rows that a later one wrote; their readers fetch again.
      if (fields && transaction.kind !== 'mutation') {
        fillMissing(store, cell, fields);
      }
    } else if (!fields) {
      place(store, cell, createPatch(transaction, { type: 'delete' }), transaction);
    } else if (isAlone && !cell.stack && !shape.custom.merge && !table.metas) {
      foldRecord(store, cell, fields, transaction);
    } else {
      const needsRow = isOptimistic && !created?.has(pk);
      const merge = { type: 'merge', shape, fields } as const;
      const operation = needsRow ? { ...merge, needsRow } : merge;
      place(store, cell, createPatch(transaction, operation), transaction);
    }
  }
  // Rows first: their classes may throw, and then no list has changed.
  for (const { shape, pk, fields } of hasDeleted ? normalized.rows : NONE) {
    const row = !fields && rowCell(store, shape, pk);
    if (row && !overtaken?.has(row)) {
      logRemoval(store, transaction, shape, row);
    }
  }
  for (const {
    shape,
    args,
    members: given,
    isOfRows,
    keys,
    isPage,
    pageFields,
    arrange,
  } of normalized.lists) {
    const members = keys || (isOfRows && !meetsAgain) ? given : distinct(given);
    const cell = listCell(store, shape, args);
    if (!isPage && overtaken?.has(cell)) {
      continue;
    }
    if (!isPage) {
      renewCell(cell, lifetime);
      if (!isBorn(cell)) {
        replayLog(store, cell);
      }
    }
    if (!isPage && !isOptimistic) {
      noteListOutOfOrder(store, cell, transaction, members);
    }
    const replace = { type: 'replace', members, keys, pageFields, arrange } as const;
    if (isPage) {
      const { behind, isLost, isNext } = placeOf(store, transaction.places, cell);
      normalized.isNext ||= isNext && !arrange;
      if (arrange || !isLost) {
        const meanwhile = changedSince(cell, behind ? transaction.start : Infinity);
        const changed = meanwhile.members.length + meanwhile.removed.size;
        const isOverlapped = changed + store.mutations.size > 0;
        const page = { ...replace, type: 'page', behind, meanwhile, isOverlapped } as const;
        place(store, cell, createPatch(transaction, page));
      }
    } else {
      place(store, cell, createPatch(transaction, replace));
      refetchUnnamed(store, cell);
    }
  }
  for (const edit of inOrder(normalized.edits)) {
    const row = rowCell(store, edit.row, edit.pk);
    const { current } = row;
    // A moved row exists already: the response may contain only some of its fields.
    const { action } = edit.shape.edit;
    const isMove = action === 'move';
    if ((isMove || action === 'remove') && overtaken?.has(row)) {
      continue;
    }
    const fields = isMove ? { ...current, ...edit.fields } : edit.fields;
    // Brings in hydrated lists that the edit concerns.
    listTable(store, edit.shape.list);
    logOperation(store, {
      transaction,
      row,
      concerns: ({ key }) => key === edit.shape.list.key,
      operationFor: (list) =>
        editOf(edit, renamedMember(edit.reference, edit.pk, row.pk), fields, list),
    });
  }
}

/** A response sets the lifetime of every row and list in it. A hydrated row is complete from then on. */
export function renewCell(cell: Cell, lifetime: Lifetime | undefined): void {
  const before = cell.lifetime;
  cell.lifetime = lifetime ?? (before.isIncomplete ? { ...before, isIncomplete: false } : before);
}

/** Each one unshifted goes before the last: in reverse, several stand in the order in which they were given. */
function inOrder(edits: NormalizedResponse['edits']): NormalizedResponse['edits'] {
  return edits[0]?.shape.edit.action === 'unshift' ? [...edits].reverse() : edits;
}
