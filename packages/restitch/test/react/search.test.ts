/** The documented search as users meet it: a production build in Chromium, and a server that takes a second. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumArgs, findChromium } from '../../../../scripts/chromium.mjs';
import { minified } from '../support/minified.js';

const found = await findChromium();
const missing = found.path === undefined ? found.reason : undefined;
if (missing !== undefined) console.warn(`The search is not tested: ${missing}`);

const APP = fileURLToPath(new URL('./search/app.tsx', import.meta.url));

/** What each page asked, in order; `q aborted` when the browser hung up before the response. */
const asked = new Map<string, string[]>();

function serve(script: string): Server {
  return createServer(({ url = '/', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname !== '/api/search') {
      const isScript = pathname === '/app.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(
        isScript
          ? script
          : '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/app.js"></script>',
      );
      return;
    }
    const q = searchParams.get('q') ?? '';
    const list = asked.get(new URL(headers.referer ?? '').pathname) ?? [];
    const index = list.push(q) - 1;
    // A second for the texts that rest. The others are aborted first, also where a busy machine types slowly.
    const timer = setTimeout(
      () => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify([{ title: `found ${q}` }]));
      },
      /^grac(eful)?$/.test(q) ? 1_000 : 10_000,
    );
    response.on('close', () => {
      clearTimeout(timer);
      if (!response.writableFinished) list[index] = `${q} aborted`;
    });
  });
}

const prefixes = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => 'graceful'.slice(0, from + index + 1));

/** Types some letters, each of which rests long enough to be searched for by itself. */
async function type(page: Page, letters: string): Promise<void> {
  await page.locator('input').pressSequentially(letters, { delay: 320 });
}

describe.skipIf(missing !== undefined)('typing a word into the documented search', () => {
  let browser: Browser;
  let server: Server;
  let origin: string;
  beforeAll(async () => {
    server = serve((await minified({ entryPoints: [APP] })).get('/app.js') ?? '');
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // `listen` on a port, not on a pipe, so the address is not a string.
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath: found.path, args: chromiumArgs });
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it.concurrent.each([
    '/reader/suspense/debounced',
    '/reader/async/debounced',
    '/reader/suspense/deferred',
    '/reader/async/deferred',
    '/owner/suspense/debounced',
  ])(
    'sends one request for each text that rests, and aborts all but the last: %s',
    async (path) => {
      const sent: string[] = [];
      asked.set(path, sent);
      const page = await browser.newPage();
      const errors: Error[] = [];
      page.on('pageerror', (error) => errors.push(error));
      await page.goto(`${origin}${path}`);
      await type(page, 'grac');
      await page.getByText('found grac', { exact: true }).waitFor();
      const before = [...sent];
      await type(page, 'eful');
      await page.getByText('found graceful', { exact: true }).waitFor();
      const aborted = (texts: string[]): string[] =>
        texts.map((text, index) => (index < texts.length - 1 ? `${text} aborted` : text));
      expect(before).toEqual(aborted(prefixes(0, 4)));
      expect(sent.slice(before.length)).toEqual(aborted(prefixes(4, 8)));
      expect(errors).toEqual([]);
      await page.close();
    },
    30_000,
  );
});
