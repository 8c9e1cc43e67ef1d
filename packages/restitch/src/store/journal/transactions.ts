import { metaOf, noteMeta, rowCell, rowTable } from '../cells/tables.js';
import {
  markListsOutOfOrder,
  noteListOutOfOrder,
  noteOutOfOrder,
  noteRaisedEdits,
} from './outOfOrderMutations.js';
import { markOutOfOrder } from './outOfOrderMarks.js';
import { place, refold } from './fold.js';
import { checkLog, withdrawLog } from '../lists/listLog.js';
import { nameCreatedRow, renameInLists } from '../optimistic/nameCreatedRow.js';
import { dropLayer } from '../optimistic/watchers.js';
import { pkText } from '../../schema/referenceText.js';
import { keyReading, pkOf } from '../../schema/keyFields.js';
import type { EntityShape, Shape } from '../../schema/shapes.js';
import type { NormalizedEdit, NormalizedResponse } from '../normalize/Normalized.js';
import { isUnknown, type Lifetime } from '../cells/results.js';
import type { Operation } from './operations.js';
import {
  createStack,
  noteConfirmed,
  patchesOf,
  release,
  removePatches,
  retain,
} from './patches.js';
import { noteOvertaken } from './stalled.js';
import type { Cell, Fields } from '../cells/Cell.js';
import type { RowTable, Store } from '../cells/Store.js';
import type { Transaction } from './Transaction.js';
import { placeResponse } from './placeResponse.js';
import { renewCell } from './placeRows.js';
import { isPending } from './responseOrder.js';
import { noteUnnamed } from '../optimistic/createdRows.js';

/**
 * The life of a transaction (`*` means any number of times):
 *
 * ```
 *   begin ──▶ placeOptimistic* ──▶ confirm    the response replaces the optimistic update
 *     │                       └──▶ fail       the optimistic update leaves no trace
 *     └─▶ restart ─▶ placeOptimistic*         a request that waited for a key is sent
 *   local                                     starts and ends now, below pending mutations
 * ```
 */

const NONE: readonly never[] = [];
const NOTHING: ReadonlySet<string> = new Set();

/** A request without rows and lists in its schema does not delay folding. */
export function begin(
  store: Store,
  kind: 'read' | 'mutation',
  shape?: Shape,
  source?: string,
  asked?: ReadonlySet<string>,
): Transaction {
  const transaction = create(store, kind, shape, source, asked);
  if (shape?.kind !== 'leaf') {
    store.inFlight.add(transaction);
  }
  return transaction;
}

export function beginLocal(store: Store): Transaction {
  const transaction = create(store, 'local');
  transaction.settle = transaction.start;
  return transaction;
}

function create(
  store: Store,
  kind: Transaction['kind'],
  shape?: Shape,
  source?: string,
  asked: ReadonlySet<string> = NOTHING,
): Transaction {
  store.tick += 1;
  store.uses += 1;
  const now = store.now();
  return {
    kind,
    shape,
    source,
    start: store.tick,
    settle: Infinity,
    asked,
    meta: { fetchedAt: now, date: now, expiresAt: Infinity },
    cells: undefined,
    overtaken: undefined,
    places: undefined,
    logged: undefined,
    keys: undefined,
    temporary: NONE,
    layer: undefined,
  };
}

/** Replaces the optimistic update of a transaction. */
export function placeOptimistic(
  store: Store,
  transaction: Transaction,
  normalized: NormalizedResponse,
): void {
  const before = withdraw(store, transaction);
  try {
    placeResponse(store, transaction, normalized, undefined, true);
  } catch (error) {
    refoldAll(store, withdraw(store, transaction), transaction);
    throw error;
  } finally {
    // `place` has computed the cells with a new patch. For the newest transaction, `place` applies
    // its patch to the current value, which still contains the replaced update.
    const isNew = transaction.start === store.tick;
    const left = before.filter((cell) => isNew || !transaction.cells?.has(cell));
    refoldAll(store, left, transaction);
  }
  // If an update runs again after a 204, a read may have stored the list edits of the first run.
  for (const cell of isPending(transaction) ? NONE : [...before, ...(transaction.cells ?? NONE)]) {
    if (cell.list) {
      markOutOfOrder(store, cell, store.tick);
    }
  }
  const created: Transaction['temporary'][number][] = [];
  for (const { row, pk, fields, temporary, responsePlace } of normalized.edits) {
    if (temporary) {
      const field = Object.keys(fields).find((name) => pkText(fields[name]) === pk);
      const table = rowTable(store, row);
      created.push({ table, pk, field, responsePlace });
      noteCombinedKey(table, row, pk, fields);
    }
  }
  transaction.temporary = created;
}

/** If `pk()` combines fields, such as `a/~new-1`, the combined key also leads to the created row. */
function noteCombinedKey({ cells }: RowTable, row: EntityShape, pk: string, fields: Fields): void {
  const { entity, custom } = row;
  const combined = custom.pk ? pkOf(entity, keyReading.read(entity, fields)) : undefined;
  const cell = cells.get(pk);
  if (cell && combined?.includes(pk)) {
    cells.set(combined, cell);
  }
}

/**
 * Places a response. If it has no rows and no lists, the optimistic update is confirmed instead. If
 * the `merge` of a class throws, the store stays as if the request had failed.
 */
export function confirm(
  store: Store,
  transaction: Transaction,
  normalized: NormalizedResponse | undefined,
  lifetime: Lifetime | undefined,
): void {
  const expiresAt = lifetime?.expiresAt ?? 0;
  transaction.meta = { fetchedAt: transaction.meta.fetchedAt, date: store.now(), expiresAt };
  store.tick += 1;
  transaction.settle = store.tick;
  const isEmpty = !normalized || (normalized.rows.length === 0 && normalized.lists.length === 0);
  transaction.isEmpty = isEmpty || normalized.needsRows;
  if (isEmpty) {
    const confirmed = [...(transaction.cells ?? [])];
    for (const cell of confirmed) {
      renewUnknown(store, cell, lifetime);
      noteOvertaken(store, cell, transaction);
      if (cell.table.kind === 'rows') {
        noteOutOfOrder(store, cell, transaction);
      }
      for (const { operation, transaction: own } of patchesOf(cell)) {
        if (own === transaction && operation.type === 'replace') {
          noteListOutOfOrder(store, cell, transaction, operation);
        }
      }
      noteConfirmed(cell.stack, transaction);
    }
    checkLog(store, transaction.logged);
    noteRaisedEdits(store, transaction);
    noteUnnamed(store, transaction);
    markListsOutOfOrder(store);
    refoldAll(store, confirmed, transaction);
    close(store, transaction);
    return;
  }
  const affected = withdraw(store, transaction);
  nameCreated(store, transaction, normalized);
  const undo = normalized.hasMerge ? rememberRows(store, normalized) : NONE;
  try {
    placeResponse(store, transaction, normalized, lifetime, false);
    noteRaisedEdits(store, transaction);
    markListsOutOfOrder(store);
  } catch (error) {
    withdraw(store, transaction);
    undo.forEach((restore) => restore());
    throw error;
  } finally {
    const left = affected.filter((cell) => !transaction.cells?.has(cell));
    refoldAll(store, left, transaction);
    dropLayer(store, transaction);
    close(store, transaction);
  }
}

function nameCreated(
  store: Store,
  { temporary }: Transaction,
  { edits }: NormalizedResponse,
): void {
  const placed = new Map<string, NormalizedEdit>();
  for (const edit of temporary.length > 0 ? edits : []) {
    placed.set(edit.responsePlace, edit);
  }
  const names = new Map<unknown, string>();
  for (const { table, pk, field, responsePlace } of temporary) {
    const added = placed.get(responsePlace);
    if (added) {
      nameCreatedRow(store, table, pk, added.pk, added.fields, field, names);
    }
  }
  renameInLists(store, names);
}

export function fail(store: Store, transaction: Transaction): void {
  const cells = new Set(transaction.cells);
  const isDelete = [...cells].some(({ current }) => current === null);
  withdrawOptimistic(store, transaction);
  store.tick += 1;
  transaction.settle = store.tick;
  const later = [...store.log].filter(
    ({ row, transaction: { start } }) => row && start > transaction.start && cells.has(row),
  );
  checkLog(store, later, true);
  // Readers did not contain an optimistically deleted row, nor the lists in it, so their marks did
  // not reach these readers.
  for (const [marked, mark] of store.outOfOrderUntilQuiet) {
    const isHidden = 'lifetime' in marked && (cells.has(marked) || (isDelete && marked.list));
    if (isHidden && mark === marked.lifetime.expiredIn) {
      markOutOfOrder(store, marked, mark);
    }
  }
  close(store, transaction);
}

/** The transaction can stay in flight: after an abort, a response may still arrive. */
export function withdrawOptimistic(store: Store, transaction: Transaction): void {
  const affected = withdraw(store, transaction);
  dropCreated(transaction);
  transaction.temporary = NONE;
  dropLayer(store, transaction);
  refoldAll(store, affected, transaction);
}

/** Empties the rows of a failed or aborted create. Local writes to these rows are removed too. */
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

export function writeLocal(
  store: Store,
  cell: Cell,
  operation: Operation,
  lifetime?: Lifetime,
): void {
  const transaction = beginLocal(store);
  renewUnknown(store, cell, lifetime);
  place(store, cell, transaction, operation);
  close(store, transaction);
}

/**
 * A cell with a lifetime keeps it, because the write does not make the older content fresh. The
 * tick of an expired row or of a list is the tick of the last response that contained it.
 */
function renewUnknown(store: Store, cell: Cell, lifetime: Lifetime | undefined): void {
  const before = cell.lifetime;
  if (isUnknown(before)) {
    renewCell(cell, lifetime, store.tick);
  } else if (!cell.list && before.expiredIn === undefined) {
    cell.lifetime = { ...before, tick: store.tick };
  }
}

export function confirmLocal(
  store: Store,
  normalized: NormalizedResponse,
  lifetime: Lifetime | undefined,
): Transaction {
  const transaction = beginLocal(store);
  confirm(store, transaction, normalized, lifetime);
  return transaction;
}

/** The caller must refold the returned cells. */
export function withdraw(store: Store, transaction: Transaction): readonly Cell[] {
  const affected = transaction.cells ? [...transaction.cells] : NONE;
  for (const cell of affected) {
    removePatches(cell, transaction);
  }
  transaction.cells = undefined;
  withdrawLog(store, transaction);
  return affected;
}

/** Called after the patches are placed. Otherwise, patches above them could be folded first. */
function close(store: Store, transaction: Transaction): void {
  store.inFlight.delete(transaction);
  store.stalled.delete(transaction);
  if (transaction.cells?.size || transaction.layer) {
    store.unfolded.add(transaction);
  }
  store.hasSettled = true;
}

export function refoldAll(store: Store, cells: readonly Cell[], { start }: Transaction): void {
  for (const cell of cells) {
    refold(store, cell, start);
  }
}

function rememberRows(store: Store, { rows }: NormalizedResponse): readonly (() => void)[] {
  // `metaOf` returns times only after `rowCell` has added a class that orders records by time.
  const cells = rows.map(({ shape, pk }) => rowCell(store, shape, pk));
  return cells.map((cell) => {
    const { current, lifetime, stack } = cell;
    const saved = { current, lifetime, stack: stack && { ...stack, patches: [...stack.patches] } };
    const meta = metaOf(cell);
    return () => {
      Object.assign(cell, saved);
      noteMeta(cell, meta);
      // Patches that were folded together with the response are separate patches again.
      for (const { transaction } of patchesOf(cell)) {
        retain(transaction, cell);
        if (!isPending(transaction)) {
          store.unfolded.add(transaction);
        }
      }
    };
  });
}
