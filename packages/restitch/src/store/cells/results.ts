import { isDevelopment } from '../../errors/development.js';
import { RestitchError } from '../../errors/RestitchError.js';
import { readsAlike } from '../../schema/sameProcessing.js';
import { type Identified, readableText } from '../../schema/identityText.js';
import { sameSchema } from '../../schema/sameSchema.js';
import { shapeOf } from '../../schema/shape.js';
import type { Shape } from '../../schema/shapes.js';
import { mark } from '../views/nodes.js';
import { equal } from './plainValues.js';
import type { Result } from './Result.js';
import type { Root } from '../views/Node.js';
import type { Store } from './Store.js';

export interface Asker extends Identified {
  readonly name: string;
  readonly urlPrefix?: string | undefined;
  readonly schema?: unknown;
}

/** An error at this limit ends the endless fetches of an endpoint that each render creates. */
const MOST_RESULTS = 50;

/** Endpoints with one key have separate results if they process responses in different ways. */
export function resultFor(
  store: Store,
  key: string,
  endpoint: Asker,
  nameOf: (shape: Shape) => unknown,
): Result {
  store.uses += 1;
  const { schema } = endpoint;
  const results = resultsOf(store, key);
  const known = knownResult(store, key, endpoint);
  if (known) {
    known.usedIn = store.uses;
    return known;
  }
  const ways = results.length;
  if (ways >= MOST_RESULTS) {
    throw new RestitchError(
      'too-many-endpoints',
      isDevelopment
        ? `${endpoint.name}: ${ways} endpoints with different functions or schemas have the cache key ${readableText(key)}. ` +
            'Declare endpoints outside of components.'
        : endpoint.name,
    );
  }
  const shape = shapeOf(schema);
  const created: Result = {
    key,
    endpoint,
    schema,
    shape,
    ...NOTHING,
    start: 0,
    expiredIn: 0,
    retry: NO_LIFETIME,
    newsIn: 0,
    isFinal: false,
    isUnread: false,
    fetchedAt: 0,
    expiresAt: 0,
    usedIn: store.uses,
    named: nameOf(shape),
    roots: NO_ROOTS,
  };
  store.results.set(key, [...results, created]);
  store.hydrated?.takeResult(created);
  return created;
}

export function knownResult(store: Store, key: string, endpoint: Asker): Result | undefined {
  return resultsOf(store, key).find(
    (result) =>
      (result.endpoint === endpoint || readsAlike(endpoint, result.endpoint)) &&
      sameSchema(result.schema, endpoint.schema),
  );
}

const NO_ROOTS: readonly Root[] = [];

const NO_ERROR = { error: undefined, unreadable: undefined };

const NOTHING = { ...NO_ERROR, status: 'none', value: undefined } as const;

export function renameResult(store: Store, result: Result, key: string): void {
  removeResult(store, result);
  result.key = key;
  store.results.set(key, [...resultsOf(store, key), result]);
  notifyReaders(store, result);
}

export function removeResult(store: Store, result: Result): void {
  const others = resultsOf(store, result.key).filter((other) => other !== result);
  if (others.length > 0) {
    store.results.set(result.key, others);
  } else {
    store.results.delete(result.key);
  }
}

export function* resultsIn(store: Store): IterableIterator<Result> {
  for (const results of store.results.values()) {
    yield* results;
  }
}

export function resultsOf({ results }: Store, key: string): readonly Result[] {
  return results.get(key) ?? NO_RESULTS;
}

const NO_RESULTS: readonly Result[] = [];

export interface Lifetime {
  readonly fetchedAt: number;
  readonly expiresAt: number;
  /** The tick at which a read started or a write settled. Undefined for hydrated data. */
  readonly tick?: number | undefined;
  readonly isRepeat?: boolean | undefined;
  /**
   * Set if a cell expired early: reads that started before this tick do not renew it. The sweep keeps
   * the cell for its original lifetime.
   */
  readonly expiredIn?: number;
  readonly isBrief?: boolean;
}

export const NO_LIFETIME: Lifetime = { fetchedAt: 0, expiresAt: 0 };

/** True for a row without a response, or with responses that expire at once. */
export function isUnknown({ fetchedAt, expiresAt, expiredIn }: Lifetime): boolean {
  return !expiredIn && fetchedAt + expiresAt === 0;
}

/** If the clock was set back, a lifetime may start in the future. It then counts as expired. */
export function isWithin({ fetchedAt, expiresAt }: Lifetime, now: number): boolean {
  return fetchedAt <= now && now < expiresAt;
}

export const NO_FIELDS: readonly string[] = [];

/** Before the first response, other data can contain the row or list that the arguments name. */
export function contentOf({ status, start, named, value }: Result): unknown {
  return status === 'none' && start === 0 ? named : value;
}

export type ResponseInfo = Pick<Result, 'leftOut' | 'isFinal' | 'isUnread'>;

export function storeValue(
  store: Store,
  result: Result,
  start: number,
  value: unknown,
  lifetime: Lifetime,
  info: ResponseInfo,
): void {
  if (start < result.start) {
    return;
  }
  result.resume?.();
  const { fetchedAt, isBrief } = lifetime;
  // A request that started before the last expiry does not make the data fresh.
  const expiresAt = start < result.expiredIn ? 0 : lifetime.expiresAt;
  const isSame = result.status === 'value' && equal(result.value, value);
  // Readers are notified even of an equal response, because they may be waiting for it.
  changeResult(store, result, {
    ...info,
    ...NO_ERROR,
    status: 'value',
    value: isSame ? result.value : value,
    start,
    fetchedAt,
    isBrief,
    expiresAt,
    retry: NO_LIFETIME,
  });
}

export function storeError(
  store: Store,
  result: Result,
  start: number,
  error: Error,
  lifetime: Lifetime,
): void {
  if (start >= result.start) {
    const { fetchedAt, expiresAt } = lifetime;
    changeResult(store, result, { start, status: 'error', error, fetchedAt, expiresAt });
  }
}

/** Removes an outdated result, such as the error of a mutation that was repeated. */
export function forgetOlder(store: Store, result: Result, start: number): void {
  if (result.status !== 'none' && result.start <= start) {
    changeResult(store, result, { ...NOTHING, start: 0 });
  }
}

/** Readers keep their data. Without an `error`, no reader is notified. */
export function storeFailure(
  store: Store,
  result: Result,
  start: number,
  error: Error | undefined,
  lifetime: Lifetime,
): void {
  if (start < result.start) {
    return;
  }
  result.retry = lifetime;
  if (error) {
    changeResult(store, result, { error });
  }
}

/** Readers fetch again, and responses to requests in flight are ignored. */
export function invalidateResult(store: Store, result: Result): void {
  const tick = resume(store, result);
  changeResult(store, result, { ...NOTHING, ...EXPIRED, expiredIn: tick, start: tick });
}

export function forgetResult(store: Store, result: Result): void {
  changeResult(store, result, NOTHING);
}

/** Readers keep the value and fetch again. Responses to requests since tick `since` are fresh. */
export function expireResult(store: Store, result: Result, since: number = store.tick + 1): void {
  const tick = resume(store, result);
  if (!result.expiredIn || result.expiresAt > 0 || result.retry.expiresAt > 0) {
    result.newsIn = tick;
  }
  const expiredIn = Math.max(result.expiredIn, since);
  changeResult(store, result, { ...EXPIRED, expiredIn, isFinal: false });
}

/** Returns a new tick. Ends the pause that a reset with `refetch: false` began. */
function resume(store: Store, result: Result): number {
  store.tick += 1;
  if (result.resume) {
    result.newsIn = store.tick;
    result.resume();
  }
  return store.tick;
}

const EXPIRED = { retry: NO_LIFETIME, expiresAt: 0 };

function changeResult(store: Store, result: Result, changes: Partial<Result>): void {
  Object.assign(result, changes);
  store.observer?.result(result);
  notifyReaders(store, result);
}

export function notifyReaders(store: Store, { roots }: Result): void {
  for (const root of roots) {
    mark(store, root);
  }
}
