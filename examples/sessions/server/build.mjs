// @ts-check
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** Bundles the page; gives the folder with `client.js`. */
export async function buildPage(outdir = `${folder}dist`) {
  await build({
    entryPoints: { client: 'src/client.tsx' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    outdir,
    absWorkingDir: folder,
    // In this repository, the source of the library; elsewhere there is no such condition.
    conditions: ['restitch-source'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  return outdir;
}
