/**
 * Warnings for names that are probably misspelled. Call these functions in development only, behind
 * this expression, so that production bundles drop them: `if (typeof process === 'undefined' ?
 * false : process.env.NODE_ENV !== 'production') …`.
 */

const warned = new Set<string>();

export function warnMisspelled(
  owner: string,
  names: Iterable<string>,
  known: readonly string[],
  isKnown: (name: string) => boolean = () => false,
): void {
  for (const name of names) {
    if (!known.includes(name) && !isKnown(name)) {
      const meant = known.find((other) => isNear(name, other));
      if (meant !== undefined)
        warnOnce(`${owner}: \`${name}\` is unknown. Did you mean \`${meant}\`?`);
    }
  }
}

export function warnOnce(message: string): void {
  if (warned.has(message)) return;
  warned.add(message);
  // oxlint-disable-next-line eslint/no-console -- a mistake in the definition
  console.warn(message);
}

/** For short names, the limit is lower, because many short names differ by only two edits. */
const editsIn = ({ length }: string): number => (length > 5 ? 2 : 1);

/** Optimization: the distance is at least the difference in length, so most names are skipped. */
const isNear = (name: string, other: string): boolean =>
  Math.abs(name.length - other.length) <= editsIn(other) &&
  editsBetween(name, other) <= editsIn(other);

/**
 * The restricted Damerau-Levenshtein distance:
 * https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance
 */
export function editsBetween(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      next.push(
        Math.min(
          at(last, column) + 1,
          at(next, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isSwap ? at(beforeLast, column - 2) + 1 : Infinity,
        ),
      );
    }
    beforeLast = last;
    last = next;
  }
  return at(last, b.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Infinity;
