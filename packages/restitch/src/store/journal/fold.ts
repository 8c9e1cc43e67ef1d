import { metaOf, noteChangedRow, noteMeta, noteUse } from '../cells/tables.js';
import { joinMerges, joinPatches } from './joinPatches.js';
import {
  noteFolded,
  isReplaced,
  withheldMembers,
  withoutHidden,
  withoutReplaced,
} from '../optimistic/createdRows.js';
import { NO_LINKS } from '../views/nodes.js';
import { canFold, isPending, rerank } from './responseOrder.js';
import { noteOvertaken } from './stalled.js';
import { editAll, isListing, withoutMembers } from '../lists/members.js';
import { equal, mergeFields } from '../cells/plainValues.js';
import { applyPatch, type Below, isFields, pageBelow } from './applyPatch.js';
import type { ListEdit, Operation } from './operations.js';
import { editsFrom, isEdited, noteChange, noteEdits, showEdits, UNCHANGED } from './plainEdits.js';
import { addPatch, baseOf, createPatch, patchesOf, release } from './patches.js';
import type { EntityMeta } from '../../schema/Schema.js';
import type { Cell, Fields, Listing, Stored } from '../cells/Cell.js';
import type { Moves, Patch, Transaction } from './Transaction.js';
import type { Store } from '../cells/Store.js';

/** Throws if a callback for a row throws, such as the `merge` of its class. */
export function place(
  store: Store,
  cell: Cell,
  transaction: Transaction,
  operation: Operation,
): void {
  const patch = createPatch(transaction, operation);
  noteOvertaken(store, cell, transaction, operation.type);
  const { stack } = cell;
  if (!stack && canFold(store, patch)) {
    touch(store, cell, transaction.start);
    cell.current = fold(store, cell, patch, transaction);
    return;
  }
  const isFirst = !transaction.cells?.has(cell);
  if (isFirst && isOnTop(store, cell, patch)) {
    touch(store, cell, transaction.start);
    addPatch(cell, patch);
    setCurrent(cell, applyPatch(store, cell.current, patch, { meta: undefined }, transaction));
    return;
  }
  const own = isFirst
    ? undefined
    : stack?.patches.findLast((other) => other.transaction === transaction);
  const joined = own && joinMerges(own.operation, operation);
  if (!stack || !own || !joined) {
    addPatch(cell, patch);
  } else if (joined === own.operation) {
    // The patch changes nothing, like the repeated author in each of a thousand posts.
    return;
  } else {
    own.operation = joined;
    noteChange(stack, own);
  }
  refold(store, cell, transaction.start, transaction);
}

/** Optimization: the highest patch of a row does not run the callbacks of other patches again. */
function isOnTop(store: Store, { table, stack }: Cell, { operation, transaction }: Patch): boolean {
  if (!stack || isEdited(stack) || table.kind !== 'rows' || table.metas) {
    return false;
  }
  const isHighest =
    isPending(transaction) ||
    // An update is a local write, so a mutation of the row may rank above the update.
    (operation.type === 'update' &&
      stack.patches.every((other) => other.transaction.kind !== 'mutation'));
  return isHighest && transaction.start === store.tick;
}

function fold(store: Store, cell: Cell, patch: Patch, strict?: Transaction): Stored {
  const below: Below = { meta: metaOf(cell) };
  const patches = patchesOf(cell);
  const base = noteFolded(store, baseOf(cell), patch, patches);
  const next = isReplaced(patch, 0)
    ? base
    : applyPatch(store, base, pageBelow(patch, patches, 1), below, strict);
  noteMeta(cell, below.meta);
  return next;
}

/** Optimization: merges without a patch. The row must have no stack, custom merge or `metas`. */
export function foldRecord(
  store: Store,
  cell: Cell,
  fields: Fields,
  transaction: Transaction,
): void {
  noteOvertaken(store, cell, transaction);
  const { current } = cell;
  const next = isFields(current) ? mergeFields(current, fields) : fields;
  if (next === current) {
    noteUse(store, cell);
  } else {
    touch(store, cell, transaction.start);
    cell.current = next;
  }
}

export function refold(store: Store, cell: Cell, start: number, strict?: Transaction): void {
  touch(store, cell, start);
  const { stack } = cell;
  if (!stack) {
    return;
  }
  const { patches } = stack;
  if (!isEdited(stack) && patches.length > 1) {
    rerank(patches);
  }
  for (let lowest; (lowest = patches[0]) && canFold(store, lowest);) {
    const edits = listEditsFrom(patches, 0, store);
    stack.base = edits[0] ? editAll(stack.base, edits) : fold(store, cell, lowest, strict);
    for (const { transaction } of patches.splice(0, edits.length || 1)) {
      release(transaction, cell);
    }
  }
  const { current } = cell;
  if (isEdited(stack) && isFields(current)) {
    setCurrent(cell, showEdits(stack, current));
    stack.changed = UNCHANGED;
  } else {
    joinPatches(store, cell, patches);
    setCurrent(cell, show(store, cell, patches, strict));
    noteEdits(cell);
  }
  if (patches.length === 0) {
    cell.stack = undefined;
  }
}

function setCurrent(cell: Cell, next: Stored): void {
  cell.current = equal(cell.current, next) ? cell.current : next;
}

/** Called before a cell changes. Layers that read the cell and began after `start` run again. */
export function touch(store: Store, cell: Cell, start: number): void {
  if (start < Infinity && store.watchers.has(cell)) {
    const moves = { oldest: start, newest: start, fields: cell.stack?.changed };
    store.moved.set(cell, joinMoves(moves, store.moved.get(cell)));
  }
  noteUse(store, cell);
  store.observer?.cell(cell);
  noteChangedRow(store, cell);
  if (cell.nodes !== NO_LINKS && !store.touched.has(cell)) {
    store.touched.set(cell, cell.current);
  }
}

export function joinMoves(a: Moves, b: Moves = a): Moves {
  return {
    oldest: Math.min(a.oldest, b.oldest),
    newest: Math.max(a.newest, b.newest),
    fields: a.fields && b.fields && new Set([...a.fields, ...b.fields]),
  };
}

export function currentBelow(store: Store, cell: Cell, tick: number): Stored {
  const { stack, current } = cell;
  if (!stack) {
    return current;
  }
  const { patches } = stack;
  if (isEdited(stack) && stack.changed === UNCHANGED && editsFrom(stack, tick) === patches.length) {
    return current;
  }
  const below = patches.filter(({ transaction }) => transaction.start < tick);
  return show(store, cell, below, undefined, tick);
}

/** Returns the value after the patch of a transaction, without the patches above. */
export function currentUpTo(store: Store, cell: Cell, transaction: Transaction): Stored {
  const patches = patchesOf(cell);
  const own = patches.findLastIndex((patch) => patch.transaction === transaction);
  return show(store, cell, patches.slice(0, own + 1));
}

/** Returns the value that a cell would have if all requests in flight failed. */
export function currentConfirmed(store: Store, cell: Cell): Stored {
  return currentOf(store, cell, (transaction) => !isPending(transaction));
}

export function currentWithout(store: Store, cell: Cell, left: Transaction): Stored {
  return currentOf(store, cell, (transaction) => transaction !== left);
}

function currentOf(store: Store, cell: Cell, counts: (one: Transaction) => boolean): Stored {
  const patches = patchesOf(cell);
  const counted = patches.filter(({ transaction }) => counts(transaction));
  if (counted.length === patches.length) {
    return cell.current;
  }
  // The patches are copied, because their ranks are different without the other patches.
  const copies = counted.map((patch) => ({ ...patch }));
  rerank(copies);
  return show(store, cell, copies);
}

/** Leaves out patches of rank Infinity, which stay above a response that arrives now. */
export function currentSettled(store: Store, cell: Cell): Stored {
  const patches = [...patchesOf(cell)];
  rerank(patches);
  const settled = patches.filter(({ rank }) => rank < Infinity);
  return show(store, cell, settled);
}

function show(
  store: Store,
  cell: Cell,
  patches: readonly Patch[],
  strict?: Transaction,
  before?: number,
): Stored {
  const known = baseOf(cell);
  const { base, stack } = cell.list
    ? withoutReplaced(store, known, withoutHidden(known, patches))
    : { base: known, stack: patches };
  const value = applyAll(store, base, stack, metaOf(cell), strict, before);
  return cell.list && isListing(value) ? withoutWithheld(store, base, stack, value) : value;
}

function applyAll(
  store: Store,
  base: Stored,
  stack: readonly Patch[],
  meta: EntityMeta | undefined,
  strict?: Transaction,
  before?: number,
): Stored {
  const below: Below = { meta };
  let value = base;
  let index = 0;
  for (let patch = stack[0]; patch; patch = stack[index]) {
    const edits = listEditsFrom(stack, index);
    value = edits[0]
      ? editAll(value, edits)
      : applyPatch(store, value, pageBelow(patch, stack, index + 1, before), below, strict);
    index += edits.length || 1;
  }
  return value;
}

/**
 * Optimization: returns the next edits of a list, so that thousands of them copy the list once. With
 * `store`, returns only edits that can be folded.
 */
function listEditsFrom(stack: readonly Patch[], from: number, store?: Store): ListEdit[] {
  const edits: ListEdit[] = [];
  let patch: Patch | undefined;
  while ((patch = stack[from + edits.length]) && (!store || canFold(store, patch))) {
    // The cast: only edits of lists have a `row`.
    const edit = patch.operation as ListEdit & { isReplaced?: boolean; place?: unknown };
    const isAssign = 'key' in edit;
    if (
      !('row' in edit) ||
      edit.isReplaced ||
      typeof edit.place === 'function' ||
      isAssign !== 'key' in (edits[0] ?? edit)
    ) {
      break;
    }
    edits.push(edit);
  }
  return edits;
}

/** Returns a list without members that may be the row of a pending create. */
function withoutWithheld(
  store: Store,
  base: Stored,
  stack: readonly Patch[],
  value: Listing,
): Listing {
  const withheld = withheldMembers(stack);
  if (!withheld) {
    return value;
  }
  const known = applyAll(store, base, withheld.others, undefined);
  if (!isListing(known)) {
    return value;
  }
  const members = new Set(known.members);
  return withoutMembers(value, (member) => !members.has(member) && withheld.members.has(member));
}
