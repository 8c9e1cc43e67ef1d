/** The tests that are run on each mutant of the core: those in Node that are quick. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Stryker runs this on a copy of the repository.
const root = fileURLToPath(new URL('../..', import.meta.url));
const conditions = ['restitch-source', 'module', 'node', 'development|production'];

/** Those that kill most come first: the first failure ends a run. */
const FOLDERS = ['endpoint', 'schema', 'model', 'regressions', 'races', 'collections', 'store'];

class DeadliestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const index = FOLDERS.findIndex((folder) => moduleId.includes(`/test/${folder}/`));
      return moduleId.includes('.property.') || index < 0 ? FOLDERS.length : index;
    };
    return Promise.resolve(files.toSorted((a, b) => place(a) - place(b)));
  }
}

export default defineConfig({
  root,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: 'mutation',
    include: [
      'packages/restitch/test/{collections,controller,endpoint,memory,model,paging,races,regressions,schema,state,store}/*.test.ts',
    ],
    exclude: [
      '**/*.{dom,browser}.test.ts',
      '**/endpoint/csp.test.ts',
      '**/state/pageAsRead.test.ts',
      '**/races/createdRows.test.ts',
    ],
    setupFiles: ['tools/mutation/setup.ts'],
    env: { RESTITCH_MODEL_RUNS: '60', RESTITCH_MODEL_SEED: '1' },
    sequence: { sequencer: DeadliestFirst },
    testTimeout: 2_000,
    // One worker for all files of a run: a mutant takes a fifth of the time.
    isolate: false,
    pool: 'threads',
    maxWorkers: 1,
  },
});
