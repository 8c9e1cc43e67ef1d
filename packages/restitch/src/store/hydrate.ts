import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import type { EntityMeta } from '../schema/Schema.js';
import { isBorn, knownCell } from './cells.js';
import { answerFor, isWhole } from './answers.js';
import { commit } from './commit.js';
import { fittingFields } from './declarations.js';
import type { ResultState, StoreState } from './exportState.js';
import { isFields, refold } from './fold.js';
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
import { equal, isObject } from './record.js';
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
 *
 * Of damaged state nothing is taken.
 */
export function hydrate(store: Store, state: StoreState, isPartOfPage: boolean): void {
  const hydrated = (store.hydrated ??= nothingYet(store));
  const { page } = hydrated;
  const isNewer = isPartOfPage && page !== undefined && store.reads.has(page);
  const steps: (() => void)[] = [];
  try {
    const { exportedAt, entities, lists, results, rendered = [] } = state;
    const fetchedAt = Math.min(number(exportedAt), hydrated.since);
    const metaOf = (time: number): EntityMeta => {
      const expiresAt = number(time);
      return { fetchedAt, date: fetchedAt, expiresAt };
    };
    for (const [key, rows] of Object.entries(object(entities))) {
      for (const { pk, fields, expiresAt, ...rest } of list(rows)) {
        const waiting = { ...rest, stored: object(fields), meta: metaOf(expiresAt) };
        text(pk);
        steps.push(() => fill(store, hydrated, 'rows', key, pk, waiting, isNewer));
      }
    }
    for (const [key, known] of Object.entries(object(lists))) {
      for (const { args, listing, expiresAt } of list(known)) {
        Object.values(object(args)).forEach(text);
        list(listing.members);
        number(listing.head);
        list(listing.keys ?? []).forEach(text);
        object(listing.beside ?? {});
        // What is undefined was lost on the way.
        const stored = { ...listing, keys: listing.keys, beside: listing.beside };
        const waiting = { stored, meta: metaOf(expiresAt), args };
        steps.push(() => fill(store, hydrated, 'lists', key, listKey(args), waiting, isNewer));
      }
    }
    for (const { of, cells } of list(rendered)) {
      const shown = new Map(list(cells).map((pair) => [String(list(pair)[0]), pair[1]] as const));
      text(of);
      steps.push(() => hydrated.rendered.set(of, shown));
    }
    for (const result of list(results)) {
      text(result.key);
      text(result.schema);
      number(result.fetchedAt);
      number(result.expiresAt);
      steps.push(() => answered(store, hydrated, result, isNewer));
    }
  } catch {
    store.report(
      new RestitchError('damaged-state', isDevelopment ? 'Damaged state was not taken.' : ''),
    );
    return;
  }
  commit(store, () => steps.forEach((step) => step()));
}

/** Throws unless a part of some state is what it has to be. */
function need<T>(isIt: boolean, value: T): T {
  if (!isIt) {
    throw new TypeError('damaged');
  }
  return value;
}
const number = <T>(value: T): T => need(Number.isFinite(value), value);
const text = <T>(value: T): T => need(typeof value === 'string', value);
const list = <T>(value: T): T => need(Array.isArray(value), value);
const object = <T>(value: T): T => need(isObject(value), value);

/** Where what comes is kept until it is asked for. A list that is taken up must not miss what the log says of it. */
function nothingYet(store: Store, page?: Transaction): Hydrated {
  const replay = (list: Cell): void => {
    replayLog(store, list);
    refold(store, list, 0);
  };
  const read = (cell: Cell, waiting: Waiting): Waiting => readWaiting(store, cell, waiting);
  return createHydrated(store.now(), { read, replay }, page);
}

/** What of a part this program can read: nothing is stored where that is nothing. */
function readWaiting({ hydrated, report }: Store, cell: Cell, waiting: Waiting): Waiting {
  const { table, pk } = cell;
  const { stored, declared, meta, isIncomplete } = waiting;
  if (!hydrated || table.kind !== 'rows' || !isFields(stored)) {
    return waiting;
  }
  const read = fittingFields(table.shapes, stored, declared);
  if (read !== stored && !hydrated.isReported) {
    hydrated.isReported = true;
    const message = isDevelopment
      ? `${table.key} '${pk}': hydrated state does not fit the class.`
      : `${table.key} ${pk}`;
    report(new RestitchError('other-class', message));
  }
  return read === stored && !isIncomplete
    ? waiting
    : { stored: read, meta: { ...meta, isIncomplete: true } };
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
  noteExpiry(hydrated, waiting.meta);
  const table = store[kind].get(key);
  if (!table) {
    park(hydrated[kind], key, pk, waiting, isNewer);
    return;
  }
  const cell = knownCell(table, pk, waiting.args);
  const base = baseOf(cell);
  const { stored, meta } = hydrated.read(cell, waiting);
  if (kind === 'lists' && !isBorn(cell)) {
    hydrated.presumed.add(cell);
  }
  if (kind === 'lists' && (isNewer || !isBorn(cell))) {
    replayLog(store, cell);
  }
  if (base === undefined || isNewer) {
    const isLonger = meta.isIncomplete || cell.lifetime.expiresAt < meta.expiresAt;
    cell.lifetime = isLonger ? meta : cell.lifetime;
    noteMeta(cell, meta);
  }
  if (!stored) {
    return;
  }
  const filled = combine(base, stored, isNewer);
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
    if (answerFor(store, result) === answer && isWhole(store, result, answer)) {
      // What was answered or taken away here has a rank of its own, and stays.
      if (isNewer || result.status === 'none') {
        registerValue(store, result, 0, answer.value, answer);
      }
      answer.isWaiting = false;
    }
  }
}
