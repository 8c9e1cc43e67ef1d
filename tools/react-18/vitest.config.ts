/** The tests of the binding, in a simulated DOM, in Chromium and on the server, with React 18.3 in place of the newest. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import usual, { reactProjects } from '../../vitest.config.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const modules = join(here, 'node_modules');
if (!existsSync(modules)) {
  throw new Error('React 18 is not installed: npm ci --prefix tools/react-18');
}
// The CommonJS files of this library are left to Node, which would find the newest React.
const testingLibrary = 'node_modules/@testing-library/react/dist/@testing-library/react.esm.js';

const [dom] = reactProjects;
const server = {
  ...dom,
  test: {
    name: 'ssr',
    include: ['packages/restitch/test/ssr/inChromium.test.ts'],
    environment: 'node',
  },
};

export default defineConfig({
  ...usual,
  root,
  resolve: {
    alias: [
      { find: /^(react|react-dom)(\/.*)?$/, replacement: `${modules}/$1$2` },
      { find: /^esbuild$/, replacement: join(here, 'esbuild.mjs') },
      { find: /^@testing-library\/react$/, replacement: join(root, testingLibrary) },
    ],
  },
  test: {
    ...usual.test,
    projects: [...reactProjects, server].map((project) => ({
      ...project,
      test: {
        ...project.test,
        name: `${project.test.name} (React 18)`,
        setupFiles: [...(project.test.setupFiles ?? []), join(here, 'setup.ts')],
        server: { deps: { inline: [/@testing-library\/react/] } },
      },
    })),
  },
});
