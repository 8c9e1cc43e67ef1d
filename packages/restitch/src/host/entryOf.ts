interface Entries<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

export function entryOf<Key, Value>(
  entries: Entries<Key, Value>,
  key: Key,
  create: () => Value,
): Value {
  let value = entries.get(key);
  if (value === undefined) {
    value = create();
    entries.set(key, value);
  }
  return value;
}
