// @ts-check
/** Vite, whose builds are compiled by the React Compiler. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { reactCompiler } from './plugin.mjs';

// By its path: the name stands for this very file here.
const original = createRequire(import.meta.url).resolve('vite');
/** @type {typeof import('vite')} */
const vite = await import(pathToFileURL(original).href);

/** @param {import('vite').InlineConfig} config */
export async function build(config) {
  const compiler = reactCompiler();
  const output = await vite.build({ ...config, plugins: [...(config.plugins ?? []), compiler] });
  if (compiler.api.compiled === 0) throw new Error('Nothing of the page was compiled.');
  return output;
}
