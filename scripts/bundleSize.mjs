// @ts-check
/** The download size of some imports: bundled by esbuild, minified, brotli-compressed. */
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';

/**
 * @param {string} code Imports and exports; React is left out.
 * @param {string} folder Where they are resolved from.
 * @returns {Promise<{ minified: number, brotli: number }>} In bytes.
 */
export async function bundleSize(code, folder) {
  const result = await build({
    stdin: { contents: code, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['restitch-source', 'production'],
    external: ['react', 'react-dom'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  const bytes = result.outputFiles[0]?.contents ?? new Uint8Array();
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  return { minified: bytes.length, brotli: brotliCompressSync(bytes, { params }).length };
}

/** @param {number} bytes 1 kB = 1000 bytes, as in the tables of other libraries. */
export const kB = (bytes) => `${(bytes / 1000).toFixed(2)} kB`;
