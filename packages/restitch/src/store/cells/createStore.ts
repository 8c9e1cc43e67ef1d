import type { Store } from './Store.js';

/** What a store takes from its controller. */
type StoreHost = Pick<Store, 'report' | 'renew' | 'now' | 'random'>;

/**
 * A store that knows nothing yet. A literal without accessors and spreads: with them each store would have a shape of its own to the
 * engine, and all code that reads one would be compiled again for the next.
 */
export function createStore({ now, random, renew, report }: StoreHost): Store {
  return {
    seed: 0,
    tick: 0,
    rows: new Map(),
    lists: new Map(),
    log: new Set(),
    results: new Map(),
    reads: new Set(),
    mutations: new Set(),
    stalled: new Set(),
    unfolded: new Set(),
    touched: new Map(),
    changedTables: new Set(),
    notify: new Set(),
    broken: new WeakSet(),
    watchers: new Map(),
    hasSettled: false,
    moved: new Map(),
    layers: new Set(),
    outOfOrder: new Map(),
    outOfOrderUntilQuiet: new Map(),
    named: new Map(),
    unnamed: new Map(),
    hydrated: undefined,
    rendering: undefined,
    outdated: new Set(),
    depth: 0,
    finder: undefined,
    rebuild: 0,
    uses: 0,
    usedInSweep: undefined,
    now,
    random,
    renew,
    report,
  };
}
