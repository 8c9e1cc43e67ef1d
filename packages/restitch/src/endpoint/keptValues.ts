/**
 * Values that a function such as `conditional` keeps between requests, by key, in order of use.
 * Each store has its own values, so that no user receives the value of another user.
 */
export type KeptValues<V> = WeakMap<object, Map<string, V>>;

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
