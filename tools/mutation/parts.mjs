// @ts-check
/**
 * What is mutated, and the folders of tests that have to notice, the deadliest first: the first failure ends a run. A mutant
 * that survives costs all of its tests, so each part has those that are about it.
 *
 * @type {Record<string, { files: string, tests: readonly string[] }>}
 */
export const parts = {
  endpoint: {
    files: 'endpoint/**/*.ts',
    tests: ['endpoint', 'paging', 'controller', 'collections'],
  },
  schema: {
    files: 'schema/**/*.ts',
    tests: [
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
  },
  // The one order of what is written, see docs/how-it-works.md.
  order: {
    files: 'store/{journal,optimistic,lists}/*.ts',
    tests: ['model', 'races', 'collections', 'paging', 'store', 'regressions', 'state'],
  },
  // The rest of the store.
  store: {
    files: 'store/{cells,normalize,views,gc}/*.ts',
    tests: [
      'model',
      'races',
      'schema',
      'collections',
      'store',
      'regressions',
      'paging',
      'state',
      'controller',
      'memory',
      'managers',
    ],
  },
};

/** `MUTATION_PART` says which one; run.mjs sets it. */
export const part = process.env['MUTATION_PART'] ?? 'schema';
