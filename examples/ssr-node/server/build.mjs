// @ts-check
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** Bundles the page for the browser and for the server; gives the folder with `client.js` and `server.js`. */
export async function buildSite(outdir = `${folder}dist`) {
  /** @type {import('esbuild').BuildOptions} */
  const shared = {
    bundle: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    outdir,
    absWorkingDir: folder,
    // In this repository, the source of the library; elsewhere there is no such condition.
    conditions: ['restitch-source'],
    logLevel: 'error',
  };
  await Promise.all([
    build({
      ...shared,
      entryPoints: { client: 'src/client.tsx' },
      minify: true,
      define: { 'process.env.NODE_ENV': '"production"' },
    }),
    build({
      ...shared,
      entryPoints: { server: 'src/render.tsx' },
      platform: 'node',
      // React is there anyway, and must be there once.
      external: ['react', 'react-dom'],
      outExtension: { '.js': '.mjs' },
    }),
  ]);
  return outdir;
}
