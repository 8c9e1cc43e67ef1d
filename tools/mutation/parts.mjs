// @ts-check
/**
 * What is mutated, and the folders of tests that have to notice, the deadliest first: the first failure ends a run. A mutant
 * that survives costs all of its tests, so each part has those that are about it.
 *
 * @type {Record<string, readonly string[]>}
 */
export const parts = {
  endpoint: ['endpoint', 'paging', 'controller', 'collections'],
  schema: [
    'schema',
    'collections',
    'regressions',
    'paging',
    'store',
    'state',
    'races',
    'controller',
    'model',
  ],
  store: [
    'model',
    'races',
    'regressions',
    'schema',
    'collections',
    'store',
    'paging',
    'state',
    'controller',
    'memory',
    'managers',
  ],
};

/** `MUTATION_PART` says which one; run.mjs sets it. */
export const part = process.env['MUTATION_PART'] ?? 'store';
