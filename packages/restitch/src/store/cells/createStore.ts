import type { Store } from './Store.js';

/** What a store takes from its controller. */
interface StoreHost extends Pick<Store, 'report' | 'renew' | 'now'> {
  /** A number from 0 up to 1. */
  readonly random: () => number;
}

/** A store that knows nothing yet. */
export function createStore({ random, ...host }: StoreHost): Store {
  let seed = 0;
  return {
    get seed() {
      // Drawn at the first create: prerendering frameworks refuse a random value in a render. Nine digits, the first no zero.
      seed ||= 100_000_000 + Math.floor(random() * 900_000_000);
      return seed;
    },
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
    rebuild: 0,
    uses: 0,
    usedInSweep: undefined,
    ...host,
  };
}
