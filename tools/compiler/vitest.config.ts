/** The tests of the binding, in a simulated DOM and in Chromium, and those of the demo: compiled by the React Compiler. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import usual, { reactProjects } from '../../vitest.config.js';
import { reactCompiler } from './plugin.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');

export default defineConfig({
  ...usual,
  root,
  plugins: [reactCompiler()],
  test: {
    ...usual.test,
    projects: [
      ...reactProjects.map((project) => ({
        ...project,
        ...('optimizeDeps' in project && {
          optimizeDeps: { include: [...project.optimizeDeps.include, 'react/compiler-runtime'] },
        }),
        test: {
          ...project.test,
          name: `${project.test.name} (compiled)`,
          setupFiles: [...(project.test.setupFiles ?? []), join(here, 'setup.ts')],
        },
      })),
      {
        // Its page is built by Vite; `vite.mjs` adds the compiler to that build.
        resolve: { alias: [{ find: /^vite$/, replacement: join(here, 'vite.mjs') }] },
        test: {
          name: 'tracker (compiled)',
          root: join(root, 'examples', 'tracker'),
          include: ['test/page.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
