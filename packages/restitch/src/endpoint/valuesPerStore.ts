/**
 * Values that a function such as `conditional` keeps between requests, by key, in order of use.
 * Each store has its own values, so that no user receives the value of another user.
 */
export type KeptValues<V> = WeakMap<object, Map<string, V>>;

/** By the signal of a request: what is kept if its response is stored, for each function. */
const waiting = new WeakMap<AbortSignal, Map<object, () => void>>();

/** The part of an endpoint that identifies a request of a controller. */
export interface Requested {
  readonly signal?: AbortSignal | (() => AbortSignal | undefined) | undefined;
}

/**
 * Calls `then` once the response to the request of an endpoint is stored. A response that is
 * rejected, by the server or by the schema, must leave no trace in kept values: what is kept
 * describes what the store has.
 *
 * @param owner The function that keeps values. Its last call for one request counts.
 */
export function onceStored({ signal: given }: Requested, owner: object, then: () => void): void {
  const signal = typeof given === 'function' ? given() : given;
  if (signal) {
    const known = waiting.get(signal) ?? new Map<object, () => void>();
    waiting.set(signal, known.set(owner, then));
  }
}

/** The option of an endpoint that calls what `onceStored` received. */
export const STORED = {
  '~stored': (signal: AbortSignal): void => waiting.get(signal)?.forEach((then) => then()),
};

/** Returns the values of a store. */
export function keptIn<V>(stores: KeptValues<V>, store: object): Map<string, V> {
  const values = stores.get(store) ?? new Map<string, V>();
  stores.set(store, values);
  return values;
}

/**
 * Keeps a value as the most recently used one. At most `max` values stay. Undefined removes a
 * value.
 */
export function keep<V>(
  values: Map<string, V>,
  key: string,
  value: V | undefined,
  max: number,
): void {
  values.delete(key);
  if (value === undefined) {
    return;
  }
  values.set(key, value);
  for (const oldest of values.keys()) {
    if (values.size > max) {
      values.delete(oldest);
    }
  }
}
