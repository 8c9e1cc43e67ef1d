import type { EntityMeta } from '../schema/Schema.js';
import type { ListArgs } from '../schema/Collection.js';
import type { ResultState, RowState } from './exportState.js';
import { applyToList } from './listing.js';
import { isPending } from './rank.js';
import { isObject, mergeFields } from './record.js';
import type { Lifetime } from './results.js';
import type { Cell, ListTable, LogEntry, RowTable, Stored, Transaction } from './state.js';

/**
 * What another store exported and this one was given. Rows and lists wait here until a schema asks for their table, answers
 * until their endpoint is asked: only then is it known how to read them.
 */
export interface Hydrated {
  /** Milliseconds since 1970 at which it began to come: all of it counts as fetched then, or earlier. */
  readonly since: number;
  /** Milliseconds since 1970 until which the last of it counts as fresh. */
  expiresAt: number;
  /** Milliseconds for which the longest lived of it counts as fresh. */
  lifetime: number;
  /** The page that it comes with, as a read that began before anything else happened here. */
  readonly page: Transaction | undefined;
  /** Rows by entity key, then primary key. */
  readonly rows: Map<string, Map<string, Waiting>>;
  /** Lists by the key of their table, then primary key. */
  readonly lists: Map<string, Map<string, Waiting>>;
  /** What was deleted here since lists began to wait, or a page to arrive: they must not show it when it is created again. */
  readonly removals: LogEntry[];
  /** Answers by endpoint key, taken ones too: a page that was rendered from them shows them. */
  readonly answers: Map<string, Answer[]>;
  /** What rows and lists were when they came, for the same reason. */
  readonly cells: Map<Cell, Stored>;
  /** What boundaries of the page show that is older than its data: by question, then by record or list. */
  readonly rendered: Map<string, ReadonlyMap<string, unknown>>;
  /** Lists whose own schema is not known yet: until then they follow the first one that was seen with their members. */
  readonly presumed: Set<Cell>;
  /** It was reported that something does not fit. */
  isReported: boolean;
  /** Gives what this program can read of what waits for a cell. */
  readonly read: (cell: Cell, waiting: Waiting) => Waiting;
  /** Places on a list that is taken up what the log says of it. */
  readonly replay: (list: Cell) => void;
  /** What was invalidated or expired here while the page was still arriving: it concerns the rest of it, too. */
  readonly outdated: ((answer: Answer) => void)[];
}

/** A row or list that waits. */
export interface Waiting extends Pick<RowState, 'declared' | 'isIncomplete'> {
  readonly stored: Stored;
  /** How long it counts as fresh, and what a class is told that orders its records by time. */
  readonly meta: EntityMeta & Lifetime;
  readonly args?: ListArgs;
}

/** An answer that another store exported. */
export interface Answer extends ResultState {
  expiresAt: number;
  /** No register has taken it yet. */
  isWaiting: boolean;
  /** The tick at which it was invalidated while it waited; 0 when it was not. */
  invalidatedIn: number;
}

export function createHydrated(
  since: number,
  { read, replay }: Pick<Hydrated, 'read' | 'replay'>,
  page?: Transaction,
): Hydrated {
  return {
    since,
    read,
    replay,
    expiresAt: 0,
    lifetime: 0,
    page,
    rows: new Map(),
    lists: new Map(),
    removals: [],
    answers: new Map(),
    cells: new Map(),
    rendered: new Map(),
    presumed: new Set(),
    isReported: false,
    outdated: [],
  };
}

/** Notes until when something that comes counts as fresh. */
export function noteExpiry(hydrated: Hydrated, { fetchedAt, expiresAt }: Lifetime): void {
  hydrated.expiresAt = Math.max(hydrated.expiresAt, expiresAt);
  hydrated.lifetime = Math.max(hydrated.lifetime, expiresAt - fetchedAt);
}

/** What is known and what comes, as one: `isNewer` where what comes goes over it, otherwise it only fills in. */
export function combine(known: Stored, incoming: Stored, isNewer: boolean): Stored {
  if (!isObject(known) || !isObject(incoming)) {
    return known === undefined || isNewer ? incoming : known;
  }
  if (isNewer) {
    // A class's own `merge` made the row already, where it comes from.
    return mergeFields(known, incoming);
  }
  const missing = Object.entries(incoming).filter(([field]) => !Object.hasOwn(known, field));
  // `fromEntries` defines, so that a field called `__proto__` is a field.
  return mergeFields(known, Object.fromEntries(missing));
}

/** Lets what came for a table wait until a schema asks for it. */
export function park(
  tables: Map<string, Map<string, Waiting>>,
  table: string,
  pk: string,
  incoming: Waiting,
  isNewer: boolean,
): void {
  const waiting = tables.get(table) ?? new Map<string, Waiting>();
  tables.set(table, waiting);
  const known = waiting.get(pk);
  // What only fills in makes what is known no fresher.
  waiting.set(pk, {
    ...(isNewer ? known : incoming),
    ...(isNewer ? incoming : (known ?? incoming)),
    stored: combine(known?.stored, incoming.stored, isNewer),
  });
}

/** Notes a deletion for the lists that wait, or that a page may yet bring. */
export function noteRemoval({ lists, page, removals }: Hydrated, entry: LogEntry): void {
  if (lists.size > 0 || (page && isPending(page))) {
    removals.push(entry);
  }
}

/** Fills a table that is being made with what waits for it. What was deleted meanwhile leaves its lists. */
export function unpark(
  hydrated: Hydrated,
  table: RowTable | ListTable,
  add: (pk: string, waiting: Waiting) => Cell,
): void {
  const tables = table.kind === 'rows' ? hydrated.rows : hydrated.lists;
  const waiting = tables.get(table.key);
  tables.delete(table.key);
  for (const [pk, row] of waiting ?? []) {
    const cell = add(pk, row);
    const { stored, meta } = hydrated.read(cell, row);
    cell.lifetime = meta;
    if (!stored) {
      continue;
    }
    cell.shown = stored;
    for (const { member, operationFor } of table.kind === 'lists' ? hydrated.removals : []) {
      const removal = operationFor(cell, member);
      cell.shown = removal ? applyToList(cell.shown, removal) : cell.shown;
    }
    hydrated.cells.set(cell, stored);
    if (table.kind === 'lists') {
      hydrated.presumed.add(cell);
      hydrated.replay(cell);
    }
  }
}
