import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build, transform } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { blocksOf, documents, root } from '../../../../scripts/docBlocks.mjs';
import { startApi } from './api.js';

interface File {
  readonly name?: string | undefined;
  readonly code: string;
}

const cache = join(root, '.cache');
mkdirSync(cache, { recursive: true });
const work = mkdtempSync(join(cache, 'programs-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** Each test waits for another process. */
const WAITS = { timeout: 60_000 };

const pages = documents().map((file) => {
  const blocks = blocksOf(file);
  return { file, blocks, files: blocks.filter(({ name }) => name !== undefined) };
});
const programs = pages.flatMap(({ files, blocks }) =>
  blocks.flatMap((block, index) => {
    if (!block.isProgram) return [];
    // What it prints stands below it.
    const output = blocks[index + 1];
    return [{ ...block, files, says: output?.language === 'text' ? output.code : undefined }];
  }),
);

test.each(programs)('$file:$line prints the documented output', WAITS, async (program) => {
  const { code, files, says } = program;
  expect(says, 'a block `text` below it, with its output').toBeDefined();
  const api = await startApi();
  try {
    const folder = write([...files, { name: 'program.ts', code }], api.origin);
    const outfile = join(folder, 'program.mjs');
    await build({
      entryPoints: [join(folder, 'program.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      conditions: ['restitch-source'],
      logLevel: 'error',
    });
    // It has to end by itself, too.
    const { stdout, stderr } = await node([outfile]);
    expect(stderr).toBe('');
    expect(stdout).toBe(says);
  } finally {
    await api.close();
  }
});

// TypeScript is left to the compiler: scripts/check-docs.mjs.
const scripts = pages.flatMap(({ blocks }) =>
  blocks.filter(({ language }) => ['js', 'jsx', 'mjs', 'javascript'].includes(language)),
);

test.each(scripts)('$file:$line is JavaScript', async ({ code }) => {
  await expect(transform(code, { loader: 'jsx', logLevel: 'silent' })).resolves.toBeDefined();
});

const tested = pages.filter(({ files }) => files.some(({ name = '' }) => name.includes('.test.')));

test.each(tested)('the tests in $file pass', WAITS, async ({ files }) => {
  const config = { name: 'vitest.config.mjs', code: CONFIG };
  const folder = write([...files, config], 'https://api.example.com');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const { stdout } = await node([vitest, 'run', '--root', folder, '--reporter', 'json']);
  const { numPassedTests, numTotalTests } = JSON.parse(stdout);
  expect(numPassedTests).toBe(numTotalTests);
  expect(numTotalTests).toBeGreaterThanOrEqual(
    files.filter(({ name = '' }) => name.includes('.test.')).length,
  );
});

const CONFIG = `export default {
  resolve: { conditions: ['restitch-source', 'module', 'node', 'development|production'] },
  oxc: { jsx: { runtime: 'automatic' } },
  test: { environment: 'happy-dom' },
};
`;

/** Writes the files of a page into a folder of their own, with `origin` for the servers that it names. */
function write(files: readonly File[], origin: string): string {
  const folder = mkdtempSync(join(work, 'page-'));
  for (const { name = '', code } of files) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      code.replaceAll(/https:\/\/api\.example\.com|http:\/\/localhost:4000/g, origin),
    );
  }
  return folder;
}

/** Runs Node as a program of its own, which knows nothing of the test around it. */
function node(args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST|NODE_ENV)/.test(name)),
  );
  return promisify(execFile)(process.execPath, [...args], { env, timeout: 60_000 });
}
