import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { type Block, blocksOf, documents, root } from '../../../../scripts/docBlocks.mjs';
import { startApi } from './api.js';

const folder = join(root, '.cache');
mkdirSync(folder, { recursive: true });
const work = mkdtempSync(join(folder, 'programs-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const programs = documents().flatMap((file) => {
  const blocks = blocksOf(file);
  return blocks.flatMap((block, index) => {
    if (!block.isProgram) return [];
    // What it prints stands below it.
    const output = blocks[index + 1];
    const says = output?.language === 'text' ? output.code : undefined;
    return [{ ...block, says, files: blocks.filter(({ name }) => name !== undefined) }];
  });
});

test.each(programs)(
  '$file:$line prints what the page says',
  async ({ file, line, code, files, says }) => {
    expect(says, 'a block `text` below it, with its output').toBeDefined();
    const api = await startApi();
    try {
      const stdout = await run(
        join(work, `${file.replaceAll('/', '-')}-${line}`),
        code,
        files,
        api.origin,
      );
      expect(stdout).toBe(says);
    } finally {
      await api.close();
    }
  },
);

/** Bundles a program with the named files of its page, and runs it as a process of its own, which has to end by itself. */
async function run(
  place: string,
  code: string,
  files: readonly Block[],
  origin: string,
): Promise<string> {
  const withOrigin = (text: string): string =>
    text.replaceAll(/https:\/\/api\.example\.com|http:\/\/localhost:4000/g, origin);
  for (const { name, code: text } of [...files, { name: 'program.ts', code }]) {
    const path = join(place, name ?? '');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, withOrigin(text));
  }
  const outfile = join(place, 'program.mjs');
  await build({
    entryPoints: [join(place, 'program.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['restitch-source'],
    logLevel: 'error',
  });
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [outfile], {
    timeout: 30_000,
  });
  expect(stderr).toBe('');
  return stdout;
}
