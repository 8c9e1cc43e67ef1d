/** The order of patches on one cell (a row or a list). */

/** What the model keeps of every request and write, for ever. Ticks come from one counter. */
export interface Ranked {
  readonly id: number;
  /** Undefined of a local write, and of what came with a page. */
  readonly request: unknown;
  readonly kind: 'read' | 'mutation';
  readonly start: number;
  /** Undefined while in flight. */
  readonly settle: number | undefined;
  /** It was in flight for longer than the limit: from then on it raises no other mutation. */
  readonly isStalled: boolean;
}

/** One patch (or list operation) on one cell. */
export interface Entry<P> {
  readonly by: Ranked;
  readonly what: P;
}

/**
 * Sorts the entries of one cell.
 *
 * Reads rank by start. A mutation ranks by the latest settle of itself and of every mutation *on this cell* that started before it, in
 * flight counting as infinity: so mutations keep their start order among themselves and stay above every read that began before they
 * got their responses. Stalled mutations count for themselves alone. Entries of one transaction keep their order. What `bySettle` picks of a
 * read ranks by its settle. `isSettled` leaves out what ranks above all responses that may arrive now. `startOf` is the start that counts.
 */
export function inRankOrder<P>(
  entries: readonly Entry<P>[],
  bySettle: (what: P) => boolean = () => false,
  isSettled = false,
  startOf: (entry: Entry<P>) => number = ({ by }) => by.start,
): readonly Entry<P>[] {
  const compare = (a: Entry<P>, b: Entry<P>): number =>
    startOf(a) - startOf(b) || a.by.start - b.by.start;
  const mutations = entries.filter(({ by }) => by.kind === 'mutation');
  const rankOf = (entry: Entry<P>): number => {
    const { by, what } = entry;
    if (by.kind === 'read') return bySettle(what) ? (by.settle ?? Infinity) : by.start;
    const raises = (other: Entry<P>): boolean =>
      other.by === by || (compare(other, entry) < 0 && !other.by.isStalled);
    return Math.max(...mutations.filter(raises).map((other) => other.by.settle ?? Infinity));
  };
  const keyed = entries.map((entry, index) => ({ entry, index, rank: rankOf(entry) }));
  keyed.sort((a, b) => {
    if (a.rank !== b.rank) return a.rank < b.rank ? -1 : 1;
    return compare(a.entry, b.entry) || a.index - b.index;
  });
  const counted = isSettled ? keyed.filter(({ rank }) => rank < Infinity) : keyed;
  return counted.map(({ entry }) => entry);
}
