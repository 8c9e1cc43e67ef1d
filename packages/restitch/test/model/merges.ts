/** The merges of issues: user code, so the model and the entities of the library use the same. */

export type Fields = Readonly<Record<string, unknown>>;

/** How fields come onto a row that exists. */
export type Merge = (existing: Fields, incoming: Fields) => Record<string, unknown>;

/** Fields over fields. */
export const overwrite: Merge = (existing, incoming) => ({ ...existing, ...incoming });

/** Titles are joined: neither commutative nor idempotent, so the order and the number of merges show. */
export const joinTitles: Merge = (existing, incoming) => {
  const merged = { ...existing, ...incoming };
  const { title: old } = existing;
  const { title: added } = incoming;
  return typeof old === 'string' && typeof added === 'string'
    ? { ...merged, title: (old + added).slice(-4) }
    : merged;
};
