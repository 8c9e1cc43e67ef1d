import type { EntityMeta } from '../schema/Schema.js';
import { isBorn, knownCell } from './cells.js';
import { answerFor } from './answers.js';
import { commit } from './commit.js';
import type { ResultState, StoreState } from './exportState.js';
import { refold } from './fold.js';
import {
  combine,
  createHydrated,
  type Hydrated,
  noteExpiry,
  park,
  type Waiting,
} from './hydrated.js';
import { listKey } from './keys.js';
import { replayLog } from './log.js';
import { noteMeta } from './metas.js';
import { isPending } from './rank.js';
import { equal } from './record.js';
import { registerValue, resultsOf } from './results.js';
import type { Cell, Store, Transaction } from './state.js';
import { baseOf, setBase } from './patches.js';
import { begin, fail } from './transaction.js';

/**
 * A page begins to arrive that brings state. Only a store in which nothing happened yet can take it as what it is; for any
 * other, its parts are older than what is known.
 */
export function beginPage(store: Store): void {
  if (store.tick === 0) {
    store.hydrated = nothingYet(store, begin(store, 'read', true));
  }
}

/** The page has arrived; what it held back may fold. */
export function endPage(store: Store): void {
  const page = store.hydrated?.page;
  if (page && isPending(page)) {
    commit(store, () => fail(store, page));
    store.hydrated?.outdated.splice(0);
  }
}

/**
 * Fills in what another store exported. Two cases:
 *
 * - A page that is still arriving is one read that began before anything that happened here. Nothing of
 *   ours was folded yet: the base of a cell is what earlier parts of the page brought, and a later part goes over it. What
 *   happened here lies above, on the stack.
 * - Anything else is older than what is known: it only adds rows, lists and answers that were never known, and fields that a
 *   row lacks. A deleted row stays deleted.
 */
export function hydrate(store: Store, state: StoreState, isPartOfPage: boolean): void {
  const hydrated = (store.hydrated ??= nothingYet(store));
  const { page } = hydrated;
  const isNewer = isPartOfPage && page !== undefined && store.reads.has(page);
  const fetchedAt = Math.min(state.exportedAt, hydrated.since);
  const metaOf = (expiresAt: number): EntityMeta => ({ fetchedAt, date: fetchedAt, expiresAt });
  commit(store, () => {
    for (const [key, rows] of Object.entries(state.entities)) {
      for (const { pk, fields, expiresAt } of rows) {
        const waiting = { stored: fields, meta: metaOf(expiresAt) };
        fill(store, hydrated, 'rows', key, pk, waiting, isNewer);
      }
    }
    for (const [key, lists] of Object.entries(state.lists)) {
      for (const { args, listing, expiresAt } of lists) {
        // What is undefined was lost on the way.
        const stored = { ...listing, keys: listing.keys, beside: listing.beside };
        const waiting = { stored, meta: metaOf(expiresAt), args };
        fill(store, hydrated, 'lists', key, listKey(args), waiting, isNewer);
      }
    }
    for (const { of, cells } of state.rendered ?? []) {
      hydrated.rendered.set(of, new Map(cells.map(([cell, stored]) => [String(cell), stored])));
    }
    for (const answer of state.results) {
      answered(store, hydrated, answer, isNewer);
    }
  });
}

/** Where what comes is kept until it is asked for. A list that is taken up must not miss what the log says of it. */
function nothingYet(store: Store, page?: Transaction): Hydrated {
  const replay = (list: Cell): void => {
    replayLog(store, list);
    refold(store, list, 0);
  };
  return createHydrated(store.now(), replay, page);
}

function fill(
  store: Store,
  hydrated: Hydrated,
  kind: 'rows' | 'lists',
  key: string,
  pk: string,
  waiting: Waiting,
  isNewer: boolean,
): void {
  const { meta } = waiting;
  noteExpiry(hydrated, meta);
  const table = store[kind].get(key);
  if (!table) {
    park(hydrated[kind], key, pk, waiting, isNewer);
    return;
  }
  const cell = knownCell(table, pk, waiting.args);
  const base = baseOf(cell);
  if (kind === 'lists' && !isBorn(cell)) {
    hydrated.presumed.add(cell);
  }
  if (kind === 'lists' && (isNewer || !isBorn(cell))) {
    replayLog(store, cell);
  }
  if (base === undefined || isNewer) {
    cell.lifetime = cell.lifetime.expiresAt < meta.expiresAt ? meta : cell.lifetime;
    noteMeta(cell, meta);
  }
  const filled = combine(base, waiting.stored, isNewer);
  const next = equal(base, filled) ? base : filled;
  hydrated.cells.set(cell, next);
  if (next !== base) {
    setBase(cell, next);
    refold(store, cell, 0);
  }
}

function answered(store: Store, hydrated: Hydrated, state: ResultState, isNewer: boolean): void {
  const { answers, outdated } = hydrated;
  const before = answers.get(state.key) ?? [];
  if (!isNewer && before.some(({ schema, isWaiting }) => isWaiting && schema === state.schema)) {
    return;
  }
  noteExpiry(hydrated, state);
  const answer = { ...state, isWaiting: true, invalidatedIn: 0 };
  for (const outdate of isNewer ? outdated : []) {
    outdate(answer);
  }
  answers.set(state.key, [...before.filter(({ schema }) => schema !== state.schema), answer]);
  for (const result of resultsOf(store, state.key)) {
    if (answerFor(store, result) === answer) {
      // What was answered or taken away here has a rank of its own, and stays.
      if (isNewer || result.status === 'none') {
        const { value, leftOut = [] } = answer;
        registerValue(store, result, 0, value, answer, {
          leftOut,
          isFinal: false,
          isUnread: false,
        });
      }
      answer.isWaiting = false;
    }
  }
}
