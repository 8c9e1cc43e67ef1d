/** The tests that are run on each mutant of the core: those in Node that are quick. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { keptWorker } from './keptWorker.js';
import { part, parts } from './parts.mjs';

// Stryker runs this on a copy of the repository.
const root = fileURLToPath(new URL('../..', import.meta.url));
// Not `restitch-source`: see `buildCommand` of stryker.config.mjs.
const conditions = ['module', 'node', 'development|production'];
const folders = parts[part]?.tests ?? [];

class DeadliestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number =>
      folders.findIndex((folder) => moduleId.includes(`/test/${folder}/`));
    return Promise.resolve(files.toSorted((a, b) => place(a) - place(b)));
  }
}

export default defineConfig({
  root,
  plugins: [
    {
      name: 'kept-worker',
      // Stryker sets the pool, so that an option would not do.
      configureVitest({ project }) {
        Object.assign(project.config, { pool: keptWorker.name, poolRunner: keptWorker });
      },
    },
  ],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: 'mutation',
    tags: [{ name: 'scale', timeout: 60_000 }],
    include: folders.map((folder) => `packages/restitch/test/${folder}/*.test.ts`),
    exclude: [
      '**/*.{dom,browser}.test.ts',
      '**/*.property.test.ts',
      '**/endpoint/csp.test.ts',
      '**/paging/cursors.test.ts',
    ],
    setupFiles: ['tools/mutation/setup.ts'],
    env: { RESTITCH_MODEL_RUNS: '40', RESTITCH_MODEL_SEED: '1' },
    testTimeout: 10_000,
    sequence: { sequencer: DeadliestFirst },
    isolate: false,
    maxWorkers: 1,
  },
});
