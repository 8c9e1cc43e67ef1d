import { listCell, rowCell } from '../cells/tables.js';
import { type Lifetime } from '../cells/results.js';
import type { Cell } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';
import type { LogEntry, Transaction } from './Transaction.js';
import { editEntry, logEntries, replayLog } from '../lists/listLog.js';
import { distinct, isListing } from '../lists/members.js';
import { editOf, ownFilterOf } from '../lists/membership.js';
import { changedSince, placeOf } from '../lists/pagePlaces.js';
import { reuseMembers } from '../lists/reuseMembers.js';
import type {
  NormalizedEdit,
  NormalizedList,
  NormalizedResponse,
} from '../normalize/Normalized.js';
import { renamedMember } from '../optimistic/nameCreatedRow.js';
import { currentBelow, currentUpTo, place } from './fold.js';
import { noteListOutOfOrder } from './outOfOrderMutations.js';
import { isPending } from './responseOrder.js';
import { refetchUnnamed } from '../optimistic/createdRows.js';
import { notePrediction, noteResponseBelow } from '../optimistic/predictedLists.js';
import { lacksFields, placeRows, type Placing, renewCell } from './placeRows.js';

/** Rows are placed first, so that no list has changed if the `merge` of a class throws. */
export function placeResponse(
  store: Store,
  transaction: Transaction,
  normalized: NormalizedResponse,
  lifetime: Lifetime | undefined,
  isOptimistic: boolean,
): void {
  const { kind, start, settle } = transaction;
  const tick = kind === 'read' ? start : settle;
  const placing = {
    store,
    transaction,
    normalized,
    lifetime: lifetime && { ...lifetime, tick },
    tick,
    isOptimistic,
    names: isOptimistic ? realKeys(store, normalized) : NO_NAMES,
  };
  const meetsAgain = placeRows(placing);
  for (const list of normalized.lists) {
    placeList(placing, list, meetsAgain);
  }
  const entries: LogEntry[] = [];
  for (const edit of inOrder(normalized.edits)) {
    entries.push(entryOf(placing, edit));
  }
  logEntries(store, transaction, entries);
}

const NO_NAMES: ReadonlyMap<unknown, string> = new Map();

function realKeys(store: Store, { rows }: NormalizedResponse): ReadonlyMap<unknown, string> {
  const names = new Map<unknown, string>();
  for (const { shape, pk } of rows) {
    const cell = rowCell(store, shape, pk);
    if (cell.pk !== pk) {
      names.set(pk, cell.pk);
    }
  }
  return names;
}

function placeList(
  { store, transaction, normalized, lifetime, tick, isOptimistic, names }: Placing,
  list: NormalizedList,
  meetsAgain: boolean,
): void {
  const { shape, args, members: sent, isOfRows, keys, isPage, pageFields, arrange, row } = list;
  const cell = listCell(store, shape, args);
  const named = names.size > 0 ? sent.map((member) => renamedMember(member, names)) : sent;
  const all = isOfRows ? named : reuseMembers(cell.current, named);
  const members = keys || (isOfRows && !meetsAgain) ? all : distinct(all);
  const given = () => {
    const isOverlapped = arrange?.noteStored?.(store, cell, transaction, members);
    return { members, sent: all, keys, pageFields, arrange, isOverlapped };
  };
  if (isPage) {
    const { behind, isLost, isNext } = placeOf(store, transaction.places, cell);
    normalized.isNext ||= isNext && !arrange;
    if (arrange || !isLost) {
      const meanwhile = changedSince(cell, behind ? transaction.start : Infinity);
      place(store, cell, transaction, { ...given(), type: 'page', behind, meanwhile });
    }
  } else if (row?.isOlder && cell.current) {
    // The record stays as it is, so its lists stay, too.
    renewList(cell, lifetime, tick, arrange);
  } else if (!transaction.overtaken?.has(cell)) {
    replayLog(store, cell, transaction.start);
    const isWrite = isOptimistic || (list.isWrite && !row);
    const response = { ...given(), type: 'replace', above: row?.older, isWrite } as const;
    if (isOptimistic) {
      const prediction = notePrediction(store, cell, transaction, members);
      place(store, cell, transaction, { ...response, prediction });
    } else {
      if (transaction.kind === 'mutation') {
        noteListOutOfOrder(store, cell, transaction, response);
      }
      noteResponseBelow(store, cell, transaction, response);
      const predicted = transaction.predictions?.get(cell)?.members;
      place(store, cell, transaction, { ...response, predicted });
    }
    // `noteStored` (in `given`) must read the old lifetime.
    renewList(cell, lifetime, tick, arrange);
    refetchUnnamed(store, cell);
  }
}

/**
 * The response of another endpoint contains only the first rows of an infinite list. An expired list
 * stays expired until its own first page arrives, so that its further pages are loaded again, too.
 */
function renewList(
  cell: Cell,
  lifetime: Lifetime | undefined,
  tick: number,
  arrange: NormalizedList['arrange'],
): void {
  const { current } = cell;
  const isPart = !arrange && isListing(current) && current.isPaged && Boolean(current.marks);
  renewCell(cell, lifetime, isPart ? cell.lifetime.tick : tick, isPart);
}

function entryOf({ store, transaction, isOptimistic }: Placing, edit: NormalizedEdit): LogEntry {
  const row = rowCell(store, edit.row, edit.pk);
  const { list, edit: change } = edit.shape;
  // For fields that the response to a move lacks, the filters of the lists use the stored values.
  const isMove = change.action === 'move';
  const isOvertaken =
    (isMove || change.action === 'remove') && transaction.overtaken?.has(row) === true;
  // Later mutations in `row.current` can fail, so `row.current` has the lowest priority.
  const fields = isMove
    ? {
        ...row.current,
        ...currentBelow(store, row, transaction.start),
        ...edit.fields,
        // A class can reject received fields, for example of an older message.
        ...(edit.row.custom.merge ? currentUpTo(store, row, transaction) : undefined),
      }
    : edit.fields;
  const isPartial = isMove && (isOptimistic || lacksFields(edit.row, edit.fields));
  return editEntry(
    store,
    list,
    transaction,
    row,
    (known) => {
      const found = editOf(
        edit,
        renamedMember(edit.reference, new Map([[edit.pk, row.pk]])),
        fields,
        known,
      );
      // True if the row lacks fields that the filter or readers need.
      const isOpen = ownFilterOf(change, known.shape.collection)
        ? lacksFields(edit.row, fields)
        : found === 'unknown'
          ? lacksFields(edit.row, fields, known.args)
          : Object(found).type === 'add' &&
            row.lifetime.expiredIn &&
            !isPending(transaction) &&
            lacksFields(edit.row, Object(row.current));
      return (isPartial && isOpen) || (isOvertaken && found) ? 'unclear' : found;
    },
    isPartial,
  );
}

/** To unshift `[a b]`, `b` is placed first, and then `a` before `b`. */
function inOrder(edits: readonly NormalizedEdit[]): readonly NormalizedEdit[] {
  return edits[0]?.shape.edit.action === 'unshift' ? [...edits].reverse() : edits;
}
