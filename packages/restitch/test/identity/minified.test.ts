/** Identity 1.1 in production: two lazily loaded routes whose classes a minifier gave one name. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumArgs, findChromium } from '../../../../scripts/chromium.mjs';
import { minified } from '../support/minified.js';

const found = await findChromium();
const missing = found.path === undefined ? found.reason : undefined;
if (missing !== undefined) console.warn(`The minified application is not tested: ${missing}`);

const APP = fileURLToPath(new URL('./minified/app.ts', import.meta.url));

function serve(files: ReadonlyMap<string, string>): Server {
  return createServer(({ url = '/' }, response) => {
    const [path = '/'] = url.split('?');
    const rows = /^\/api\/(\w+)(\/1)?$/.exec(path);
    if (rows) {
      const row = { id: '1', label: `${rows[1]}${rows[2] ? '' : ' in a list'}` };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(rows[2] ? row : [row]));
      return;
    }
    const script = files.get(path);
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript');
    response.end(
      script ??
        '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/app.js"></script>',
    );
  });
}

describe.skipIf(missing !== undefined)('identity 1.1: a minified application', () => {
  let browser: Browser;
  let server: Server;
  let files: ReadonlyMap<string, string>;
  beforeAll(async () => {
    files = await minified({ entryPoints: [APP], splitting: true });
    server = serve(files);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await chromium.launch({ executablePath: found.path, args: chromiumArgs });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is built of chunks whose classes have no names of their own', () => {
    const routes = [...files].filter(([, text]) => text.includes('/api/'));
    expect(routes).toHaveLength(2);
    for (const [, text] of routes) expect(text).not.toContain('Row');
  });

  it.each(['orders,people', 'people,orders'])(
    'merges nothing and prints nothing: %s',
    async (order) => {
      const page = await browser.newPage();
      const printed: string[] = [];
      page.on('console', (message) => printed.push(message.text()));
      page.on('pageerror', (error) => printed.push(error.message));
      const { port } = server.address() as AddressInfo;
      await page.goto(`http://127.0.0.1:${port}/?order=${order}`);
      await page.waitForFunction(() => document.body.textContent?.includes('|') === true);
      const lines = (await page.textContent('body'))?.split('\n');
      const shownNow = (name: string): string => `${name} in a list | ${name} in a list | ${name}`;
      const names = order.split(',');
      expect(lines).toEqual([
        ...names.map((name) => `${name} | ${name} in a list | ${name}`),
        ...names.map((name) => `${shownNow(name)} | 0`),
      ]);
      expect(printed).toEqual([]);
      await page.close();
    },
    60_000,
  );
});
