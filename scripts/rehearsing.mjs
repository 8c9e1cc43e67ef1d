// @ts-check
/** Helpers that the rehearsals of a release share: commands, claims, and a browser. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright';
import { chromiumArgs, findChromium } from './chromium.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The output of a command, without npm's warnings.
 * @param {string} folder
 * @param {string} command
 * @param {readonly string[]} args
 */
export async function run(folder, command, args) {
  const { stdout, stderr } = await promisify(execFile)(command, [...args], {
    cwd: folder,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
    timeout: 300_000,
  });
  if (stderr && command !== 'npm') process.stderr.write(stderr);
  return stdout;
}

/** A registry may drop a connection. @param {string} folder @param {readonly string[]} dependencies */
export async function install(folder, dependencies) {
  const args = ['install', '--no-audit', '--no-fund', '--silent', ...dependencies];
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(folder, 'npm', args);
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

/** The tarball of a package, in `folder`. @param {string} name @param {string} folder */
export async function pack(name, folder) {
  const args = ['pack', '--silent', '-w', name, '--pack-destination', folder];
  return join(folder, (await run(root, 'npm', args)).trim());
}

/** @param {string} what @param {unknown} holds */
export function check(what, holds) {
  if (!holds) throw new Error(`Not so: ${what}`);
  console.log(`✓ ${what}`);
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** Settles when there is a server at `url`. @param {string} url */
export async function untilListening(url) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetch(url);
    } catch (error) {
      if (attempt === 100) throw error;
      await setTimeout(50);
    }
  }
}

/**
 * Opens a browser with an empty page. Without a browser `look` is left out, with one line that says so; where `REQUIRE_BROWSER` is
 * set that is a failure.
 * @param {(page: import('playwright').Page) => Promise<void>} look
 */
export async function inBrowser(look) {
  const found = await findChromium();
  if (found.path === undefined) {
    if (process.env['REQUIRE_BROWSER']) throw new Error(found.reason);
    console.warn(`The built page was not opened: ${found.reason}`);
    return;
  }
  const browser = await chromium.launch({ executablePath: found.path, args: chromiumArgs });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(30_000);
    await look(page);
  } finally {
    await browser.close();
  }
}
