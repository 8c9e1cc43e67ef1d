import type { EntityShape } from '../schema/shape.js';
import { entitiesOf } from '../schema/shape.js';
import { isBorn } from './cells.js';
import { createPatch, hold, place } from './fold.js';
import { argText, unionRef } from './keys.js';
import { isPending, oldestStart } from './rank.js';
import type { Cell, Fields, LogEntry, RemoveMember, Store, Transaction } from './state.js';

/**
 * List operations live in a log and are pushed to the lists that they concern. A list that is born later replays the log: its
 * answer may come from a request that began before a create which was answered meanwhile.
 */

/** Adds an operation to the log and places it on every list that is known and that it concerns. */
export function logOperation(
  store: Store,
  transaction: Transaction,
  operationFor: LogEntry['operationFor'],
): void {
  const entry: LogEntry = { transaction, operationFor };
  store.log.push(entry);
  transaction.isLogged = true;
  for (const table of store.lists.values()) {
    for (const cell of table.cells.values()) {
      const operation = isBorn(cell) ? operationFor(cell) : undefined;
      if (operation) {
        place(store, cell, createPatch(transaction, operation, entry));
      }
    }
  }
}

/** Gives a list that is about to be known the logged operations that it must not miss. */
export function replayLog(store: Store, cell: Cell): void {
  for (const entry of store.log) {
    const { transaction } = entry;
    const operation = entry.operationFor(cell);
    if (operation && !cell.stack?.some((patch) => patch.entry === entry)) {
      (cell.stack ??= []).push(createPatch(transaction, operation, entry));
      hold(transaction, cell);
      if (!isPending(transaction)) {
        store.unfolded.add(transaction);
      }
    }
  }
}

/** Takes the entries of one transaction out of the log. */
export function withdrawLog(store: Store, transaction: Transaction): void {
  if (transaction.isLogged) {
    store.log = store.log.filter((entry) => entry.transaction !== transaction);
    transaction.isLogged = false;
  }
}

/** Drops the entries that nothing in flight can still have to see. */
export function trimLog(store: Store): void {
  if (store.log.length === 0) {
    return;
  }
  const oldestRead = oldestStart(store.reads);
  const oldestMutation = oldestStart(store.mutations);
  const needed = new Set<Transaction>();
  let lift = 0;
  for (const { transaction } of [...store.log].sort(byStart)) {
    const isMutation = transaction.kind === 'mutation';
    lift = isMutation ? Math.max(lift, transaction.settle) : lift;
    const rank = isMutation ? lift : transaction.start;
    const older = isMutation && oldestMutation < transaction.start;
    if (isPending(transaction) || older || oldestRead < rank) {
      needed.add(transaction);
    }
  }
  store.log = store.log.filter(({ transaction }) => needed.has(transaction));
}

/** The operation by which a deleted row leaves a list, if the list can hold it. */
export function removalOf(row: EntityShape, pk: string, { list }: Cell): RemoveMember | undefined {
  const members: string[] = [];
  for (const { entity, discriminator } of list ? entitiesOf(list.member) : []) {
    if (entity.key === row.key) {
      members.push(discriminator === undefined ? pk : unionRef(discriminator, pk));
    }
  }
  return members.length > 0 ? { type: 'remove', members } : undefined;
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

function byStart(a: LogEntry, b: LogEntry): number {
  return a.transaction.start - b.transaction.start;
}
