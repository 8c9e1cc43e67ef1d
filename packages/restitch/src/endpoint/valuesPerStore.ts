/**
 * Values that a function such as `conditional` keeps between requests, least recently used first.
 * Each store has its own values, so that no user receives the value of another user.
 */
export type KeptValues<V> = WeakMap<object, Map<string, V>>;

/** The callbacks of `onceStored`, by the signal of the request and by the owner. */
const waiting = new WeakMap<AbortSignal, Map<object, () => void>>();

export interface Requested {
  readonly signal?: AbortSignal | (() => AbortSignal | undefined) | undefined;
}

/** Calls `then` after the response is stored, because kept values must match the stored data. */
export function onceStored(request: Requested, owner: object, then: () => void): void {
  const signal = signalOf(request);
  if (signal) {
    const known = waiting.get(signal) ?? new Map<object, () => void>();
    waiting.set(signal, known.set(owner, then));
  }
}

export function signalOf({ signal }: Requested): AbortSignal | undefined {
  return typeof signal === 'function' ? signal() : signal;
}

export const STORED = {
  $stored: (signal: AbortSignal): void => waiting.get(signal)?.forEach((then) => then()),
};

export function keptIn<V>(stores: KeptValues<V>, store: object): Map<string, V> {
  const values = stores.get(store) ?? new Map<string, V>();
  stores.set(store, values);
  return values;
}

/** Endpoints with equal cache keys share no value if they send or process data differently. */
export function keyFor<E extends object>(
  values: ReadonlyMap<string, { readonly endpoint: E }>,
  key: string,
  endpoint: E,
  isAlike: (a: E, b: E) => boolean,
  way: number = 0,
): string {
  const own = `${way} ${key}`;
  const kept = values.get(own);
  return !kept || isAlike(endpoint, kept.endpoint)
    ? own
    : keyFor(values, key, endpoint, isAlike, way + 1);
}

/** Keeps the `max` most recently used values. Undefined removes a value. */
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
