import { argText } from './keys.js';
import { isBorn, listTable } from './cells.js';
import { hold, place } from './fold.js';
import { isPending, oldestStart } from './rank.js';
import type {
  AddMember,
  Cell,
  Fields,
  ListTable,
  LogEntry,
  Patch,
  RemoveMember,
  ReplaceMembers,
  Store,
  Transaction,
} from './state.js';

/**
 * List operations live in a log per table and are pushed to the lists that match. A list that is born later replays the log:
 * its answer may come from a request that began before a create which was answered meanwhile.
 */

/** Adds an operation to the log and to every list that is known and matches. */
export function logOperation(
  store: Store,
  tableKey: string,
  transaction: Transaction,
  operation: AddMember | RemoveMember,
  matches: (list: Cell) => boolean,
): void {
  const table = listTable(store, tableKey);
  table.log.push({ transaction, operation, matches });
  (transaction.logs ??= new Set()).add(table);
  for (const cell of table.cells.values()) {
    if (isBorn(cell) && matches(cell)) {
      place(store, cell, patchOf(transaction, operation));
    }
  }
}

/** Places a whole list; one that was not known gets the logged operations that it must not miss. */
export function placeList(
  store: Store,
  cell: Cell,
  transaction: Transaction,
  operation: ReplaceMembers,
): void {
  if (!isBorn(cell)) {
    for (const entry of listTable(store, cell.table.key).log) {
      const missed = !cell.stack?.some((patch) => patch.operation === entry.operation);
      if (missed && entry.matches(cell)) {
        (cell.stack ??= []).push(patchOf(entry.transaction, entry.operation));
        hold(entry.transaction, cell);
        if (!isPending(entry.transaction)) {
          store.unfolded.add(entry.transaction);
        }
      }
    }
  }
  place(store, cell, patchOf(transaction, operation));
}

/** Takes the entries of one transaction out of the logs. */
export function withdrawLog(transaction: Transaction): void {
  for (const table of transaction.logs ?? []) {
    keep(table, (entry) => entry.transaction !== transaction);
  }
  transaction.logs = undefined;
}

/** Drops the entries that nothing in flight can still have to see. */
export function trimLogs(store: Store): void {
  const oldestRead = oldestStart(store.reads);
  const oldestMutation = oldestStart(store.mutations);
  for (const table of store.lists.values()) {
    if (table.log.length === 0) {
      continue;
    }
    const needed = new Set<Transaction>();
    let lift = 0;
    for (const { transaction } of [...table.log].sort(byStart)) {
      const isMutation = transaction.kind === 'mutation';
      lift = isMutation ? Math.max(lift, transaction.settle) : lift;
      const rank = isMutation ? lift : transaction.start;
      const older = isMutation && oldestMutation < transaction.start;
      if (isPending(transaction) || older || oldestRead < rank) {
        needed.add(transaction);
      }
    }
    keep(table, (entry) => needed.has(entry.transaction));
  }
}

/** Whether a created row belongs to a list: by the list's own rule, or when every argument that filters is matched. */
export function matchesList(cell: Cell, fields: Fields, args: readonly unknown[]): boolean {
  if (!cell.args || !cell.list) {
    return false;
  }
  const { createCollectionFilter, nonFilterArgumentKeys } = cell.list.collection.options;
  if (createCollectionFilter) {
    return createCollectionFilter(...args)(cell.args);
  }
  for (const [key, wanted] of Object.entries(cell.args)) {
    if (!isNonFilter(nonFilterArgumentKeys, key) && !hasValue(fields, args, key, wanted)) {
      return false;
    }
  }
  return true;
}

function isNonFilter(
  names: readonly string[] | RegExp | ((key: string) => boolean) | undefined,
  key: string,
): boolean {
  if (names === undefined) {
    return false;
  }
  if (typeof names === 'function') {
    return names(key);
  }
  return names instanceof RegExp ? names.test(key) : names.includes(key);
}

/** Looks for an argument's value in the row, then in the call's parameters and body. */
function hasValue(fields: Fields, args: readonly unknown[], key: string, wanted: string): boolean {
  for (const source of [fields, ...args]) {
    const value = fieldOf(source, key);
    if (value !== undefined && value !== null) {
      return Array.isArray(value)
        ? value.some((item) => argText(item) === wanted)
        : argText(value) === wanted;
    }
  }
  return false;
}

function fieldOf(source: unknown, key: string): unknown {
  if (typeof FormData === 'function' && source instanceof FormData) {
    return source.get(key);
  }
  return typeof source === 'object' && source !== null && Object.hasOwn(source, key)
    ? (source as Record<string, unknown>)[key]
    : undefined;
}

function patchOf(transaction: Transaction, operation: Patch['operation']): Patch {
  return { transaction, operation, rank: 0, broken: false };
}

function byStart(a: LogEntry, b: LogEntry): number {
  return a.transaction.start - b.transaction.start;
}

function keep(table: ListTable, wanted: (entry: LogEntry) => boolean): void {
  const rest = table.log.filter(wanted);
  table.log.splice(0, table.log.length, ...rest);
}
