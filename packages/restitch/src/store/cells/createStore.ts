import type { Store } from './Store.js';

type StoreHost = Pick<Store, 'report' | 'now' | 'random'>;

/** Optimization: a literal without spreads gives all new stores one hidden class in the engine. */
export function createStore({ now, random, report }: StoreHost, renew: Store['renew']): Store {
  return {
    seed: 0,
    tick: 0,
    rows: new Map(),
    lists: new Map(),
    log: new Set(),
    results: new Map(),
    inFlight: new Set(),
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
    depth: 0,
    rebuild: 0,
    uses: 0,
    now,
    random,
    renew,
    report,
  };
}
