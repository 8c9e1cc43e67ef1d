// @ts-check
/** Prints what an application downloads, minified and brotli-compressed; fails above a limit. */
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * In bytes; 1 kB = 1000 bytes, as in the tables of other libraries. The goal is what the library is to weigh when it is
 * complete; the limit is what it weighs today and a little room, so that it cannot grow unnoticed. Lower it with each saving.
 */
const rows = [
  { name: 'core without React', code: `export * from 'restitch';`, goal: 7_000, limit: 30_100 },
  {
    name: 'application (core + React binding)',
    code: `export * from 'restitch'; export * from 'restitch/react';`,
    goal: 9_600,
    limit: 33_700,
  },
  {
    name: 'one import: RestEndpoint',
    code: `export { RestEndpoint } from 'restitch';`,
    limit: 6_300,
  },
];

/** @param {string} code */
async function measure(code) {
  const result = await build({
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['restitch-source'],
    external: ['react', 'react-dom'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  const bytes = result.outputFiles[0]?.contents ?? new Uint8Array();
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  return { minified: bytes.length, brotli: brotliCompressSync(bytes, { params }).length };
}

/** @param {number} bytes */
const kB = (bytes) => `${(bytes / 1000).toFixed(2)} kB`;

console.log(
  `${'bundle'.padEnd(36)}${['minified', 'brotli', 'limit', 'goal'].map((name) => name.padStart(10)).join('')}`,
);
for (const { name, code, limit, goal } of rows) {
  const { minified, brotli } = await measure(code);
  const tooLarge = brotli > limit;
  if (tooLarge) process.exitCode = 1;
  const cells = [kB(minified), kB(brotli), kB(limit), goal === undefined ? '' : kB(goal)];
  const line = name.padEnd(36) + cells.map((cell) => cell.padStart(10)).join('');
  console.log(tooLarge ? `${line}  TOO LARGE by ${brotli - limit} bytes` : line.trimEnd());
}
