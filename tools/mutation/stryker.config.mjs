// @ts-check
import { part, parts } from './parts.mjs';

const cache = `tools/mutation/.cache/${part}`;

/**
 * Mutation testing of the core: see RESULTS.md.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: [`packages/restitch/src/${parts[part]?.files}`],
  plugins: ['@stryker-mutator/vitest-runner', './tools/mutation/messages.mjs'],
  ignorers: ['messages'],
  // Code that runs while modules load has no tests of its own: each such mutant would need all of them.
  ignoreStatic: true,
  testRunner: 'vitest',
  // Tests know the library by its public name, which Stryker does not follow.
  vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  // One module instead of a hundred to load for each mutant.
  buildCommand:
    'esbuild packages/restitch/src/index.ts --bundle --format=esm --packages=external --keep-names ' +
    '--outfile=packages/restitch/dist/index.js --log-level=warning',
  // There is no TypeScript compiler that Stryker could read a configuration with, and none is needed.
  tsconfigFile: 'none.json',
  ignorePatterns: [
    '**',
    '!package.json',
    '!tsconfig*.json',
    '!packages/restitch/**',
    '!tools/mutation/*.{ts,mjs}',
    '**/dist',
  ],
  concurrency: 2,
  timeoutMS: 10_000,
  timeoutFactor: 1.5,
  // Results are kept: a run tests only new or changed mutants.
  incremental: true,
  incrementalFile: `${cache}/results.json`,
  tempDirName: `${cache}/sandboxes`,
  reporters: ['clear-text', 'progress-append-only', 'json', 'html'],
  clearTextReporter: { logTests: false, reportTests: false, allowEmojis: false },
  jsonReporter: { fileName: `${cache}/report.json` },
  htmlReporter: { fileName: `${cache}/report.html` },
  allowConsoleColors: false,
};
