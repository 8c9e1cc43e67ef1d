// @ts-check
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/**
 * Builds the page as users get it, whatever `NODE_ENV` this process runs under.
 * @param {string} folder is emptied
 */
export async function buildPage(folder) {
  const environment = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await build({
      root: fileURLToPath(new URL('..', import.meta.url)),
      logLevel: 'warn',
      build: { outDir: folder, emptyOutDir: true },
    });
  } finally {
    if (environment === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = environment;
  }
}
