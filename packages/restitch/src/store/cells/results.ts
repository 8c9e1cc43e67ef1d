import { isDevelopment } from '../../errors/development.js';
import { RestitchError } from '../../errors/RestitchError.js';
import { type Identified, readableText } from '../../schema/identity.js';
import { sameSchema } from '../../schema/sameSchema.js';
import { shapeOf } from '../../schema/shape.js';
import type { Shape } from '../../schema/shapes.js';
import { NO_FIELDS } from '../views/missingFields.js';
import { mark } from '../views/nodes.js';
import { equal } from './plainValues.js';
import type { Result } from './Result.js';
import type { Root } from '../views/Node.js';
import type { Store } from './Store.js';

/** What asks: its schema, and what else it makes of a response. */
export interface Asker extends Identified {
  readonly name: string;
  readonly urlPrefix?: string | undefined;
  readonly schema?: unknown;
}

/** More ways to read one key than a program declares: an endpoint that each render makes anew would be asked without end. */
const MOST_WAYS = 50;

/**
 * The register of one question. Endpoints that make something else of a response have registers of their own, though their keys
 * are equal: what one normalized the other cannot read. `names` makes the function that says what the question names in the
 * store.
 */
export function resultFor(
  store: Store,
  key: string,
  endpoint: Asker,
  names: (shape: Shape) => () => unknown,
): Result {
  store.uses += 1;
  const { schema } = endpoint;
  const first = store.results.get(key);
  let last = first;
  let ways = 0;
  for (let result = first; result; result = result.next) {
    if (
      (result.endpoint === endpoint || (endpoint['~readsAlike']?.(result.endpoint) ?? true)) &&
      sameSchema(result.schema, schema)
    ) {
      result.usedIn = store.uses;
      return result;
    }
    last = result;
    ways += 1;
  }
  if (ways >= MOST_WAYS) {
    throw new RestitchError(
      'too-many-endpoints',
      isDevelopment
        ? `${endpoint.name}: ${ways} endpoints ask for ${readableText(key)}, each with functions or a schema of its own. ` +
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
    failedAt: 0,
    retryAt: 0,
    newsIn: 0,
    leftOut: undefined,
    isFinal: false,
    isUnread: false,
    fetchedAt: 0,
    expiresAt: 0,
    resume: undefined,
    usedIn: store.uses,
    names: names(shape),
    roots: NO_ROOTS,
    next: undefined,
  };
  if (last) {
    last.next = created;
  } else {
    store.results.set(key, created);
  }
  store.hydrated?.takeAnswer(created);
  return created;
}

const NO_ROOTS: readonly Root[] = [];

const NOTHING = {
  status: 'none',
  value: undefined,
  error: undefined,
  unreadable: undefined,
} as const;

/** Forgets a register: whoever asks again gets a new one, as if the question had never been asked. */
export function removeResult(store: Store, result: Result): void {
  const { key, next } = result;
  const first = store.results.get(key);
  if (first === result) {
    if (next) {
      store.results.set(key, next);
    } else {
      store.results.delete(key);
    }
    return;
  }
  for (let before = first; before; before = before.next) {
    if (before.next === result) {
      before.next = next;
    }
  }
}

/** Every register; one that is added meanwhile is given too. */
export function* resultsIn(store: Store): IterableIterator<Result> {
  for (const key of store.results.keys()) {
    yield* resultsOf(store, key);
  }
}

/** Every register of one key. */
export function* resultsOf(store: Store, key: string): IterableIterator<Result> {
  for (let result = store.results.get(key); result; result = result.next) {
    yield result;
  }
}

/** When an answer came and how long it counts as fresh. */
export interface Lifetime {
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** The response came to an automatic repeat. */
  readonly isRepeat?: boolean;
  /** A hydrated row that lacks a value of its response: results that lead to it are fetched again. */
  readonly isIncomplete?: boolean;
}

/** Whether a time lies within a lifetime. One that begins in the future was noted before the clock was set back: it has ended. */
export function isWithin({ fetchedAt, expiresAt }: Lifetime, now: number): boolean {
  return fetchedAt <= now && now < expiresAt;
}

/** What the stored response left out of its records, if there is one. */
export function leftOutOf({ status, leftOut }: Result): readonly string[] | undefined {
  return status === 'value' ? leftOut : NO_FIELDS;
}

/** What a result says of its response. */
export type ResponseInfo = Pick<Result, 'leftOut' | 'isFinal' | 'isUnread'>;

const HYDRATED: ResponseInfo = { leftOut: undefined, isFinal: false, isUnread: false };

/** Registers an answer, unless a request that started later has been answered. An equal one keeps the value's identity. */
export function registerValue(
  store: Store,
  result: Result,
  start: number,
  value: unknown,
  lifetime: Lifetime,
  info: ResponseInfo = HYDRATED,
): void {
  if (start < result.start) {
    return;
  }
  Object.assign(result, info);
  result.resume?.();
  result.start = start;
  result.error = undefined;
  result.unreadable = undefined;
  result.retryAt = 0;
  result.fetchedAt = lifetime.fetchedAt;
  // A request that began before the data was expired by hand does not make it fresh.
  result.expiresAt = start < result.expiredIn ? 0 : lifetime.expiresAt;
  if (result.status !== 'value' || !equal(result.value, value)) {
    result.status = 'value';
    result.value = value;
  }
  // An equal one too: it may end that its readers wait.
  markResult(store, result);
}

/** Registers an error in place of an answer, unless a request that started later has been answered. */
export function registerError(
  store: Store,
  result: Result,
  start: number,
  error: Error,
  lifetime: Lifetime,
): void {
  if (start < result.start) {
    return;
  }
  result.start = start;
  result.status = 'error';
  result.error = error;
  result.fetchedAt = lifetime.fetchedAt;
  result.expiresAt = lifetime.expiresAt;
  markResult(store, result);
}

/** Forgets the error of a mutation that was repeated or has succeeded since: nothing else is registered of one. */
export function forgetError(store: Store, result: Result, start: number): void {
  if (result.status === 'error' && result.start <= start) {
    result.start = 0;
    forgetResult(store, result);
  }
}

/**
 * Notes that a refresh failed while readers keep their data: until `retryAt` they do not ask again. Without an `error` there
 * is nothing to show.
 */
export function registerFailure(
  store: Store,
  result: Result,
  start: number,
  error: Error | undefined,
  { fetchedAt, expiresAt }: Lifetime,
): void {
  if (start < result.start) {
    return;
  }
  result.failedAt = fetchedAt;
  result.retryAt = expiresAt;
  if (error) {
    result.error = error;
    markResult(store, result);
  }
}

/** Takes an answer away: readers have to fetch, and what is in flight does not count. */
export function invalidateResult(store: Store, result: Result): void {
  store.tick += 1;
  resume(store, result);
  const { tick } = store;
  Object.assign(result, NOTHING, { start: tick, expiredIn: tick, retryAt: 0, expiresAt: 0 });
  markResult(store, result);
}

/** Lets go of an answer that nobody reads. */
export function forgetResult(store: Store, result: Result): void {
  Object.assign(result, NOTHING);
  markResult(store, result);
}

/** Ends the lifetime of an answer: readers keep it and fetch again. What was asked for after the tick `since` counts as fresh. */
export function expireResult(store: Store, result: Result, since: number = store.tick + 1): void {
  store.tick += 1;
  resume(store, result);
  result.expiredIn = Math.max(result.expiredIn, since);
  if (result.expiresAt > 0 || result.retryAt > 0) {
    result.newsIn = store.tick;
  }
  result.isFinal = false;
  result.retryAt = 0;
  result.expiresAt = 0;
  markResult(store, result);
}

/** Readers that wait for the application may ask now: to them it is news, although they are shown the same. */
function resume({ tick }: Store, result: Result): void {
  if (result.resume) {
    result.newsIn = tick;
    result.resume();
  }
}

function markResult(store: Store, result: Result): void {
  for (const root of result.roots) {
    mark(store, root);
  }
}
