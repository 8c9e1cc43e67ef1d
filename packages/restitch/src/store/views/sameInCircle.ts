import { isPlain } from '../../schema/same.js';

/**
 * Returns true if two built values are equal. The map contains the previous value of each new one
 * in a cycle.
 */
export function sameBut(
  previous: ReadonlyMap<unknown, unknown>,
  before: unknown,
  after: unknown,
): boolean {
  const same = (a: unknown, b: unknown): boolean =>
    Object.is(a, b) ||
    (previous.has(b) && previous.get(b) === a) ||
    // Lists, maps and plain objects between the rows.
    (((Array.isArray(a) && Array.isArray(b)) || (isPlain(a) && isPlain(b))) &&
      sameAll(Object.entries(a), Object.entries(b), same));
  return typeof before !== 'object' || typeof after !== 'object' || !before || !after
    ? before === after
    : sameAll(Object.entries(before), Object.entries(after), same);
}

function sameAll(
  a: readonly [string, unknown][],
  b: readonly [string, unknown][],
  same: (a: unknown, b: unknown) => boolean,
): boolean {
  const fields = new Map(a);
  return (
    a.length === b.length &&
    b.every(([key, value]) => fields.has(key) && same(fields.get(key), value))
  );
}
