// @ts-check
/** esbuild, whose bundles have the React of this folder. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const modules = fileURLToPath(new URL('node_modules', import.meta.url));
// By its path: the name stands for this very file here.
const original = createRequire(import.meta.url).resolve('esbuild');
/** @type {typeof import('esbuild')} */
const esbuild = (await import(pathToFileURL(original).href)).default;

/** @param {import('esbuild').BuildOptions} options */
export const build = (options) =>
  esbuild.build({
    ...options,
    alias: { react: join(modules, 'react'), 'react-dom': join(modules, 'react-dom') },
  });
