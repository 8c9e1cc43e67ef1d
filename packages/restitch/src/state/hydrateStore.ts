import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import type { EntityMeta } from '../schema/Schema.js';
import { isBorn, noteMeta, noteUse } from '../store/cells/tables.js';
import { commit } from '../store/journal/commit.js';
import { refold } from '../store/journal/fold.js';
import { listKey } from '../store/cells/keys.js';
import { replayLog } from '../store/lists/listLog.js';
import { isPending } from '../store/journal/responseOrder.js';
import { equal, isObject } from '../store/cells/plainValues.js';
import { expireResult, resultsOf, type ResponseInfo, storeValue } from '../store/cells/results.js';
import type { Cell, Listing, PageMark, Stored } from '../store/cells/Cell.js';
import type { Store } from '../store/cells/Store.js';
import type { ResultState, StoreState } from '../store/cells/StoreState.js';
import { baseOf, setBase } from '../store/journal/patches.js';
import { begin, fail } from '../store/journal/transactions.js';
import { expireHydrated, hydratedResultFor, isWhole } from './hydratedResults.js';
import { createHydrated } from './createHydrated.js';
import { STATE_VERSION } from './exportState.js';
import {
  combined,
  hydratedOf,
  noteExpiry,
  noteHydration,
  park,
  type HydratedState,
  type Waiting,
} from './hydrated.js';
import { lostFieldsOf, noteLost, noteRemoval, noteRemoved } from './incomplete.js';
import { fromJson } from './json.js';
import { readWaiting, waitingCell, withoutRemoved } from './waiting.js';
import { refetchUnnamed } from '../store/optimistic/createdRows.js';

/**
 * Called before the state of an HTML page arrives in parts. In an unused store, the page counts as
 * a read that began before everything else. In any other store, all known data counts as newer.
 */
export function beginPage(store: Store): void {
  if (store.tick === 0) {
    store.hydrated = createHydrated(store, begin(store, 'read'));
  }
}

/** Called after the last part of the page. Until then, the store keeps every patch. */
export function endPage(store: Store): void {
  const hydrated = hydratedOf(store);
  if (hydrated?.page && isPending(hydrated.page)) {
    const { page, outdated } = hydrated;
    commit(store, () => fail(store, page));
    outdated.splice(0);
    hydrated.usedIn = store.uses;
  }
}

export function hydrateStore(store: Store, state: StoreState, isPartOfPage: boolean): void {
  if (typeof state !== 'object' || state === null) {
    throw new TypeError(
      isDevelopment
        ? '`state` must be the object that `getState` returned. Parse it first if it is text.'
        : 'hydrate: state',
    );
  }
  const { version }: { readonly version: unknown } = state;
  if (version !== STATE_VERSION) {
    const message = isDevelopment
      ? `State of version ${String(version)} was ignored. This program reads version ${STATE_VERSION}.`
      : String(version);
    store.report(new RestitchError('other-state-version', message));
    return;
  }
  fillInState(store, fromJson(state) as StoreState, isPartOfPage);
}

/**
 * An HTML page that is still loading is older than all other data of this store. Later parts of the
 * page are newer than earlier parts, so each part replaces the base values. The changes of this
 * store are patches above the base, so they still apply.
 *
 * Any other state only adds unknown rows, lists and results, and missing fields of rows. A deleted
 * row stays deleted.
 */
function fillInState(store: Store, state: StoreState, isPartOfPage: boolean): void {
  const hydrated = hydratedOf(store) ?? createHydrated(store);
  store.hydrated = hydrated;
  noteHydration(store, hydrated);
  const { page } = hydrated;
  const isNewer = isPartOfPage && page !== undefined && store.inFlight.has(page);
  hydrated.part += isNewer ? 1 : 0;
  let steps: readonly (() => void)[];
  try {
    steps = [...stepsOf(store, hydrated, state, isNewer)];
  } catch {
    store.report(
      new RestitchError('damaged-state', isDevelopment ? 'Damaged state was ignored.' : ''),
    );
    return;
  }
  store.observer?.waiting();
  commit(store, () => {
    steps.forEach((step) => step());
    expireHydrated(store, hydrated);
  });
}

/** Throws if the state is damaged. */
function* stepsOf(
  store: Store,
  hydrated: HydratedState,
  { exportedAt, entities, lists, results, rendered = [] }: StoreState,
  isNewer: boolean,
): IterableIterator<() => void> {
  const fetchedAt = Math.min(number(exportedAt), hydrated.since);
  const metaOf = (time: number): EntityMeta => {
    const expiresAt = number(time);
    return { fetchedAt, date: fetchedAt, expiresAt };
  };
  for (const [key, rows] of Object.entries(object(entities))) {
    once(list(rows).map(({ pk }) => pk));
    for (const { pk, fields, expiresAt, ...rest } of rows) {
      const waiting = {
        ...rest,
        stored: fields === null ? null : object(fields),
        meta: metaOf(expiresAt),
      };
      text(pk);
      Object.values(object(rest.declared ?? {})).forEach((texts) => list(texts).forEach(text));
      list(rest.lost ?? []).forEach(text);
      yield () => fill(store, hydrated, 'rows', key, pk, waiting, isNewer);
    }
  }
  for (const [key, known] of Object.entries(object(lists))) {
    for (const { args, listing, expiresAt } of list(known)) {
      Object.values(object(args)).forEach(text);
      const waiting = { stored: wholeListing(listing), meta: metaOf(expiresAt), args };
      yield () => fill(store, hydrated, 'lists', key, listKey(args), waiting, isNewer);
    }
  }
  for (const { of, cells } of list(rendered)) {
    const values = new Map(list(cells).map((pair) => [String(list(pair)[0]), pair[1]] as const));
    text(of);
    yield () => hydrated.rendered.set(of, values);
  }
  for (const result of list(results)) {
    text(result.key);
    text(result.schema);
    number(result.fetchedAt);
    number(result.expiresAt);
    yield () => fillResult(store, hydrated, result, isNewer);
  }
}

/** Restores undefined fields, which JSON dropped. Throws if the listing is damaged. */
function wholeListing(listing: Listing): Listing {
  const { members, keys = members, head, pageFields = {}, added = [], pages = [] } = listing;
  once(list(keys));
  const present = new Set<unknown>(keys);
  list(added);
  const isWhole = list(pages).length > 0 && pages.every((slot) => present.has(slot));
  (listing.keys ?? []).forEach(text);
  number(head);
  number(listing.tail);
  need(members.length === keys.length && !list(members).includes(null), head);
  object(pageFields);
  list(listing.marks ?? []).forEach(({ end, empty = 0 }: PageMark & { readonly empty?: number }) =>
    need(empty <= MOST_EMPTY, number(end)),
  );
  return {
    ...listing,
    keys: listing.keys,
    pageFields: listing.pageFields,
    end: listing.end,
    added: listing.added,
    marks: listing.marks,
    // `pages` repeats objects of `members`. If decoding turned one member of a union into two
    // different objects, `pages` is left out.
    pages: isWhole ? pages : undefined,
  };
}

/** Limits the work for a windowed list, which visits each empty index. */
const MOST_EMPTY = 100_000;

function need<T>(isIt: boolean, value: T): T {
  if (!isIt) {
    throw new TypeError('damaged');
  }
  return value;
}
const number = <T>(value: T): T => need(Number.isFinite(value), value);
const text = <T>(value: T): T => need(typeof value === 'string', value);
const list = <T>(value: T): T => need(Array.isArray(value), value);
const once = <T extends readonly unknown[]>(values: T): T =>
  need(new Set(values).size === values.length, values);
const object = <T>(value: T): T => need(isObject(value), value);

function fill(
  store: Store,
  hydrated: HydratedState,
  kind: 'rows' | 'lists',
  key: string,
  pk: string,
  waiting: Waiting,
  isNewer: boolean,
): void {
  noteExpiry(hydrated, waiting.meta);
  const table = store[kind].get(key);
  if (waiting.lost && Object.keys(Object(waiting.stored)).length === 0) {
    // The row was evicted. Without a cell, it stays unknown.
    noteLost(hydrated, { kind, key }, pk, waiting.lost);
    return;
  }
  if (waiting.removed) {
    noteRemoval(hydrated, key, pk);
  }
  if (!table) {
    park(hydrated[kind], key, pk, waiting, isNewer);
    return;
  }
  const cell = waitingCell(table, pk, waiting);
  const base = baseOf(cell);
  noteUse(store, cell);
  store.observer?.cell(cell);
  const before = lostFieldsOf(store, cell, base);
  const { stored: read, meta, lost = [] } = readWaiting(store, hydrated, cell, waiting, isNewer);
  const stored = isNewer ? read : withoutRemoved(hydrated, cell, read);
  if (base === undefined || isNewer) {
    const { expiredIn, expiresAt, tick } = cell.lifetime;
    // An early expiry counts, but a response of this program is newer than the page.
    const isOver = meta.expiresAt === 0 && tick === undefined;
    const isLonger = lost.length > 0 || expiredIn || isOver || expiresAt < meta.expiresAt;
    if (lost.some((field) => !before.includes(field))) {
      hydrated.lost.set(cell, tick !== undefined);
    }
    cell.lifetime = isLonger ? meta : cell.lifetime;
    noteMeta(cell, meta);
  }
  // A newer record whose fields no class can read yet waits.
  const isUnread = isNewer && stored === undefined;
  const filled = combined(base, stored, isNewer && !isUnread);
  const next = equal(base, filled) ? base : filled;
  if (next === null && !isUnread) {
    noteRemoved(hydrated, cell);
  }
  if (stored === undefined) {
    return;
  }
  hydrated.cells.set(cell, next);
  if (next !== base) {
    replaceBase(store, hydrated, cell, next);
  }
}

function replaceBase(store: Store, hydrated: HydratedState, cell: Cell, base: Stored): void {
  // A known list already contains the creates and deletes of the log.
  if (cell.list && !isBorn(cell)) {
    hydrated.presumed.add(cell);
    replayLog(store, cell);
  }
  setBase(cell, base);
  refold(store, cell, 0);
  if (cell.list) {
    refetchUnnamed(store, cell);
  }
}

function fillResult(
  store: Store,
  hydrated: HydratedState,
  state: ResultState,
  isNewer: boolean,
): void {
  const { results: hydratedResults, outdated } = hydrated;
  const before = hydratedResults.get(state.key) ?? [];
  if (!isNewer && before.some(({ schema, isWaiting }) => isWaiting && schema === state.schema)) {
    return;
  }
  noteExpiry(hydrated, state);
  const hydratedResult = { ...state, isWaiting: true, part: hydrated.part, invalidatedIn: 0 };
  for (const outdate of isNewer ? outdated : []) {
    outdate(hydratedResult);
  }
  hydratedResults.set(state.key, [
    ...before.filter(({ schema }) => schema !== state.schema),
    hydratedResult,
  ]);
  for (const result of resultsOf(store, state.key)) {
    if (hydratedResultFor(hydrated, result) !== hydratedResult) {
      continue;
    }
    if (isWhole(store, result, hydratedResult)) {
      // The start 0 is older than every request, so `storeValue` keeps a result of this store.
      if (isNewer || result.status === 'none') {
        storeValue(store, result, 0, hydratedResult.value, hydratedResult, HYDRATED);
      }
      hydratedResult.isWaiting = false;
    } else if (isNewer && result.start === 0) {
      // A hydrated result that was refused must not keep the value of an earlier part.
      expireResult(store, result, 1);
    }
  }
}

const HYDRATED: ResponseInfo = { leftOut: undefined, isFinal: false, isUnread: false };
