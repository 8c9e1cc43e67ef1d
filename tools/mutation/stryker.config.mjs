// @ts-check
/**
 * Mutation testing of the core: see RESULTS.md.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: ['packages/restitch/src/{endpoint,schema,store}/**/*.ts'],
  plugins: ['@stryker-mutator/vitest-runner', './tools/mutation/messages.mjs'],
  ignorers: ['messages'],
  // Code that runs while modules load has no tests of its own: each such mutant would need all of them.
  ignoreStatic: true,
  testRunner: 'vitest',
  // Tests know the library by its public name, which Stryker does not follow.
  vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  // There is no TypeScript compiler that Stryker could read a configuration with, and none is needed.
  tsconfigFile: 'none.json',
  ignorePatterns: [
    '**',
    '!package.json',
    '!tsconfig*.json',
    '!packages/restitch/**',
    '!tools/mutation/*.ts',
    '**/dist',
  ],
  concurrency: 2,
  timeoutMS: 2_000,
  timeoutFactor: 2,
  // What was found is kept: a run tests only what is new or has changed.
  incremental: true,
  incrementalFile: 'tools/mutation/.cache/results.json',
  tempDirName: 'tools/mutation/.cache/sandboxes',
  reporters: ['clear-text', 'progress-append-only', 'json', 'html'],
  clearTextReporter: { logTests: false, reportTests: false, allowEmojis: false },
  jsonReporter: { fileName: 'tools/mutation/.cache/report.json' },
  htmlReporter: { fileName: 'tools/mutation/.cache/report.html' },
  allowConsoleColors: false,
};
