/** A parameter of the call replaces one of the config. */
export function joinParams(configured: unknown, search: object): object | undefined {
  const entries = Object.entries(search);
  if (entries.length === 0)
    return Object(configured) === configured ? Object(configured) : undefined;
  if (!(configured instanceof URLSearchParams)) return { ...Object(configured), ...search };
  const joined = new URLSearchParams(configured);
  for (const [name, value] of entries) {
    joined.delete(name);
    for (const item of [value].flat()) if (item != null) joined.append(name, String(item));
  }
  return joined;
}

/** Returns parameters as an object. A repeated parameter becomes an array. */
export function namedParams(params: unknown): object {
  if (!(params instanceof URLSearchParams)) return Object(params);
  return Object.fromEntries(
    Array.from(params.keys(), (name) => {
      const all = params.getAll(name);
      return [name, all.length > 1 ? all : all[0]];
    }),
  );
}

export const isPlain = (value: unknown): value is object =>
  typeof value === 'object' &&
  [Object.prototype, null].includes(Object.getPrototypeOf(Object(value)) as null);
