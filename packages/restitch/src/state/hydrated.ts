import type { ListArgs } from '../schema/Collection.js';
import type { EntityMeta } from '../schema/Schema.js';
import type { Hydrated } from '../store/cells/hydrated.js';
import { combine } from '../store/cells/plainValues.js';
import type { Lifetime } from '../store/cells/results.js';
import type { Cell, Stored } from '../store/cells/Cell.js';
import type { LogEntry, Transaction } from '../store/journal/Transaction.js';
import type { Store } from '../store/cells/Store.js';
import type { ResultState, RowState } from '../store/cells/StoreState.js';

/**
 * What another store exported and this one was given. Rows and lists wait here until a schema asks for their table, answers
 * until their endpoint is asked: only then is it known how to read them.
 */
export interface HydratedState extends Hydrated {
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
  /** It was reported that something does not fit. */
  isReported: boolean;
  /** What was invalidated or expired here while the page was still arriving: it concerns the rest of it, too. */
  readonly outdated: ((answer: Answer, endpoint?: object) => void)[];
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
  /** What was outdated while it waited, to be decided once it is known which endpoint asks: its URL may be of the user's own making. */
  undecided?: ((answer: Answer, endpoint: object) => void)[];
}

/** What a store was given, as this folder keeps it. */
export function hydratedOf({ hydrated }: Store): HydratedState | undefined {
  // The cast: `createHydrated` alone makes what stands there.
  return hydrated as HydratedState | undefined;
}

/** Notes until when something that comes counts as fresh. */
export function noteExpiry(hydrated: HydratedState, { fetchedAt, expiresAt }: Lifetime): void {
  hydrated.expiresAt = Math.max(hydrated.expiresAt, expiresAt);
  hydrated.lifetime = Math.max(hydrated.lifetime, expiresAt - fetchedAt);
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
