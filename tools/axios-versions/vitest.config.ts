/** The tests of `restitch/axios` with the oldest axios of its peer range in place of the newest. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = fileURLToPath(new URL('.', import.meta.url));
const oldest = join(here, 'node_modules', 'axios', 'index.js');
if (!existsSync(oldest)) {
  throw new Error('The oldest axios is not installed: npm ci --prefix tools/axios-versions');
}

export default defineConfig({
  root: join(here, '..', '..'),
  resolve: {
    alias: [{ find: /^axios$/, replacement: oldest }],
    conditions: ['restitch-source', 'module', 'node', 'development|production'],
  },
  ssr: { resolve: { conditions: ['restitch-source', 'module', 'node', 'development|production'] } },
  test: {
    name: 'axios, oldest',
    include: ['packages/restitch/test/axios/*.test.ts'],
    exclude: ['**/*.browser.test.ts'],
    environment: 'node',
  },
});
