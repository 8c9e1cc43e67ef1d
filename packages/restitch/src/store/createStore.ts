import type { Store } from './state.js';

/** A store that knows nothing yet. */
export function createStore(
  host: Pick<Store, 'history' | 'report' | 'renew' | 'now' | 'seed'>,
): Store {
  return {
    tick: 0,
    rows: new Map(),
    lists: new Map(),
    log: [],
    results: new Map(),
    reads: new Set(),
    mutations: new Set(),
    late: new Map(),
    unfolded: new Set(),
    touched: new Map(),
    changedTables: new Set(),
    notify: new Set(),
    broken: new WeakSet(),
    watchers: new Map(),
    hasSettled: false,
    hasFoldable: false,
    oldestRead: Infinity,
    oldestMutation: Infinity,
    moved: new Map(),
    layers: new Set(),
    doubted: new Map(),
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
