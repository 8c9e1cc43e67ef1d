import { expireCell } from '../cells/tables.js';
import { isRoot, isStale, nodeList, parentsOf } from '../views/nodes.js';
import { expireResult, resultsIn } from '../cells/results.js';
import { nodesWithin } from '../views/nodesWithin.js';
import { isEdited, isSameBelow } from './plainEdits.js';
import { patchesOf } from './patches.js';
import { lastMark, markOutOfOrder, raiseMark, tableMark } from './outOfOrderMarks.js';
import { equal } from '../cells/plainValues.js';
import { isOutdated } from '../optimistic/predictedLists.js';
import type { ReplaceMembers } from './operations.js';
import { lacks } from '../lists/wholeLists.js';
import type { Shape } from '../../schema/shapes.js';
import type { Cell, Fields } from '../cells/Cell.js';
import type { Result } from '../cells/Result.js';
import type { Node } from '../views/Node.js';
import type { Patch, Transaction } from './Transaction.js';
import type { Store } from '../cells/Store.js';

/**
 * Two overlapping mutations of one row are ordered by start, but the server may have run them in
 * the opposite order. In this example, the response of M2 contains the name from before M1:
 *
 * ```
 *   M1  name: b   ├────────────┤ { name: b, note: b }
 *   M2  note: b       ├──────────────┤ { name: a, note: b }      the server ran M2 first
 * ```
 *
 * The row is marked, so that its readers fetch again, in three cases:
 *
 * - The responses arrive in a different order than their requests started.
 * - A response reverts a field that only the other mutation changed, such as `name` here.
 * - A mutation with an optimistic function, such as an increment, got a 204, so the function stays.
 *   A read overlapped the mutation. If its response contains the increment, it would count twice.
 */
export function noteOutOfOrder(
  store: Store,
  cell: Cell,
  transaction: Transaction,
  fields?: Fields | null,
): void {
  const { kind, start, settle, overtaken, layer } = transaction;
  if (kind !== 'mutation' || settle === Infinity) {
    return;
  }
  // A stalled mutation always counts as out of order: patches of later mutations may be folded.
  const isOutOfOrder =
    overtaken ??
    (settle === store.tick
      ? (cell.stack?.confirmedStart ?? 0) > start ||
        // A mutation of unknown rows has settled since `start`.
        tableMark(store, cell) > start ||
        (fields && cell.stack && reverts(cell, transaction, fields))
      : // This mutation got a 204 earlier. Its function ran again and may write unchecked rows.
        patchesOf(cell).some(
          ({ transaction: other }) =>
            other.kind === 'mutation' && other.start > start && other.settle < settle,
        ));
  const isFunction = layer?.copies.size && (fields === undefined || settle !== store.tick);
  if (isOutOfOrder || (isFunction && overlapped(cell, transaction, 'read').length > 0)) {
    markOutOfOrder(store, cell, settle);
  } else if (isFunction) {
    // A response in flight counts as stale, because it may contain the increment already.
    raiseMark(store.outOfOrderUntilQuiet, cell, settle);
  }
}

/**
 * Marks a list that a response to a mutation replaces, in four cases:
 *
 * - The response lacks an edit that settled during this one: of a mutation, or of a message, which
 *   `setResponse` stores. The server may have run either first. `listLog.ts` marks the list if the
 *   edit settles later.
 * - A mutation that started later has responded with a different list.
 * - The list was marked since `start`: that refetch may lack this mutation.
 * - The list has other rows than when it was predicted.
 */
export function noteListOutOfOrder(
  store: Store,
  cell: Cell,
  transaction: Transaction,
  response: ReplaceMembers,
): void {
  const { start, settle, overtaken } = transaction;
  const edits = [...overlapped(cell, transaction), ...overlapped(cell, transaction, 'local')];
  const isReverted = edits.some(
    ({ operation, transaction: other }) =>
      (operation.type !== 'replace' || (other.start > start && other.kind === 'mutation')) &&
      lacks(response, operation),
  );
  // A stalled mutation always marks the list: patches of overlapping edits may be folded.
  const isMarked = overtaken !== undefined || lastMark(store, cell) > start;
  if (isReverted || isMarked || isOutdated(store, cell, transaction, response)) {
    markOutOfOrder(store, cell, settle);
  }
}

/**
 * Called when a mutation is confirmed. While it was pending, it raised the rank of later edits, which
 * then hid newer responses. The lists of these edits are marked:
 *
 * ```
 *   create a    ├───────────────────────────┤      marks the list
 *   remove b       ├────┤                          ranks above R, raised by the create
 *   R [b]                   ├──────┤               another user has added b again
 * ```
 */
export function noteRaisedEdits(store: Store, { kind, cells, start, settle }: Transaction): void {
  for (const cell of (kind === 'mutation' && cells) || []) {
    // Optimization: without a confirmed later mutation, no edit was raised.
    const patches = (cell.stack?.confirmedStart ?? 0) > start ? patchesOf(cell) : [];
    const all: Transaction[] = [];
    for (const { transaction } of patches) {
      all.push(transaction);
    }
    // Reads in flight count, because the raised edits will hide their responses as well.
    let newest = 0;
    for (const other of [...store.inFlight, ...all]) {
      newest = other.kind === 'mutation' ? newest : Math.max(newest, other.start);
    }
    const isRaised = all.some(
      (other) => other.kind !== 'read' && other.start > start && other.settle < newest,
    );
    // Infinite and windowed lists load their pages again by themselves.
    if (isRaised && cell.list && !Object(cell.list.shape.collection).$pagination) {
      markOutOfOrder(store, cell, settle);
    }
  }
}

export function markListsOutOfOrder(store: Store): void {
  for (const { cells } of store.outOfOrder.size > 0 ? store.lists.values() : []) {
    for (const list of cells.values()) {
      for (const { operation } of patchesOf(list)) {
        const settle = operation.row && store.outOfOrder.get(operation.row);
        if (settle) {
          markOutOfOrder(store, list, settle);
        }
      }
    }
  }
}

/**
 * Returns the last tick at which a mutation settled that this value may lack, or 0. The value is
 * stored: its lists also contain the rows that later edits added to the response.
 */
export function outOfOrderSince(store: Store, shape: Shape, value: unknown, start: number): number {
  let last = 0;
  // Optimization: without marks, no node is visited.
  const hasMarks = store.outOfOrderUntilQuiet.size > 0;
  for (const { cell } of hasMarks ? nodesWithin(store, shape, value) : []) {
    last = Math.max(last, lastMark(store, cell));
  }
  return last > start ? last : 0;
}

function reverts(cell: Cell, transaction: Transaction, fields: Fields): boolean {
  const { start, asked } = transaction;
  const others = Object.keys(fields).filter((field) => !asked.has(field));
  if (isEdited(cell.stack) && isSameBelow(cell.stack, start, others, fields)) {
    // Optimization: a response that changes nothing reverts nothing.
    return false;
  }
  return overlapped(cell, transaction).some(
    ({ operation, transaction: other }) =>
      operation.type === 'delete' ||
      (operation.type === 'merge' &&
        others.some(
          (field) =>
            Object.hasOwn(operation.fields, field) &&
            mayChange(other, operation.fields, field) &&
            !equal(operation.fields[field], fields[field]),
        )),
  );
}

/** The body of a bulk edit, such as `{ ids, set }`, has no field of the row, so all may change. */
function mayChange({ asked }: Transaction, fields: Fields, field: string): boolean {
  return (
    asked.has(field) || (asked.size > 0 && Object.keys(fields).every((name) => !asked.has(name)))
  );
}

/** Returns the patches of one kind that settled during this mutation. */
function overlapped(
  cell: Cell,
  { start }: Transaction,
  by: Transaction['kind'] = 'mutation',
): readonly Patch[] {
  return patchesOf(cell).filter(
    ({ transaction: { kind, start: other, settle } }) =>
      kind === by && other !== start && settle > start && settle < Infinity,
  );
}

/**
 * Expires the results with a marked cell. A result without an up-to-date view may contain one, so
 * it expires too. Returns the results whose requests must be sent again.
 */
export function expireOutOfOrder(store: Store): readonly Result[] {
  const expired = new Set<Result>();
  let last = 0;
  for (const [cell, settle] of store.outOfOrder) {
    last = Math.max(last, settle);
    expireCell(store, cell, settle);
    for (const node of containersOf(cell)) {
      if (isRoot(node) && node.result && node.result.start < settle) {
        expireResult(store, node.result, settle);
        expired.add(node.result);
      }
    }
  }
  store.outOfOrder.clear();
  if (last > 0) {
    store.hydrated?.outdate(() => true, 'expire');
    for (const result of resultsIn(store)) {
      const { status, start, roots } = result;
      if (status === 'value' && start < last && roots.every(isStale)) {
        expireResult(store, result, last);
        if (roots.length > 0) {
          expired.add(result);
        }
      }
    }
  }
  return [...expired];
}

export function containersOf(cell: Cell): Set<Node> {
  const found = new Set<Node>(nodeList(cell.nodes));
  // The loop also visits the nodes that it adds.
  for (const node of found) {
    for (const parent of parentsOf(node)) {
      found.add(parent);
    }
  }
  return found;
}
