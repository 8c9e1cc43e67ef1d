// @ts-check
/**
 * Runs examples/next as a user would: packs the library, installs the example in a temporary folder, builds it, starts it and
 * looks at its page in Chromium. Needs `npm run build`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, freePort, inBrowser, install, pack, root, run } from './rehearsing.mjs';

const work = mkdtempSync(join(tmpdir(), 'next-example-'));
const app = join(work, 'app');

/** @param {import('playwright').Page} page @param {string} url */
async function look(page, url) {
  /** @type {string[]} */
  const problems = [];
  /** @type {string[]} */
  const requests = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    const isIcon = message.location().url.endsWith('/favicon.ico');
    if (['error', 'warning'].includes(message.type()) && !isIcon) problems.push(message.text());
  });
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) requests.push(request.url());
  });
  await page.goto(url, { waitUntil: 'commit' });
  const louder = page.locator('button:enabled').first();
  await louder.waitFor();
  check(
    'Next.js: the books work before the reviews are there',
    await page.getByText('The reviews…').isVisible(),
  );
  check(
    'Next.js: what is there at once stands outside of boundaries',
    await page.getByText('Published by Lovelace & Hopper').isVisible(),
  );
  await louder.click();
  await page.getByText('by ADA LOVELACE').waitFor();
  await page.getByText('says ADA LOVELACE').waitFor();
  check('Next.js: the reviews show what was changed before they arrived', true);
  check(`Next.js: the browser sent no request for data (${requests.join()})`, !requests.length);
  check(`Next.js: nothing was logged (${problems.join('; ')})`, problems.length === 0);
}

try {
  cpSync(join(root, 'examples', 'next'), app, {
    recursive: true,
    filter: (file) => !/node_modules|\.next/.test(file),
  });
  await install(app, [await pack('restitch', work)]);
  const built = await run(app, 'npx', ['next', 'build']);
  check('Next.js prerenders its example with `cacheComponents`', /Cache Components/.test(built));
  check('Next.js sends the shell at once, and the data for each visit', /◐ \//.test(built));

  const port = await freePort();
  const next = ['node_modules/next/dist/bin/next', 'start', '-p', String(port)];
  const server = spawn(process.execPath, next, {
    cwd: app,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(server, 'close');
  try {
    for await (const line of server.stdout) if (String(line).includes('Ready')) break;
    await inBrowser((page) => look(page, `http://127.0.0.1:${port}/`));
  } finally {
    server.kill();
    await closed;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
