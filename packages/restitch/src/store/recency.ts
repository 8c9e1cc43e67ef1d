/** How many buckets the items are spread over. */
const BUCKETS = 256;

/**
 * Gives items in the order of their last use, the most recent first, with an `undefined` now and then where the caller may
 * pause: sorting many at once would take too long. Of equal ones the last comes first: what a row contains before the row.
 */
export function* mostRecentFirst<T extends { readonly usedIn: number }>(
  items: readonly T[],
): Generator<T | undefined, void, undefined> {
  let oldest = Infinity;
  let newest = 0;
  for (const { usedIn } of items) {
    oldest = Math.min(oldest, usedIn);
    newest = Math.max(newest, usedIn);
    yield undefined;
  }
  const width = (newest - oldest + 1) / BUCKETS;
  const buckets: T[][] = Array.from({ length: BUCKETS }, () => []);
  for (const item of items) {
    buckets[Math.floor((item.usedIn - oldest) / width)]?.push(item);
    yield undefined;
  }
  for (let bucket = buckets.pop(); bucket; bucket = buckets.pop()) {
    yield* bucket.reverse().sort((a, b) => b.usedIn - a.usedIn);
  }
}
