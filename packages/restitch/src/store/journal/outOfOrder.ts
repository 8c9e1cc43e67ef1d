import { pkOfArgs } from '../../schema/Entity.js';
import { entitiesOf } from '../../schema/shape.js';
import type { Shape } from '../../schema/shapes.js';
import { rowTable } from '../cells/tables.js';
import { markOutOfOrder } from './markOutOfOrder.js';
import { isRoot, isStale, nodeList, parentsOf } from '../views/nodes.js';
import { expireResult, resultsIn } from '../cells/results.js';
import { listKey, pkText } from '../cells/keys.js';
import type { NormalizedResponse } from '../normalize/Normalized.js';
import { isEdited, isSameBelow } from './plainEdits.js';
import { patchesOf } from './patches.js';
import { equal } from '../cells/plainValues.js';
import type { Cell, Fields } from '../cells/Cell.js';
import type { Node } from '../views/Node.js';
import type { Patch, Transaction } from './Transaction.js';
import type { Store } from '../cells/Store.js';

/**
 * Two mutations of one row that overlap are ordered by start, but the server may have run them the other way round, and an
 * answer with the whole row then hides a confirmed change. Nobody can know; two things are signs of it: answers that come in the other
 * order than their requests, and an answer that takes back what an overlapping mutation changed, and this one did not:
 *
 * ```
 *   M1  name: b   ├────────────┤ { name: b, note: a }
 *   M2  note: b       ├──────────────┤ { name: a, note: b }      the server ran M2 first
 * ```
 *
 * What shows the row, or the list, is then fetched again.
 */
export function noteOutOfOrder(
  store: Store,
  cell: Cell,
  transaction: Transaction,
  fields?: Fields | null,
): void {
  const { kind, start, settle, overtaken } = transaction;
  if (kind !== 'mutation' || settle === Infinity) {
    return;
  }
  // Nothing is known any more of what a stalled mutation overlapped.
  const isDoubtful =
    overtaken ??
    (settle === store.tick
      ? (cell.stack?.answered ?? 0) > start ||
        (fields && cell.stack && takesBack(cell, transaction, fields))
      : // An optimistic function that runs again after its 204 may write other rows than before.
        patchesOf(cell).some(
          ({ transaction: other }) =>
            other.kind === 'mutation' && other.start > start && other.settle < settle,
        ));
  if (isDoubtful) {
    markOutOfOrder(store, cell, settle);
  }
}

/** The same for a list of which a mutation says all members: one that an overlapping mutation added is missing, or a removed one is there. */
export function noteListOutOfOrder(
  store: Store,
  cell: Cell,
  transaction: Transaction,
  members: readonly unknown[],
): void {
  const isTakenBack = overlapped(cell, transaction).some(({ operation }) =>
    operation.type === 'add'
      ? !members.includes(operation.member)
      : operation.type === 'remove' && operation.members.some((member) => members.includes(member)),
  );
  if (isTakenBack) {
    markOutOfOrder(store, cell, transaction.settle);
  }
}

/** Lists that a row in doubt entered or left by the mutations in question are in doubt with it. */
export function markListsOutOfOrder(store: Store): void {
  for (const [row, settle] of store.outOfOrder) {
    for (const { cells } of row.table.kind === 'rows' ? store.lists.values() : []) {
      for (const list of cells.values()) {
        if (patchesOf(list).some(({ operation }) => operation.row === row)) {
          markOutOfOrder(store, list, settle);
        }
      }
    }
  }
}

/**
 * Called when a mutation was answered. The row that its call names is in doubt where the response does not hold it: the server renamed
 * it, or made another one of it, and nobody can know which.
 */
export function noteRenamed(
  store: Store,
  shape: Shape,
  args: readonly unknown[],
  { rows }: Pick<NormalizedResponse, 'rows'>,
  settle: number,
): void {
  if (shape.kind === 'custom') {
    noteRenamed(store, shape.member, args, { rows }, settle);
  } else if (shape.kind === 'object' && shape.fields.size === 1) {
    for (const part of shape.fields.values()) {
      noteRenamed(store, part, args, { rows }, settle);
    }
  } else if (shape.kind === 'entity' || shape.kind === 'union') {
    for (const { entity } of entitiesOf(shape)) {
      const cell = rowTable(store, entity).cells.get(pkText(pkOfArgs(entity.entity, args)) ?? '');
      if (cell && !rows.some((row) => row.pk === cell.pk && row.shape.table === entity.table)) {
        markOutOfOrder(store, cell, settle);
      }
    }
  }
}

/**
 * The tick since which something in a response is in doubt that was asked for before: what is asked for later holds what the mutations
 * came to. 0 where nothing is.
 */
export function outOfOrderSince(
  { outOfOrderUntilQuiet: doubts }: Store,
  { rows, lists }: NormalizedResponse,
  start: number,
): number {
  let last = 0;
  for (const [{ table, pk }, tick] of doubts) {
    const isHeld =
      table.kind === 'rows'
        ? rows.some((row) => row.pk === pk && row.shape.table === table.key)
        : table.kind === 'lists' &&
          lists.some(({ shape, args }) => shape.key === table.key && listKey(args) === pk);
    last = isHeld && tick > start ? Math.max(last, tick) : last;
  }
  return last;
}

function takesBack(cell: Cell, transaction: Transaction, fields: Fields): boolean {
  const { start, asked } = transaction;
  const others = Object.keys(fields).filter((field) => !asked.has(field));
  if (isEdited(cell.stack) && isSameBelow(cell.stack, start, others, fields)) {
    // An optimization: nothing is taken back where all of it is as it was.
    return false;
  }
  return overlapped(cell, transaction).some(
    ({ operation, transaction: { asked: changed } }) =>
      operation.type === 'delete' ||
      (operation.type === 'merge' &&
        others.some(
          (field) =>
            changed.has(field) &&
            Object.hasOwn(operation.fields, field) &&
            !equal(operation.fields[field], fields[field]),
        )),
  );
}

/** What was said by mutations that were sent before a mutation, and answered while it was under way. */
function overlapped(cell: Cell, { kind, start }: Transaction): readonly Patch[] {
  return kind === 'mutation'
    ? patchesOf(cell).filter(
        ({ transaction: other }) =>
          other.kind === 'mutation' &&
          other.start < start &&
          other.settle > start &&
          other.settle < Infinity,
      )
    : [];
}

/**
 * Ends the lifetime of every answer that shows a doubtful row, and of those that were not read since they changed: what they show is
 * not known without reading them, and asking once more does no harm. What was asked for later holds what both mutations came to.
 */
export function expireOutOfOrder(store: Store): void {
  let last = 0;
  for (const [cell, settle] of store.outOfOrder) {
    last = Math.max(last, settle);
    // Stale from now on, and yet kept for as long as it would have been.
    const { fetchedAt, expiresAt } = cell.lifetime;
    cell.lifetime = { fetchedAt, expiresAt: -Math.abs(expiresAt) };
    for (const node of containersOf(cell)) {
      if (isRoot(node) && node.result && node.result.start < settle) {
        expireResult(store, node.result, settle);
        store.outdated.add(node.result);
      }
    }
  }
  store.outOfOrder.clear();
  if (last > 0) {
    store.hydrated?.outdate(() => true, 'expire');
    for (const result of resultsIn(store)) {
      const { status, start, roots } = result;
      // Where a root is up to date, what it contains is linked to it.
      if (status === 'value' && start < last && roots.every(isStale)) {
        expireResult(store, result, last);
        if (roots.length > 0) {
          store.outdated.add(result);
        }
      }
    }
  }
}

function containersOf(cell: Cell): Set<Node> {
  const found = new Set<Node>(nodeList(cell.nodes));
  // A set that grows while it is walked is walked to its new end.
  for (const node of found) {
    for (const parent of parentsOf(node)) {
      found.add(parent);
    }
  }
  return found;
}
