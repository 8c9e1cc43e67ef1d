/** The merges of issues: user code, so the model and the entities of the library use the same. */

export type Fields = Readonly<Record<string, unknown>>;

/** How fields come onto a row that exists. */
export type Merge = (existing: Fields, incoming: Fields) => Record<string, unknown>;

/** Fields over fields. */
export const overwrite: Merge = (existing, incoming) => ({ ...existing, ...incoming });

/** How the issues of a run are merged. */
export type Merging = 'plain' | 'titles' | 'counts';

/** Whether the incoming issue is older by what it says itself, whichever response it came in. */
export const countsLess = (existing: Fields, incoming: Fields): boolean =>
  Number(incoming['n']) < Number(existing['n']);

/** What `shouldReorder` by the count comes to. */
export const byCount: Merge = (existing, incoming) =>
  countsLess(existing, incoming) ? overwrite(incoming, existing) : overwrite(existing, incoming);

/** Titles are joined: neither commutative nor idempotent, so the order and the number of merges show. */
export const joinTitles: Merge = (existing, incoming) => {
  const merged = { ...existing, ...incoming };
  const { title: old } = existing;
  const { title: added } = incoming;
  return typeof old === 'string' && typeof added === 'string'
    ? { ...merged, title: (old + added).slice(-4) }
    : merged;
};

export const MERGES: Readonly<Record<Merging, Merge>> = {
  plain: overwrite,
  titles: joinTitles,
  counts: byCount,
};
