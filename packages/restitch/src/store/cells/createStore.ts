import type { Store } from './Store.js';

/** The part of a store that its controller provides. */
type StoreHost = Pick<Store, 'report' | 'now' | 'random'>;

/**
 * Optimization: a literal without accessors and spreads gives all stores the same hidden class, so
 * code that reads a store is compiled for only one class.
 */
export function createStore({ now, random, report }: StoreHost, renew: Store['renew']): Store {
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
    selections: undefined,
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
    observer: undefined,
    rendering: undefined,
    depth: 0,
    reading: undefined,
    rebuild: 0,
    uses: 0,
    usedInSweep: undefined,
    now,
    random,
    renew,
    report,
  };
}
