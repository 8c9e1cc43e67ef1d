// @ts-check
/**
 * Rendering costs in a real Chromium, side by side: production builds, one page per library and round, rounds interleaved.
 *
 *   npm run bench:react                     five rounds, prints a table
 *   npm run bench:react -- --rounds=9 --only=restitch,useState --scenarios=update,typing
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright';
import { chromiumArgs, findChromium } from '../../scripts/chromium.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, '..', '..', 'packages', 'restitch', 'src');
const files = ['bare', 'restitch', 'tanstack', 'swr', 'apollo', 'rtk'];

/** @param {string} name @param {string} otherwise */
const option = (name, otherwise) =>
  process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise;

/** @param {string} file */
async function bundle(file) {
  const { outputFiles } = await build({
    entryPoints: [join(here, 'page.jsx')],
    alias: {
      library: join(here, 'libraries', `${file}.jsx`),
      restitch: join(source, 'index.ts'),
      'restitch/react': join(source, 'react', 'index.ts'),
      // The one of this folder, also for the library's own source.
      react: join(here, 'node_modules', 'react'),
      'react-dom': join(here, 'node_modules', 'react-dom'),
    },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

const bundles = new Map(
  await Promise.all(files.map(async (file) => /** @type {const} */ ([file, await bundle(file)]))),
);

const server = createServer((request, response) => {
  // Isolated pages have a clock of 5 µs instead of 100.
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  response.setHeader('cross-origin-embedder-policy', 'require-corp');
  const [, first = '', , id = ''] = (request.url ?? '').split('/');
  if (first === 'api') {
    setTimeout(() => {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          id,
          title: `Title ${id}`,
          body: '',
          state: 'open',
          comments: 1,
          createdAt: '',
          labels: [],
          user: { id: 'u1', login: 'user' },
        }),
      );
    }, 60);
    return;
  }
  const script = bundles.get(first.replace('.js', ''));
  if (first.endsWith('.js') && script) {
    response.setHeader('content-type', 'text/javascript');
    response.end(script);
    return;
  }
  response.setHeader('content-type', 'text/html');
  response.end(`<!doctype html><body><script type="module" src="/${first}.js"></script></body>`);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
const address = server.address();
const port = typeof address === 'object' && address ? address.port : 0;

const found = await findChromium();
if (found.path === undefined) throw new Error(found.reason);
const browser = await chromium.launch({ executablePath: found.path, args: chromiumArgs });

/** @type {Map<string, Record<string, number>[]>} */
const results = new Map();
/** @type {Set<string>} */
const failures = new Set();
const rounds = Number(option('rounds', '5'));
const only = option('only', files.join(',')).split(',');
const scenarios = option('scenarios', '');
const chosen = files.filter((file) => only.includes(file));
try {
  for (let round = 0; round < rounds; round += 1) {
    for (const index of chosen.keys()) {
      const file = chosen[(index + round) % chosen.length] ?? 'bare';
      const page = await browser.newPage();
      page.on('pageerror', (error) => failures.add(`${file}: ${error.message}`));
      await page.goto(`http://127.0.0.1:${port}/${file}`);
      const names = scenarios === '' ? undefined : scenarios.split(',');
      // `run` is what page.jsx puts on the window.
      const result = await Promise.race([
        page.evaluate((list) => /** @type {any} */ (globalThis).run(list), names),
        new Promise((resolve) =>
          setTimeout(() => resolve({ roundFailed: 'took too long' }), 120_000).unref(),
        ),
      ]);
      for (const [key, value] of Object.entries(result)) {
        if (typeof value === 'string' && key !== 'react') failures.add(`${file}: ${key}: ${value}`);
      }
      results.set(file, [...(results.get(file) ?? []), result]);
      await page.close();
    }
    process.stderr.write(`round ${round + 1} of ${rounds}\n`);
  }
} finally {
  await browser.close();
  server.close();
}

/** @param {number[]} numbers */
const median = (numbers) => {
  const sorted = numbers.filter(Number.isFinite).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};
/** @param {string} file @param {string} key */
const measured = (file, key) =>
  (results.get(file) ?? []).map((result) => result[key] ?? Number.NaN);

/** @type {readonly [key: string, title: string, digits: number][]} */
const lines = [
  ['update', 'one of 1 000 rows changes, ms', 2],
  ['renders', '… renders', 0],
  ['mount1000', 'mounting 1 000 rows, ms', 1],
  ['mount5000', 'mounting 5 000 rows, ms', 1],
  ['suspendingFirst', 'first content, Suspense, ms', 1],
  ['suspendingChange', 'content of other parameters, Suspense, ms', 1],
  ['flaggedFirst', 'first content, loading flag, ms', 1],
  ['flaggedChange', 'content of other parameters, flag, ms', 1],
  ['cached', 'switching to cached parameters, ms', 2],
  ['secondPage', 'a page of 50 rows after 1 to 20 others, ms', 2],
  ['lastPage', '… after 180 to 199 others, ms', 2],
  ['longestFrame', 'typing with 5 000 rows: longest frame, ms', 0],
  ['slowFrames', '… frames over 50 ms', 0],
  ['inputDelay', '… longest wait for a typed character, ms', 0],
  ['write', '… the write itself, ms', 1],
];

const version = async (/** @type {string} */ name) => {
  const text = await readFile(join(here, 'node_modules', name, 'package.json'), 'utf8');
  return `${name} ${/** @type {{ version: string }} */ (JSON.parse(text)).version}`;
};
const packages = ['react', '@tanstack/react-query', 'swr', '@apollo/client', '@reduxjs/toolkit'];
console.log((await Promise.all(packages.map(version))).join(', '));
console.log(
  `Chromium ${browser.version()}, Node ${process.version}, ${cpus().length} cores, ${rounds} rounds\n`,
);
console.log(''.padEnd(46) + chosen.map((file) => file.padStart(12)).join(''));
for (const [key, title, digits] of lines) {
  const cells = chosen.map((file) => {
    const value = median(measured(file, key));
    return (Number.isNaN(value) ? '–' : value.toFixed(digits)).padStart(12);
  });
  if (cells.some((cell) => cell.trim() !== '–')) console.log(title.padEnd(46) + cells.join(''));
}
console.log('\nas a multiple of bare, median of the rounds');
for (const [key, title] of lines.filter(([key]) => /update|mount/.test(key))) {
  const bare = measured('bare', key);
  const cells = chosen.map((file) => {
    const ratio = median(
      measured(file, key).map((value, round) => value / (bare[round] ?? Number.NaN)),
    );
    return (Number.isNaN(ratio) ? '–' : ratio.toFixed(2)).padStart(12);
  });
  if (cells.some((cell) => cell.trim() !== '–')) console.log(title.padEnd(46) + cells.join(''));
}
for (const failure of failures) console.log(`failed: ${failure}`);
