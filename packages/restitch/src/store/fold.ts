import { compact } from './compact.js';
import { hold, release } from './patches.js';
import { canFold, isPending, rerank } from './rank.js';
import { equal, isObject, mergeFields, reuseFields, sameItems } from './record.js';
import type {
  Cell,
  Fields,
  Members,
  Patch,
  Store,
  Stored,
  Transaction,
  MergeRow,
} from './state.js';

/**
 * A cell is a base and a stack:
 *
 * ```
 *   shown  =  base + p1 + p2 + … + pn      patches in rank order
 *             └──────┘
 *             folds into the base as soon as nothing in flight can come below p1
 * ```
 *
 * With nothing overlapping there is no stack and no cost.
 */

/** Puts a patch on a cell, in its place by rank. A throwing user callback of `strict`'s patches throws here. */
export function place(store: Store, cell: Cell, patch: Patch, strict?: Transaction): void {
  const { transaction } = patch;
  if (cell.stack === undefined && !isPending(transaction)) {
    patch.rank = transaction.kind === 'mutation' ? transaction.settle : transaction.start;
    if (canFold(store, cell, patch, [])) {
      touch(store, cell, transaction.start);
      cell.base = apply(cell.base, patch, undefined);
      cell.shown = cell.base;
      return;
    }
  }
  (cell.stack ??= []).push(patch);
  hold(transaction, cell);
  refold(store, cell, transaction.start, strict);
}

/** Sorts a cell's patches again, folds what can be folded, and computes what the cell shows. `start`: see `touch`. */
export function refold(store: Store, cell: Cell, start: number, strict?: Transaction): void {
  touch(store, cell, start);
  const { stack } = cell;
  let next = cell.base;
  if (stack) {
    rerank(stack);
    let lowest = stack[0];
    while (lowest && canFold(store, cell, lowest, stack)) {
      cell.base = run(store, cell.base, lowest, undefined, strict);
      stack.shift();
      const { transaction } = lowest;
      lowest = stack[0];
      if (!stack.some((patch) => patch.transaction === transaction)) {
        release(transaction, cell);
      }
    }
    compact(store, cell, stack);
    next = show(store, cell.base, stack, strict);
  }
  cell.shown = equal(cell.shown, next) ? cell.shown : next;
  if (!stack || stack.length === 0) {
    cell.stack = undefined;
    cell.base = cell.shown;
  }
}

/**
 * Remembers what a cell showed before the running commit, if somebody looks at it, and that layers which started after
 * `start`, the start of the patch that comes or goes, have to run again.
 */
export function touch(store: Store, cell: Cell, start: number): void {
  if (store.watchers.has(cell)) {
    store.moved.set(cell, Math.min(start, store.moved.get(cell) ?? Infinity));
  }
  if (cell.node && !store.touched.has(cell)) {
    store.touched.set(cell, cell.shown);
  }
}

/** What a cell shows when everything that started at a tick or later is left out. */
export function showBelow(store: Store, { base, shown, stack }: Cell, tick: number): Stored {
  return stack
    ? show(
        store,
        base,
        stack.filter(({ transaction }) => transaction.start < tick),
      )
    : shown;
}

function show(store: Store, base: Stored, stack: readonly Patch[], strict?: Transaction): Stored {
  const since = oldestTemporary(stack);
  const known = knownMembers(store, base, stack, since, strict);
  let value = base;
  for (const patch of stack) {
    value = run(store, value, patch, isAmbiguous(patch, since) ? known : undefined, strict);
  }
  return value;
}

/**
 * While a create with a temporary key is pending, a list answer that began after it may hold the created row under its real
 * key: members that only such answers know are withheld, or one create would show as two rows. Undefined: nothing to
 * withhold, or a list that only such answers know at all.
 */
function knownMembers(
  store: Store,
  base: Stored,
  stack: readonly Patch[],
  since: number,
  strict?: Transaction,
): ReadonlySet<unknown> | undefined {
  if (!stack.some((patch) => isAmbiguous(patch, since))) {
    return undefined;
  }
  let value = base;
  for (const patch of stack) {
    if (!isAmbiguous(patch, since)) {
      value = run(store, value, patch, undefined, strict);
    }
  }
  return Array.isArray(value) ? new Set<unknown>(value) : undefined;
}

function isAmbiguous({ operation, transaction }: Patch, since: number): boolean {
  return operation.type === 'replace' && transaction.start > since;
}

/** The start of the oldest pending create with a temporary key; Infinity when there is none. */
function oldestTemporary(stack: readonly Patch[]): number {
  let oldest = Infinity;
  for (const { operation, transaction } of stack) {
    if (operation.type === 'add' && operation.temporary && isPending(transaction)) {
      oldest = Math.min(oldest, transaction.start);
    }
  }
  return oldest;
}

/** Applies a patch; a throw is its transaction's own, so any other transaction's fold goes on without the patch. */
function run(
  store: Store,
  value: Stored,
  patch: Patch,
  known: ReadonlySet<unknown> | undefined,
  strict?: Transaction,
): Stored {
  if (patch.broken) {
    return value;
  }
  try {
    return apply(value, patch, known);
  } catch (error) {
    if (patch.transaction === strict) {
      throw error;
    }
    patch.broken = true;
    store.report(error);
    return value;
  }
}

function apply(
  value: Stored,
  { operation }: Patch,
  known: ReadonlySet<unknown> | undefined,
): Stored {
  switch (operation.type) {
    case 'merge': {
      if (!isFields(value)) {
        return operation.creates ? operation.fields : value;
      }
      return operation.shape.custom.merge
        ? reuseFields(value, customMerge(operation, value))
        : mergeFields(value, operation.fields);
    }
    case 'update': {
      const fields = isFields(value) ? value : undefined;
      const next = operation.update(fields);
      return next === undefined ? value : fields ? mergeFields(fields, next) : next;
    }
    case 'delete':
      return null;
    case 'replace': {
      const members = known
        ? operation.members.filter((member) => known.has(member))
        : operation.members;
      return isMembers(value) && sameItems(value, members) ? value : members;
    }
    case 'add':
      if (!isMembers(value) || value.includes(operation.member)) {
        return value;
      }
      return operation.place === 'end'
        ? [...value, operation.member]
        : [operation.member, ...value];
    case 'remove':
      return isMembers(value) && operation.members.some((member) => value.includes(member))
        ? value.filter((member) => !operation.members.includes(member))
        : value;
  }
}

function customMerge({ shape, fields }: MergeRow, existing: Fields): Fields {
  const merged: unknown = shape.entity.merge(existing, fields);
  if (!isObject(merged)) {
    throw new TypeError(`${shape.key}.merge must return the merged record as an object.`);
  }
  return merged;
}

/** Whether a stored value is a row that is there. */
export function isFields(value: Stored): value is Fields {
  return isObject(value);
}

/** Whether a stored value is a list that is known. */
export function isMembers(value: Stored): value is Members {
  return Array.isArray(value);
}
