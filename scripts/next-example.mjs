// @ts-check
/**
 * Runs examples/next as a user would: packs the library, installs the example in a temporary folder, builds it, starts it and
 * looks at its page in Chromium. Needs `npm run build`; takes some minutes, so it is no part of `npm run check`.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright';
import { chromiumArgs, findChromium } from './chromium.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'next-example-'));
const app = join(work, 'app');
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };

/** @param {string} folder @param {string} command @param {readonly string[]} args */
async function run(folder, command, args) {
  const { stdout } = await promisify(execFile)(command, [...args], {
    cwd: folder,
    env,
    timeout: 600_000,
  });
  return stdout.trim();
}

/** @param {string} what @param {unknown} holds */
function check(what, holds) {
  if (!holds) throw new Error(`Not so: ${what}`);
  console.log(`✓ ${what}`);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return String(typeof address === 'object' ? address?.port : '');
}

/** @param {string} url */
async function look(url) {
  const { path, reason } = { reason: '', ...(await findChromium()) };
  if (path === undefined) throw new Error(`There is no Chromium: ${reason}`);
  const browser = await chromium.launch({ executablePath: path, args: chromiumArgs });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(30_000);
    /** @type {string[]} */
    const problems = [];
    /** @type {string[]} */
    const requests = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api/')) requests.push(request.url());
    });
    await page.goto(url, { waitUntil: 'commit' });
    const louder = page.locator('button:enabled').first();
    await louder.waitFor();
    check(
      'the books work before the reviews are there',
      await page.getByText('The reviews…').isVisible(),
    );
    await louder.click();
    await page.getByText('by ADA LOVELACE').waitFor();
    await page.getByText('says ADA LOVELACE').waitFor();
    check('the reviews show what was changed before they arrived', true);
    check(`the browser sent no request for data (${requests.join()})`, requests.length === 0);
    check(`nothing was logged (${problems.join('; ')})`, problems.length === 0);
  } finally {
    await browser.close();
  }
}

try {
  const tarball = await run(root, 'npm', [
    'pack',
    '--silent',
    '-w',
    'restitch',
    '--pack-destination',
    work,
  ]);
  cpSync(join(root, 'examples', 'next'), app, {
    recursive: true,
    filter: (file) => !/node_modules|\.next/.test(file),
  });
  await run(app, 'npm', ['install', '--no-audit', '--no-fund', '--silent', join(work, tarball)]);
  await run(app, 'npx', ['next', 'build']);
  check('next build', true);

  const port = await freePort();
  const server = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'start', '-p', port], {
    cwd: app,
    env: { ...env, PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(server, 'close');
  try {
    for await (const line of server.stdout) if (String(line).includes('Ready')) break;
    await look(`http://127.0.0.1:${port}/`);
  } finally {
    server.kill();
    await closed;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
