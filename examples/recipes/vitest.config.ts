import { defineConfig } from 'vitest/config';

// The public package names resolve to source, so tests need no build.
const conditions = ['restitch-source', 'module', 'node', 'development|production'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    name: 'recipes',
    include: ['test/**/*.test.{ts,tsx}'],
    // These files run in the project `browser`.
    exclude: ['**/node_modules/**', '**/*.browser.test.*'],
    // The simulated page has another origin than the servers.
    environmentOptions: { happyDOM: { settings: { fetch: { disableSameOriginPolicy: true } } } },
  },
});
