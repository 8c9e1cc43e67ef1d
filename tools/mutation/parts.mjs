// @ts-check
/**
 * The mutated files, and the folders of tests that have to fail, the deadliest first: the first failure ends a run. A mutant
 * that survives costs all of its tests, so each part has those that are about it.
 *
 * @type {Record<string, { files: string, tests: readonly string[] }>}
 */
export const parts = {
  endpoint: {
    files: 'endpoint/**/*.ts',
    tests: ['endpoint', 'paging', 'controller', 'lists'],
  },
  schema: {
    files: 'schema/**/*.ts',
    tests: [
      'schema',
      'lists',
      'reading',
      'identity',
      'paging',
      'store',
      'hydration',
      'ordering',
      'optimistic',
      'controller',
      'model',
    ],
  },
  // The one order of what is written, see docs/how-it-works.md.
  order: {
    files: 'store/{journal,optimistic,lists}/*.ts',
    tests: [
      'model',
      'ordering',
      'optimistic',
      'lists',
      'paging',
      'store',
      'reading',
      'identity',
      'hydration',
    ],
  },
  // The rest of the store.
  store: {
    files: 'store/{cells,normalize,views,gc}/*.ts',
    tests: [
      'model',
      'ordering',
      'optimistic',
      'schema',
      'lists',
      'store',
      'reading',
      'identity',
      'paging',
      'hydration',
      'controller',
      'gc',
      'managers',
    ],
  },
};

/** `MUTATION_PART` says which one; run.mjs sets it. */
export const part = process.env['MUTATION_PART'] ?? 'schema';
