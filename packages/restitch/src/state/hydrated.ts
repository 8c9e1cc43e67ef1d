import type { ListArgs } from '../schema/Collection.js';
import type { EntityMeta } from '../schema/Schema.js';
import { isObject, mergeFields, own, withMissing } from '../store/cells/plainValues.js';
import type { Lifetime } from '../store/cells/results.js';
import { noteUse } from '../store/cells/tables.js';
import type { Cell, Stored } from '../store/cells/Cell.js';
import type { Transaction } from '../store/journal/Transaction.js';
import type { Hydrated, Store } from '../store/cells/Store.js';
import type { ResultState, RowState } from '../store/cells/StoreState.js';

/**
 * The state with which a store was hydrated. Only a schema defines how to read it. So rows and
 * lists wait for a schema, and results wait for an endpoint.
 */
export interface HydratedState extends Hydrated {
  /** The time of hydration, in milliseconds since 1970. Limits `fetchedAt` of hydrated data. */
  readonly since: number;
  lifetime: Lifetime;
  /** The HTML page whose state arrives in parts, as a read that began before anything else. */
  readonly page: Transaction | undefined;
  /** Rows by entity key, then primary key. */
  readonly rows: Map<string, Map<string, Waiting>>;
  /** Lists by the key of their table, then `listKey`. */
  readonly lists: Map<string, Map<string, Waiting>>;
  /**
   * Rows with fields that no class in use can read, or declares like the exporting program. The
   * fields wait for another class, and the next export repeats their declarations.
   */
  readonly partial: Map<Cell, PartialRow>;
  /**
   * The values that hydrated rows and lists lack, by table, `pk` and field. A field is lost as long
   * as the row has the value of this map, which is mostly undefined. The keys are texts, because an
   * evicted row that returns has another cell.
   */
  readonly lostFields: Readonly<
    Record<'rows' | 'lists', Map<string, Map<string, Map<string, unknown>>>>
  >;
  /**
   * Rows that the running `hydrate` made incomplete. True for a row that had a response or a write:
   * then, only hydrated results (with the start 0) expire.
   */
  readonly lost: Map<Cell, boolean>;
  /** Hydrated rows that were deleted. A response can restore such a row without all its fields. */
  readonly removed: WeakSet<Cell>;
  /**
   * The records that were deleted while lists waited or the HTML page loaded, by entity key. A
   * waiting list loses these records when a schema requests its table, in this program or in one
   * that reads the next export.
   */
  readonly removals: Map<string, Set<string>>;
  /** Results by cache key. Results that moved into the store stay here for the first render. */
  readonly results: Map<string, HydratedResult[]>;
  /** The hydrated values of rows and lists, for the first render of the page. */
  readonly cells: Map<Cell, Stored>;
  /**
   * The old values of rows and lists that have changed on the server. A part of the page was
   * rendered from these values. By `rootName`, then `cellName`.
   */
  readonly rendered: Map<string, ReadonlyMap<string, unknown>>;
  isReported: boolean;
  /** The number of parts of the page so far. */
  part: number;
  /** Invalidations and expiries while the HTML page loads, also for results that arrive later. */
  readonly outdated: ((hydratedResult: HydratedResult, endpoint?: object) => void)[];
}

export interface Waiting extends Pick<RowState, 'declared' | 'lost' | 'removed'> {
  readonly stored: Stored;
  /** The times that `shouldUpdate` and `shouldReorder` of an entity class receive. */
  readonly meta: EntityMeta & Lifetime;
  readonly args?: ListArgs;
}

export interface PartialRow extends Waiting {
  /** The fields that no class in use could read yet. */
  readonly unread: ReadonlySet<string>;
  /** The unread fields that a class in use declares in another way. They are not exported again. */
  readonly unfit: ReadonlySet<string>;
}

export interface HydratedResult extends ResultState {
  expiresAt: number;
  isWaiting: boolean;
  /** The last part of the page that contained the result. */
  readonly part: number;
  /** The tick at which the waiting result was invalidated; 0 if it was not. */
  invalidatedIn: number;
  /** Invalidations that depend on the endpoint. They run when an endpoint reads the result. */
  undecided?: ((hydratedResult: HydratedResult, endpoint: object) => void)[];
}

export function isReadable({ isWaiting, invalidatedIn }: HydratedResult): boolean {
  return isWaiting && invalidatedIn === 0;
}

/** The next program does not know the undecided filters, so it must fetch the result. */
export function waitingState({
  key,
  schema,
  value,
  fetchedAt,
  expiresAt,
  undecided,
}: HydratedResult): ResultState {
  return { key, schema, value, fetchedAt, expiresAt: undecided ? 0 : expiresAt };
}

export function hydratedOf({ hydrated }: Store): HydratedState | undefined {
  // The cast: only `createHydrated` creates this value.
  return hydrated as HydratedState | undefined;
}

export function noteExpiry(hydrated: HydratedState, { fetchedAt, expiresAt }: Lifetime): void {
  const before = hydrated.lifetime;
  const end = Math.max(before.expiresAt, expiresAt);
  const length = Math.max(before.expiresAt - before.fetchedAt, expiresAt - fetchedAt);
  hydrated.lifetime = { fetchedAt: end - length, expiresAt: end };
}

/** A running sweep keeps all hydrated data: new results may refer to old rows. */
export function noteHydration(store: Store, hydrated: HydratedState): void {
  store.uses += 1;
  hydrated.usedIn = Math.max(hydrated.usedIn, store.uses);
  for (const cell of store.usedInSweep ? hydrated.cells.keys() : []) {
    noteUse(store, cell);
  }
}

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
  waiting.set(pk, known ? joined(known, incoming, isNewer) : incoming);
}

/** Older data only adds missing fields, so it must not prolong the lifetime of known data. */
export function joined(known: Waiting, incoming: Waiting, isNewer: boolean): Waiting {
  const [older, newer] = isNewer ? [known, incoming] : [incoming, known];
  const has = (field: string): boolean => own(Object(newer.stored), field) !== undefined;
  const lost = older.lost?.filter((field) => !has(field)) ?? [];
  const declared = Object.entries(older.declared ?? {}).filter(([field]) => !has(field));
  return {
    ...older,
    ...newer,
    stored: combined(known.stored, incoming.stored, isNewer),
    declared: { ...Object.fromEntries(declared), ...newer.declared },
    lost: [...lost, ...(newer.lost ?? [])],
  };
}

export function combined(known: Stored, incoming: Stored, isNewer: boolean): Stored {
  if (!isNewer) {
    return withMissing(known, incoming);
  }
  // The custom `merge` is not called, because the exporting program has called it.
  return isObject(known) && isObject(incoming) ? mergeFields(known, incoming) : incoming;
}
