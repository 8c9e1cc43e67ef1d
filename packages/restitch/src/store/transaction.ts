import type { EntityShape } from '../schema/shapes.js';
import { distinct } from './listing.js';
import { isBorn, knownCell, listCell, listTable, rowCell, rowTable } from './cells.js';
import { withdrawOvertaken } from './cut.js';
import { doubtListsOf, noteDoubt, noteListDoubt } from './doubt.js';
import { fillIn } from './fillIn.js';
import { foldRecord, place, refold } from './fold.js';
import { logOperation, logRemoval, replayLog, withdrawLog } from './log.js';
import { rekey, renamedFields, renamedMember } from './rename.js';
import { editOf } from './membership.js';
import { dropLayer } from './watchers.js';
import { doubtUnnamed, noteUnnamed } from './unnamed.js';
import type { Normalized } from './normalized.js';
import type { Lifetime } from './results.js';
import { isQuiet } from './rank.js';
import type { Operation } from './operations.js';
import { changedSince, placeOf } from './places.js';
import { remember } from './remember.js';
import { createPatch, createStack, lift, noteAnswered, patchesOf, release } from './patches.js';
import { noteOvertaken } from './stalled.js';
import type { Cell, RowTable, Store, Transaction } from './state.js';

/**
 * The life of a transaction:
 *
 * ```
 *   begin ──▶ guess* ──▶ confirm      the answer's patches take the place of the guess, in order of start
 *     │             └──▶ fail         the guess leaves without a trace
 *     └─▶ restart ─▶ guess*           one that waited for a key is sent
 *   local                             a write that starts and ends now, under pending mutations
 * ```
 */

const NONE: readonly never[] = [];
const NOTHING: ReadonlySet<string> = new Set();

/** Starts a request. One that can write nothing holds no folding back. */
export function begin(
  store: Store,
  kind: 'read' | 'mutation',
  writes: boolean,
  source?: string,
  asked?: ReadonlySet<string>,
): Transaction {
  const transaction = create(store, kind, Infinity, source, asked);
  if (writes) {
    (kind === 'read' ? store.reads : store.mutations).add(transaction);
  }
  return transaction;
}

/**
 * A request that waited is sent: it ranks as if it started now, and its guess is to be shown anew. What was sent before it is answered
 * before it, so it would lose a confirmed change if it ranked by when somebody asked for it.
 */
export function restart(store: Store, transaction: Transaction): void {
  const { kind, meta, overtaken } = transaction;
  dropLayer(store, transaction);
  refoldAll(store, withdraw(store, transaction), transaction);
  store.tick += 1;
  transaction.start = store.tick;
  transaction.meta = { ...meta, fetchedAt: store.now() };
  transaction.overtaken = undefined;
  store.stalled.delete(transaction);
  const inFlight = kind === 'read' ? store.reads : store.mutations;
  // One that can write nothing is in no set.
  if (inFlight.delete(transaction) || overtaken) {
    inFlight.add(transaction);
  }
}

/** A write of our own: it ranks like a read that started and ended now. */
export function beginLocal(store: Store): Transaction {
  const transaction = create(store, 'local', 0);
  transaction.settle = transaction.start;
  return transaction;
}

function create(
  store: Store,
  kind: Transaction['kind'],
  settle: number,
  source?: string,
  asked: ReadonlySet<string> = NOTHING,
): Transaction {
  store.tick += 1;
  store.uses += 1;
  const now = store.now();
  return {
    kind,
    source,
    start: store.tick,
    settle,
    asked,
    meta: { fetchedAt: now, date: now, expiresAt: Infinity },
    cells: undefined,
    overtaken: undefined,
    places: undefined,
    isLogged: false,
    keys: undefined,
    temporary: NONE,
    layer: undefined,
  };
}

/** Shows what the server will probably answer, until it does. Replaces an earlier guess of the same transaction. */
export function guess(store: Store, transaction: Transaction, answer: Normalized): void {
  const before = withdraw(store, transaction);
  try {
    put(store, transaction, answer, undefined, true);
  } catch (error) {
    refoldAll(store, withdraw(store, transaction), transaction);
    throw error;
  } finally {
    // A cell on which it stands again was folded when it was placed, but for one on top of all.
    const isNew = transaction.start === store.tick;
    const left = before.filter((cell) => isNew || !transaction.cells?.has(cell));
    refoldAll(store, left, transaction);
  }
  transaction.temporary = answer.edits.flatMap(({ row, pk, temporary }, position) =>
    temporary ? [{ table: rowTable(store, row), pk, position }] : [],
  );
}

/**
 * Places what the server answered. A mutation that answers no row confirms its guess. Throws what a class's `merge` threw;
 * the transaction has then failed and left nothing.
 */
export function confirm(
  store: Store,
  transaction: Transaction,
  answer: Normalized | undefined,
  lifetime: Lifetime | undefined,
): void {
  const expiresAt = lifetime?.expiresAt ?? 0;
  transaction.meta = { fetchedAt: transaction.meta.fetchedAt, date: store.now(), expiresAt };
  store.tick += 1;
  if (!answer || (answer.rows.length === 0 && answer.lists.length === 0)) {
    transaction.settle = store.tick;
    const confirmed = [...(transaction.cells ?? [])];
    for (const cell of confirmed) {
      renewCell(cell, lifetime);
      noteOvertaken(store, cell, transaction);
      if (cell.table.kind === 'rows') {
        noteDoubt(store, cell, transaction);
        noteAnswered(cell.stack, transaction);
      }
    }
    noteUnnamed(store, transaction);
    doubtListsOf(store);
    refoldAll(store, confirmed, transaction);
    withdrawOvertaken(store);
    close(store, transaction);
    return;
  }
  const affected = withdraw(store, transaction);
  transaction.settle = store.tick;
  for (const { table, pk, position } of transaction.temporary) {
    const added = answer.edits[position];
    if (added) {
      rekey(store, table, pk, added.pk, added.fields);
    }
  }
  const undo = answer.hasMerge ? remember(store, answer) : undefined;
  try {
    put(store, transaction, answer, lifetime, false);
  } catch (error) {
    withdraw(store, transaction);
    undo?.();
    end(store, transaction, affected);
    throw error;
  }
  doubtListsOf(store);
  // A row in which the answer was placed is folded again already.
  const isPlaced = (cell: Cell): boolean => !cell.list && transaction.cells?.has(cell) === true;
  end(
    store,
    transaction,
    affected.filter((cell) => !isPlaced(cell)),
  );
  withdrawOvertaken(store);
}

/** Ends a transaction that was not answered: its guess leaves no trace. */
export function fail(store: Store, transaction: Transaction): void {
  takeBack(store, transaction);
  store.tick += 1;
  transaction.settle = store.tick;
  close(store, transaction);
}

/** Takes the guess of a transaction back, which stays under way: nobody wants its answer, but one may come. */
export function takeBack(store: Store, transaction: Transaction): void {
  const affected = withdraw(store, transaction);
  dropCreated(transaction);
  transaction.temporary = NONE;
  dropLayer(store, transaction);
  refoldAll(store, affected, transaction);
}

/** Rows that were never created keep nothing, not even what was written to them here. */
function dropCreated({ temporary }: Transaction): void {
  for (const { table, pk } of temporary) {
    const cell = table.cells.get(pk);
    if (cell?.pk !== pk) {
      continue;
    }
    for (const { transaction } of patchesOf(cell)) {
      release(transaction, cell);
    }
    cell.stack = createStack(undefined);
  }
}

/** Applies one operation to one cell as a write of our own. A row that is new with it gets a lifetime. */
export function writeLocal(
  store: Store,
  cell: Cell,
  operation: Operation,
  lifetime?: Lifetime,
): void {
  const transaction = beginLocal(store);
  if (cell.lifetime.expiresAt === 0) {
    renewCell(cell, lifetime);
  }
  place(store, cell, createPatch(transaction, operation), transaction);
  close(store, transaction);
}

/** Places a whole answer as a write of our own. */
export function confirmLocal(
  store: Store,
  answer: Normalized,
  lifetime: Lifetime | undefined,
): Transaction {
  const transaction = beginLocal(store);
  confirm(store, transaction, answer, lifetime);
  return transaction;
}

function put(
  store: Store,
  transaction: Transaction,
  answer: Normalized,
  lifetime: Lifetime | undefined,
  isGuess: boolean,
): void {
  const created = answer.edits.length > 0 ? new Set(answer.edits.map(({ pk }) => pk)) : undefined;
  const { overtaken } = transaction;
  const isAlone = !isGuess && !overtaken && isQuiet(store, transaction);
  let hasDeleted = false;
  // What is used from now on has a higher number: a record that is met again has been used already.
  store.uses += 1;
  const began = store.uses;
  let meetsAgain = overtaken !== undefined;
  let known: EntityShape | undefined;
  let table: RowTable | undefined;
  for (const { shape, pk, fields: given } of answer.rows) {
    // Most records of an answer are of one class.
    table = table && shape === known ? table : rowTable(store, shape);
    known = shape;
    const cell = knownCell(table, pk);
    meetsAgain ||= cell.usedIn >= began;
    const fields = given && renamedFields(store, shape, given, pk, cell);
    hasDeleted ||= !fields;
    renewCell(cell, lifetime);
    noteDoubt(store, cell, transaction, fields);
    if (overtaken?.has(cell)) {
      // A stalled mutation says nothing of a row that a later one wrote: what shows it is fetched again.
      if (fields && transaction.kind !== 'mutation') {
        fillIn(store, cell, fields);
      }
    } else if (!fields) {
      place(store, cell, createPatch(transaction, { type: 'delete' }), transaction);
    } else if (isAlone && !cell.stack && !shape.custom.merge && !table.metas) {
      foldRecord(store, cell, fields, transaction);
    } else {
      const needsRow = isGuess && !created?.has(pk);
      const merge = { type: 'merge', shape, fields } as const;
      const operation = needsRow ? { ...merge, needsRow } : merge;
      place(store, cell, createPatch(transaction, operation), transaction);
    }
  }
  // Rows first: what their classes may throw comes before any list is touched.
  for (const { shape, pk, fields } of hasDeleted ? answer.rows : NONE) {
    const row = !fields && rowCell(store, shape, pk);
    if (row && !overtaken?.has(row)) {
      logRemoval(store, transaction, shape, row);
    }
  }
  for (const { shape, args, members: given, isOfRows, keys, isPage, beside } of answer.lists) {
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
    if (!isPage && !isGuess) {
      noteListDoubt(store, cell, transaction, members);
    }
    const replace = { type: 'replace', members, keys, beside } as const;
    if (isPage) {
      const { behind, isGone, isNext } = placeOf(store, transaction.places, cell);
      answer.isNext ||= isNext;
      if (!isGone) {
        const meanwhile = changedSince(cell, behind ? transaction.start : Infinity);
        place(
          store,
          cell,
          createPatch(transaction, { ...replace, type: 'page', behind, meanwhile }),
        );
      }
    } else {
      place(store, cell, createPatch(transaction, replace));
      doubtUnnamed(store, cell);
    }
  }
  for (const edit of inOrder(answer.edits)) {
    const row = rowCell(store, edit.row, edit.pk);
    const { shown, pk } = row;
    // A move is about a row that exists: what it shows says more than an answer with a part of its fields.
    const { action } = edit.shape.edit;
    const isMove = action === 'move';
    if ((isMove || action === 'remove') && overtaken?.has(row)) {
      continue;
    }
    const fields = isMove ? { ...shown, ...edit.fields } : edit.fields;
    // Lists that another store exported become known to be concerned.
    listTable(store, edit.shape.list);
    logOperation(store, {
      transaction,
      row,
      concerns: ({ key }) => key === edit.shape.list.key,
      member: renamedMember(edit.reference, edit.pk, pk),
      operationFor: (list, member) => editOf(edit, member, fields, list),
    });
  }
}

/** An answer that says how long it is fresh says so of every row and list in it. A hydrated row lacks nothing any more. */
function renewCell(cell: Cell, lifetime: Lifetime | undefined): void {
  const before = cell.lifetime;
  cell.lifetime = lifetime ?? (before.isIncomplete ? { ...before, isIncomplete: false } : before);
}

/** Each one unshifted goes before the last: in reverse, several stand in the order in which they were given. */
function inOrder(edits: Normalized['edits']): Normalized['edits'] {
  return edits[0]?.shape.edit.action === 'unshift' ? [...edits].reverse() : edits;
}

/** Takes a transaction's own patches and log entries away; returns the cells that have to be folded again. */
function withdraw(store: Store, transaction: Transaction): readonly Cell[] {
  const affected = transaction.cells ? [...transaction.cells] : NONE;
  for (const cell of affected) {
    lift(cell, transaction);
  }
  transaction.cells = undefined;
  withdrawLog(store, transaction);
  return affected;
}

/** Ends a transaction whose guess, if it had one, is gone. */
function end(store: Store, transaction: Transaction, affected: readonly Cell[]): void {
  refoldAll(store, affected, transaction);
  dropLayer(store, transaction);
  close(store, transaction);
}

/** Takes a transaction out of flight; what it held back folds when the running commit looks (see `advance`). */
function close(store: Store, transaction: Transaction): void {
  // Only now: while its own patches were placed, it still held back what it might have had to go under.
  store.reads.delete(transaction);
  store.mutations.delete(transaction);
  store.stalled.delete(transaction);
  if (transaction.cells?.size || transaction.layer) {
    store.unfolded.add(transaction);
  }
  store.hasSettled = true;
}

function refoldAll(store: Store, cells: readonly Cell[], { start }: Transaction): void {
  for (const cell of cells) {
    refold(store, cell, start);
  }
}
