export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is an object literal or what JSON makes: not an array, not an instance of a class. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) {
    return false;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether two objects have identical values under the same names. */
export function sameShown(a: unknown, b: object): a is object {
  if (!isObject(a)) {
    return false;
  }
  // A loop rather than entries: a record that thousands share changes them all, and each is compared.
  for (const key in b) {
    const isSame = Object.hasOwn(a, key) && Object.is(Reflect.get(a, key), Reflect.get(b, key));
    if (!isSame && Object.hasOwn(b, key)) {
      return false;
    }
  }
  return Object.keys(a).length === Object.keys(b).length;
}

/** Whether two arrays hold identical items. */
export function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

/** How many items two arrays have in common at their start, and how many more at their end. */
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
