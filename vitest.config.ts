import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumArgs, findChromium } from './scripts/chromium.mjs';
import { SlowFirst } from './scripts/slowFirst.mjs';

// The public package names resolve to source, so tests need no build.
const forNode = ['restitch-source', 'module', 'node', 'development|production'];
const forBrowser = ['restitch-source', 'module', 'browser', 'development|production'];

/** Random programs, long runs, and tests that start browsers or compilers: `check:quick` leaves them out. */
const long = [
  '**/test/{model,questions,soak,differential,application,hosts}/**/*.test.ts',
  '**/*.property.test.ts',
  '**/restitch/test/docs/{pages,programs}.test.ts',
  '**/restitch/test/{endpoint/csp,hydration/damagedPages,identity/minified}.test.ts',
  '**/restitch/test/paging/{cursors,holes}.test.ts',
  '**/restitch/test/react/search.test.ts',
  '**/restitch/test/ssr/{inChromium,userContent}.test.ts',
];

const setupFiles = ['fixedSeed', 'restored'].map(
  (name) => `./packages/restitch/test/support/${name}.ts`,
);

// The first search unpacks a browser, which takes seconds: a run of other projects leaves it out.
const chromium = process.env['RESTITCH_NO_BROWSER'] ? undefined : await findChromium();
if (chromium && chromium.path === undefined) {
  const message = `Browser tests left out: ${chromium.reason}`;
  // Where a browser is known to be possible, leaving its tests out is a failure.
  if (process.env['REQUIRE_BROWSER']) throw new Error(message);
  console.warn(message);
}

/** Where React runs; `tools/` runs these on another React, and compiled. */
export const reactProjects = [
  {
    extends: true as const,
    resolve: { conditions: forNode },
    ssr: { resolve: { conditions: forNode } },
    test: {
      name: 'dom',
      include: ['packages/*/test/**/*.dom.test.{ts,tsx}'],
      exclude: ['**/node_modules/**'],
      environment: './packages/restitch/test/support/sharedDom.ts',
      setupFiles,
      isolate: false,
    },
  },
  ...(chromium?.path === undefined ? [] : [browserProject(chromium.path)]),
];

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    tags: [
      {
        name: 'scale',
        description: 'measures growth, or takes long for many records',
        timeout: 60_000,
      },
    ],
    reporters: ['default', './scripts/closing-line.mjs'],
    sequence: { sequencer: SlowFirst },
    maxWorkers: availableParallelism(),
    // For a machine with other work; a test that never ends costs no more than these.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } },
    projects: [
      // An example sets its own time limits: it starts a server, a database and a browser.
      'examples/*/vitest.config.ts',
      {
        extends: true,
        resolve: { conditions: forNode },
        ssr: { resolve: { conditions: forNode } },
        test: {
          name: 'node',
          include: ['packages/*/test/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.dom.test.*', '**/*.browser.test.*', ...long],
          environment: 'node',
          setupFiles,
          // The files of a worker share one copy of the library: loading it for each takes as long as its tests.
          isolate: false,
        },
      },
      {
        extends: true,
        resolve: { conditions: forNode },
        ssr: { resolve: { conditions: forNode } },
        test: {
          name: 'long',
          include: long,
          exclude: ['**/node_modules/**', '**/*.dom.test.*', '**/*.browser.test.*'],
          environment: 'node',
          setupFiles,
        },
      },
      ...reactProjects,
    ],
  },
});

/** Tests that run inside a real Chromium, against a real HTTP server in this process. */
function browserProject(executablePath: string) {
  return {
    extends: true as const,
    resolve: { conditions: forBrowser },
    // Named here because a dependency found in mid-run would reload the page under the tests.
    optimizeDeps: {
      include: [
        'react',
        'react/jsx-runtime',
        'react/jsx-dev-runtime',
        'react-dom',
        'react-dom/client',
        'vitest-browser-react',
        'restitch > path-to-regexp',
      ],
    },
    test: {
      name: 'browser',
      include: ['{packages,examples}/*/test/**/*.browser.test.{ts,tsx}'],
      globalSetup: ['./packages/restitch/test/support/browserServer.ts'],
      // After the others: a browser needs a processor of its own to paint each frame.
      sequence: { groupOrder: 1 },
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions: { executablePath, args: chromiumArgs } }),
        instances: [{ browser: 'chromium' as const }],
      },
    },
  };
}
