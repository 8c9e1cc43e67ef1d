import { onAbort, reasonOf } from '../errors/aborts.js';
import { isDevelopment } from '../errors/development.js';
import { sample } from '../errors/excerpt.js';
import { NetworkError } from '../errors/NetworkError.js';
import { SchemaError } from '../errors/SchemaError.js';
import type { EndpointInterface, ReadEndpoint } from './EndpointInterface.js';
import { isEntityClass, pkOfArgs } from '../schema/Entity.js';
import { readFieldsOf } from '../schema/keyFields.js';
import { pkText } from '../schema/referenceText.js';
import { sendsAlike } from '../schema/sameProcessing.js';
import { failTogether, type RetryOptions } from './retry.js';
import { validated, type Validator } from './validate.js';

/** The options of `batched`: the endpoint of several records, and the format of its calls. */
export interface BatchOptions<M extends EndpointInterface = EndpointInterface> {
  /** The endpoint that returns several records. */
  readonly many: M;
  /**
   * The parameter of `many` that receives the array of keys. A function returns the first argument
   * of `many` instead: `(ids) => ({ ids: ids.join() })`.
   */
  readonly param: string | ((keys: readonly unknown[]) => unknown);
  /** The maximum number of records in one request, at least 1. Default: 100. */
  readonly max?: number | undefined;
  /** Returns the records in a response of `many`. Default: the response, or its first array. */
  readonly rows?: ((response: Awaited<ReturnType<M>>) => readonly object[]) | undefined;
}

interface Called extends EndpointInterface {
  readonly $store?: object;
  readonly $repeated?: (() => void) | undefined;
  readonly retry?: number | RetryOptions | undefined;
  readonly requestInit?: RequestInit | undefined;
  readonly urlPrefix?: string;
  readonly service?: string | undefined;
  readonly scope?: string | undefined;
  readonly validate?: Validator;
  process?(value: unknown, ...args: readonly unknown[]): unknown;
}

interface Waiter {
  readonly endpoint: Called;
  readonly args: readonly unknown[];
  readonly signal: AbortSignal | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Asked {
  readonly key: unknown;
  readonly waiters: Waiter[];
}

interface Batch {
  readonly store: object;
  readonly endpoint: Called;
  readonly asked: Map<string, Asked>;
}

/** Options that `hookifyResource` sets. A request of `many` gets them from the single calls. */
const OF_USER = ['requestInit', 'scope'];

/**
 * Returns an endpoint of one record that sends its calls together. All calls before the next
 * microtask, such as the calls of one render, become one request of `many`. More than `max` records
 * need several requests.
 *
 * @remarks Only missing and stale records are requested. Each read keeps its own lifetime, error
 * and abort signal. If the response lacks a record, or has null in its place, only the readers of
 * that record receive a 404. A single call is sent unchanged.
 *
 * `process` and `validate` of the endpoint run for each record. The endpoint also provides
 * `scope`, `retry` and, if it has one, `requestInit`; `many` determines everything else about the
 * request. A failed batch is retried as one request.
 *
 * The path of the endpoint has one parameter: the primary key in an endpoint of `resource()`, else a
 * field of the records. Three kinds of calls are sent unchanged:
 * - calls with other arguments
 * - direct calls of the endpoint
 * - calls of an endpoint that `extend` made with another path, schema or headers
 *
 * Each controller has its own batches, so server-side rendering never joins the requests of two
 * users. With `hookifyResource`, each user has a separate request with the init of that user. For
 * this, `many` must have the same `requestInit` as the endpoint.
 *
 * @throws RangeError if `max` is not a number of at least 1.
 * @example
 * ```ts
 * import { batched, Entity, resource, RestEndpoint } from 'restitch';
 *
 * class User extends Entity {
 *   id = '';
 * }
 * const getMany = new RestEndpoint({
 *   path: '/users',
 *   searchParams: {} as { ids: readonly string[] },
 *   schema: [User],
 * });
 * const Users = resource({ path: '/users/:id', schema: User }).extend(({ get }) => ({
 *   get: batched(get, { many: getMany, param: 'ids' }),
 * }));
 * ```
 */
export function batched<E extends ReadEndpoint, M extends EndpointInterface>(
  get: E,
  options: BatchOptions<M>,
): E {
  const open = new Set<Batch>();
  const { max = 100, many } = options;
  // With a `max` of 0, `flush` would never end.
  if (typeof max !== 'number' || !(max >= 1)) {
    throw new RangeError(
      isDevelopment
        ? `${get.name}: \`max\` of \`batched\` is ${String(max)}. Set a number of at least 1, or Infinity.`
        : `${get.name}: max`,
    );
  }
  const shared: Called = many;
  const { requestInit, retry = shared.retry }: Called = get;
  const flush = (batch: Batch): void => {
    const asked = [...batch.asked.values()].filter(isWanted);
    open.delete(batch);
    for (let start = 0; start < asked.length; start += max) {
      void send(get, options, asked.slice(start, start + max));
    }
  };
  const batchOf = (store: object, endpoint: Called): Batch => {
    for (const batch of open) {
      if (batch.store === store && sendsAlike(batch.endpoint, endpoint)) {
        return batch;
      }
    }
    const batch = { store, endpoint, asked: new Map<string, Asked>() };
    open.add(batch);
    queueMicrotask(() => flush(batch));
    return batch;
  };
  // In a batch, the `requestInit` of a user would replace a different `requestInit` of `many`. In
  // this case, calls with the `requestInit` of a user are sent alone.
  const apart = 'getRequestInit' in many && requestInit === shared.requestInit ? OF_USER : [];
  function fetch(this: Called, ...args: readonly unknown[]): Promise<unknown> {
    const { $store: store, signal: given } = this;
    const key = onlyParam(args);
    const text = String(key);
    if (!store || key === undefined || !sendsAlike(this, result.$fixed ?? result, apart)) {
      return get.fetch.apply(this, [...args]);
    }
    const signal = typeof given === 'function' ? given() : given;
    return new Promise((resolve, reject) => {
      const { asked } = batchOf(store, this);
      const same = asked.get(text) ?? { key, waiters: [] };
      same.waiters.push({ endpoint: this, args, signal, resolve, reject });
      asked.set(text, same);
      if (signal) {
        onAbort(signal, () => reject(reasonOf(signal)));
      }
    });
  }
  const result = get.extend({ fetch, retry }) as E;
  return result;
}

function onlyParam([params, ...more]: readonly unknown[]): unknown {
  const given = Object.values(Object(params)).filter((value) => value !== undefined);
  return more.length === 0 && given.length === 1 ? given[0] : undefined;
}

const isWanted = ({ waiters }: Asked): boolean => waiters.some(({ signal }) => !signal?.aborted);

async function send(
  get: EndpointInterface,
  { many, param, rows = rowsIn }: BatchOptions,
  asked: readonly Asked[],
): Promise<void> {
  const all = asked.flatMap(({ waiters }) => waiters);
  const [first] = all;
  if (!first) {
    return;
  }
  const { endpoint, args } = first;
  try {
    if (all.length === 1) {
      first.resolve(await get.fetch.apply(endpoint, [...args]));
      return;
    }
    const keys = asked.map(({ key }) => key);
    const abort = new AbortController();
    for (const { signal } of all) {
      if (signal) {
        onAbort(signal, () => asked.some(isWanted) || abort.abort(reasonOf(signal)));
      }
    }
    const request = many.extend({
      signal: abort.signal,
      retry: endpoint.retry,
      $repeated: () => all.forEach((waiter) => waiter.endpoint.$repeated?.()),
      ...(endpoint.requestInit && { requestInit: endpoint.requestInit }),
      ...(endpoint.scope !== undefined && { scope: endpoint.scope }),
      // If getters compute `urlPrefix` or `service`, `many` uses the values of the single calls.
      ...(get.$fixed !== get &&
        many.$fixed !== many && { urlPrefix: endpoint.urlPrefix, service: endpoint.service }),
    }) as Called;
    const params = typeof param === 'function' ? param(keys) : { [param]: keys };
    const response: unknown = await request.fetch(params);
    const found: unknown = rows(response);
    if (!areRecords(found)) {
      throw notRecords(many, params, found);
    }
    resolveAll(get, many, asked, found);
  } catch (error) {
    failTogether(error);
    all.forEach(({ reject }) => reject(error));
  }
}

function resolveAll(
  get: EndpointInterface,
  many: EndpointInterface,
  asked: readonly Asked[],
  rows: readonly Row[],
): void {
  const [field = ''] = Object.keys(Object(asked[0]?.waiters[0]?.args[0]));
  // Some servers return null in place of a missing record.
  const found = new Map<string, object>();
  for (const row of rows) {
    if (row) {
      found.set(String(keyIn(get, row, field)), row);
    }
  }
  const valueOf = async (key: unknown, { endpoint, args }: Waiter): Promise<unknown> => {
    const row = found.get(String(key));
    if (!row) {
      const message = isDevelopment
        ? `${get.name}: the response of ${many.name} has no record whose ${field} is ${String(key)}.`
        : `${get.name}: 404 ${String(key)}`;
      throw new NetworkError(new Response(null, { status: 404 }), { message });
    }
    const value = await validated(row, endpoint.validate, endpoint.name);
    return endpoint.process ? endpoint.process(value, ...args) : value;
  };
  for (const { key, waiters } of asked) {
    for (const waiter of waiters) {
      valueOf(key, waiter).then(waiter.resolve, waiter.reject);
    }
  }
}

/** In `/users/:userId` of a resource, the parameter is the primary key, whatever its name. */
function keyIn({ schema, $row }: EndpointInterface, row: object, param: string): unknown {
  const parts = $row && isEntityClass(schema) ? [...readFieldsOf(schema)] : [];
  const value: unknown = Reflect.get(row, param);
  // `pk` can change the text of the parameter, as in `user-1`.
  const isNamed = parts.includes(param) && pkText(value) !== undefined;
  const pk = isEntityClass(schema) && parts.length === 1 && !isNamed && pkOfArgs(schema, [row]);
  return pk || value;
}

function rowsIn(response: unknown): readonly object[] {
  const candidates = [response, ...Object.values(Object(response))];
  // The cast: `areRecords` checks the value.
  return (candidates.find(Array.isArray) ?? response ?? []) as readonly object[];
}

type Row = object | null | undefined;

const areRecords = (rows: unknown): rows is readonly Row[] =>
  Array.isArray(rows) && rows.every(isRow);

const isRow = (value: unknown): value is Row => typeof value === 'object' || value === undefined;

function notRecords(many: EndpointInterface, params: unknown, found: unknown): SchemaError {
  return new SchemaError(
    'unexpected-shape',
    isDevelopment
      ? `${many.name}: the response to ${many.key(params)} should be an array of records, but ` +
          (Array.isArray(found)
            ? `an entry is ${sample(found.find((row) => !isRow(row)))}. `
            : `it is ${sample(found)}. `) +
          'If the records are in another place, return them in `rows` of `batched`.'
      : many.name,
  );
}
