import { onAbort, reasonOf } from '../errors/aborts.js';
import { isDevelopment } from '../errors/development.js';
import { NetworkError } from '../errors/NetworkError.js';
import type { EndpointInterface, ReadEndpoint } from './EndpointInterface.js';

/** The options of `batched`. */
export interface BatchOptions<M extends EndpointInterface = EndpointInterface> {
  /** The endpoint that returns several records. */
  readonly many: M;
  /**
   * The parameter of `many` that receives the array of keys, or a function that returns the first
   * argument of `many`, for example `(ids) => ({ ids: ids.join() })`.
   */
  readonly param: string | ((keys: readonly unknown[]) => unknown);
  /** The maximum number of records in one request. Default: 100. */
  readonly max?: number | undefined;
  /** Returns the records in a response of `many`. Default: the response, or its first array. */
  readonly rows?: ((response: Awaited<ReturnType<M>>) => readonly object[]) | undefined;
}

/** A call that waits for the others of its tick, and then for their response. */
interface Waiter {
  /** The endpoint as the controller calls it. */
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly signal: AbortSignal | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The calls for one record. */
interface Asked {
  readonly key: unknown;
  readonly waiters: Waiter[];
}

/**
 * Returns the endpoint of one record with reads that are sent together: the calls of one tick become
 * one request of `many`, or several with at most `max` records each.
 *
 * @remarks Only what is missing or stale is requested, because other reads send nothing. Each read
 * keeps its own freshness, error and abort. A record that the response lacks is a 404 for its own
 * reader. A single call is sent as it is.
 *
 * The path of the endpoint has one parameter, which is also a field of the records. Calls with other
 * arguments, and direct calls of the endpoint, are sent as they are. Each controller has its own
 * batches, so a server never mixes the requests of two users.
 *
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
  /** The calls of the running tick, by controller and by the text of their key. */
  const open = new Map<object, Map<string, Asked>>();
  const { max = 100 } = options;
  const flush = (store: object): void => {
    const asked = [...(open.get(store)?.values() ?? [])].filter(isWanted);
    open.delete(store);
    for (let start = 0; start < asked.length; start += max) {
      void send(get, options, asked.slice(start, start + max));
    }
  };
  const add = (store: object, key: unknown, waiter: Waiter): void => {
    const batch = open.get(store) ?? new Map<string, Asked>();
    if (batch.size === 0) {
      open.set(store, batch);
      queueMicrotask(() => flush(store));
    }
    const asked = batch.get(String(key)) ?? { key, waiters: [] };
    asked.waiters.push(waiter);
    batch.set(String(key), asked);
  };
  function fetch(
    this: EndpointInterface & { readonly '~store'?: object },
    ...args: readonly unknown[]
  ): Promise<unknown> {
    const { '~store': store, signal: given } = this;
    const key = keyIn(args);
    if (!store || key === undefined) {
      return get.fetch.apply(this, [...args]);
    }
    const signal = typeof given === 'function' ? given() : given;
    return new Promise((resolve, reject) => {
      add(store, key, { endpoint: this, args, signal, resolve, reject });
      if (signal) {
        onAbort(signal, () => reject(reasonOf(signal)));
      }
    });
  }
  // The cast: `extend` returns the same endpoint with other options.
  return get.extend({ fetch }) as E;
}

/** Returns the only argument of a call, or undefined if there is another one. */
function keyIn([params, ...more]: readonly unknown[]): unknown {
  const given = Object.values(Object(params)).filter((value) => value !== undefined);
  return more.length === 0 && given.length === 1 ? given[0] : undefined;
}

const isWanted = ({ waiters }: Asked): boolean => waiters.some(({ signal }) => !signal?.aborted);

/** Sends one request, and gives each call its own record. */
async function send(
  get: EndpointInterface,
  { many, param, rows = rowsIn }: BatchOptions,
  asked: readonly Asked[],
): Promise<void> {
  const all = asked.flatMap(({ waiters }) => waiters);
  const [only] = all;
  try {
    if (only && all.length === 1) {
      only.resolve(await get.fetch.apply(only.endpoint, [...only.args]));
      return;
    }
    const keys = asked.map(({ key }) => key);
    const abort = new AbortController();
    for (const { signal } of all) {
      // The request ends when no call waits for it any more.
      if (signal) {
        onAbort(signal, () => asked.some(isWanted) || abort.abort(reasonOf(signal)));
      }
    }
    // The cast: `extend` returns the same endpoint with other options.
    const request = many.extend({ signal: abort.signal }) as EndpointInterface;
    const response: unknown = await request.fetch(
      typeof param === 'function' ? param(keys) : { [param]: keys },
    );
    give(get, many, asked, rows(response));
  } catch (error) {
    all.forEach(({ reject }) => reject(error));
  }
}

/** Resolves each call with its own record. A call without one fails as if it had been sent alone. */
function give(
  get: EndpointInterface,
  many: EndpointInterface,
  asked: readonly Asked[],
  rows: readonly object[],
): void {
  const field = Object.keys(Object(asked[0]?.waiters[0]?.args[0]))[0] ?? '';
  const found = new Map(rows.map((row) => [String(Reflect.get(row, field)), row]));
  for (const { key, waiters } of asked) {
    const row = found.get(String(key));
    for (const { resolve, reject } of waiters) {
      if (row) {
        resolve(row);
      } else {
        const message = isDevelopment
          ? `${get.name}: the response of ${many.name} has no record whose ${field} is ${String(key)}.`
          : `${get.name}: 404 ${String(key)}`;
        reject(new NetworkError(new Response(null, { status: 404 }), { message }));
      }
    }
  }
}

/** Returns the records in a response: itself, or the first array in it. */
function rowsIn(response: unknown): readonly object[] {
  const candidates = [response, ...Object.values(Object(response))];
  // The cast: the records of a response are objects.
  return (candidates.find(Array.isArray) ?? []) as readonly object[];
}
