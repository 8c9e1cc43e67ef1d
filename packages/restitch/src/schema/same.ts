export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function own(source: object, key: string): unknown {
  return Object.hasOwn(source, key) ? (source as Record<string, unknown>)[key] : undefined;
}

export function fieldsWhere(
  record: object,
  test: (name: string, value: unknown) => boolean,
): Record<string, unknown> {
  const entries = Object.entries(record);
  // `fromEntries` defines properties, so a field named `__proto__` is ordinary data.
  return Object.fromEntries(entries.filter(([name, value]) => test(name, value)));
}

export function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) {
    return false;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export function sameFields(a: unknown, b: object): a is object {
  if (!isObject(a)) {
    return false;
  }
  // Optimization: a loop allocates no entries. This runs for thousands of objects after a change.
  for (const key in b) {
    const isSame = Object.hasOwn(a, key) && Object.is(Reflect.get(a, key), Reflect.get(b, key));
    if (!isSame && Object.hasOwn(b, key)) {
      return false;
    }
  }
  return Object.keys(a).length === Object.keys(b).length;
}

export function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

export function commonEnds(
  a: readonly unknown[],
  b: readonly unknown[],
): readonly [start: number, end: number] {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) {
    start += 1;
  }
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) {
    end += 1;
  }
  return [start, end];
}
