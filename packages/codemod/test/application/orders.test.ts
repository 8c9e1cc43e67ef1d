/** An application in the common style is converted whole by one command, and does in Chromium what it did before. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/driver.js';
import { chromiumArgs, findChromium } from '../../../../scripts/chromium.mjs';
import { serve } from './server.js';
import { visit } from './visit.js';

const found = await findChromium();
if (found.path === undefined) console.warn(`The application is not tested: ${found.reason}`);

const packageRoot = fileURLToPath(new URL('../..', import.meta.url));
const compiler = join(packageRoot, '../../node_modules/typescript/bin/tsc');
const SOURCE = fileURLToPath(new URL('./orders', import.meta.url));

/** The requests of the application, and the texts that it shows. */
async function observe(
  browser: Browser,
  folder: string,
): Promise<{ requests: string[]; shown: readonly string[] }> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'src/main.tsx')],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    conditions: ['restitch-source', 'production'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  const { server, requests } = serve(outputFiles[0]?.text ?? '');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const page = await browser.newPage();
  try {
    // `listen` on a port, not on a pipe, so the address is not a string.
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return { shown: await visit(page), requests };
  } finally {
    await page.close();
    server.closeAllConnections();
    server.close();
  }
}

const typeErrors = (folder: string): Promise<string> =>
  new Promise((resolve) => {
    execFile(process.execPath, [compiler, '-p', folder], (_, stdout) => resolve(stdout));
  });

describe.skipIf(found.path === undefined)('an application in the common style', () => {
  let browser: Browser;
  let folder = '';
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: found.path, args: chromiumArgs });
    // Inside of the workspace, where packages are found; `.cache` is not tracked.
    const cache = join(packageRoot, '.cache');
    await mkdir(cache, { recursive: true });
    folder = await mkdtemp(join(cache, 'orders-'));
    await cp(SOURCE, folder, { recursive: true });
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is converted whole, type checks, and sends the same requests byte for byte', async () => {
    expect(await typeErrors(folder)).toBe('');
    const before = await observe(browser, folder);
    expect(before.requests.length).toBe(13);

    let output = '';
    const options = {
      paths: [join(folder, 'src')],
      dry: false,
      json: true,
      inline: false,
      todo: true,
      withoutAxios: false,
    };
    expect(await run(options, folder, { out: (text) => (output += text) })).toBe(0);
    const { summary } = JSON.parse(output) as {
      summary: { calls: { skipped: number; converted: number } };
    };
    expect(summary.calls, output).toMatchObject({ skipped: 0, converted: 7 });
    for (const file of ['services/orders.ts', 'services/session.ts']) {
      expect(await readFile(join(folder, 'src', file), 'utf8')).not.toMatch(
        /client\.(get|post|put|delete)/,
      );
    }

    expect(await typeErrors(folder)).toBe('');
    expect(await observe(browser, folder)).toEqual(before);
  }, 120_000);
});
