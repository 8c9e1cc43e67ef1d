import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { chromiumArgs, findChromium } from '../../../../scripts/chromium.mjs';
import type { Client } from './site/client.js';
import {
  hasReadableStream,
  type Render,
  withPipeableStream,
  withReadableStream,
} from './site/render.js';
import { bundleClient, type SiteOptions, startSite } from './site/start.js';

/** What the client puts on the page. */
declare const client: Client;

const found = await findChromium();
const missing = found.path === undefined ? found.reason : undefined;
if (missing !== undefined) console.warn(`Hydration is not tested: ${missing}`);

const responses = {
  '/api/issues': [1, 2].map((id) => ({
    id: String(id),
    title: `Issue ${id}`,
    author: { id: 'a', name: 'Ann' },
    openedAt: '2026-01-01T00:00:00.000Z',
  })),
  '/api/users/a': { id: 'a', name: 'Ann' },
  '/api/count': { open: 2 },
};
const paths = Object.keys(responses);

describe.skipIf(missing !== undefined)('a streamed page', { timeout: 60_000 }, () => {
  let browser: Browser;
  let script: string;
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: found.path, args: chromiumArgs });
    script = await bundleClient();
  }, 60_000);
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  afterAll(() => browser?.close());

  async function open(options: Partial<SiteOptions> = {}, query = '') {
    const started = await startSite({
      render: withPipeableStream,
      client: script,
      responses,
      ...options,
    });
    const context = await browser.newContext();
    ends.push(started.close, () => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    await page.goto(`${started.url}/${query}`, { waitUntil: 'commit' });
    return { ...started, page, problems };
  }

  const isHydrated = (page: Page, name: string) =>
    page.locator(`html[data-${name}=hydrated]`).waitFor({ state: 'attached' });

  const streams: [name: string, render: Render][] = [
    ['renderToPipeableStream', withPipeableStream],
  ];
  if (hasReadableStream) streams.push(['renderToReadableStream', withReadableStream]);

  it.each(streams)(
    'shows and takes over each boundary as it arrives, without a request (%s)',
    async (_, render) => {
      const { page, release, fromBrowser, fromServer, problems } = await open({
        render,
        held: paths,
      });
      // The shell alone is there, and works.
      await page.getByText('list…').waitFor();
      await expect.poll(() => page.evaluate(() => 'client' in globalThis)).toBe(true);
      await page.getByRole('button', { name: 'clicked 0' }).click();
      await page.getByRole('button', { name: 'clicked 1' }).waitFor();

      release('/api/users/a');
      await isHydrated(page, 'author');
      expect(await page.locator('main').innerText()).toBe('list…\n\nAuthor: Ann\n\ncount…');
      release('/api/issues');
      await isHydrated(page, 'list');
      release('/api/count');
      await isHydrated(page, 'count');
      expect(await page.locator('main').innerText()).toBe(
        'Issue 1 by Ann, 2026\nIssue 2 by Ann, 2026\nAuthor: Ann\n\n2 open',
      );
      expect(fromServer.toSorted()).toEqual([
        '/api/count',
        '/api/issues?status=open',
        '/api/users/a',
      ]);
      expect(fromBrowser).toEqual([]);
      expect(await page.evaluate(() => client.errors)).toEqual([]);
      expect(problems).toEqual([]);
    },
  );

  it('renders each reader once when it takes it over', async () => {
    const { page, problems } = await open();
    for (const name of ['list', 'author', 'count']) await isHydrated(page, name);
    expect(await page.evaluate(() => client.renders)).toEqual({
      List: 1,
      'Row 1': 1,
      'Row 2': 1,
      Author: 1,
      Count: 1,
    });
    expect(problems).toEqual([]);
  });

  it('a change before a boundary arrives shows after it was taken over, without a mismatch', async () => {
    const { page, release, fromBrowser, problems } = await open({
      held: ['/api/users/a', '/api/count'],
    });
    await isHydrated(page, 'list');
    await page.evaluate(() => client.rename('Changed'));
    await page.getByText('Issue 1 by Changed').waitFor();
    release('/api/users/a');
    await isHydrated(page, 'author');
    await page.getByText('Author: Changed').waitFor();
    release('/api/count');
    await isHydrated(page, 'count');
    expect(await page.evaluate(() => client.errors)).toEqual([]);
    expect(problems).toEqual([]);
    expect(fromBrowser).toEqual([]);
  });

  it('in a page that has arrived as a whole, too', async () => {
    const { page, fromBrowser, problems } = await open({}, '?early=Changed');
    await isHydrated(page, 'author');
    await page.getByText('Author: Changed').waitFor();
    await page.getByText('Issue 2 by Changed').waitFor();
    expect(await page.evaluate(() => client.errors)).toEqual([]);
    expect(problems).toEqual([]);
    expect(fromBrowser).toEqual([]);
  });

  it('takes over what each boundary shows, where responses of one page disagree about a record', async () => {
    const { page, release, fromBrowser, problems } = await open({
      // The list says Ann, and the response about the author says Anne, a little later.
      responses: { ...responses, '/api/users/a': { id: 'a', name: 'Anne' } },
      held: ['/client.js', '/api/users/a'],
    });
    await page.getByText('Issue 1 by Ann,').waitFor();
    release('/api/users/a');
    await page.getByText('Author: Anne').waitFor();
    release('/client.js');
    for (const name of ['list', 'author', 'count']) await isHydrated(page, name);
    await page.getByText('Issue 1 by Anne').waitFor();
    expect(await page.evaluate(() => client.errors)).toEqual([]);
    expect(problems).toEqual([]);
    expect(fromBrowser).toEqual([]);
  });

  it('data that looks like HTML stays data, and the nonce lets its scripts run', async () => {
    const name = `</script><script>document.title = 'taken over'</script><!--<script>\u2028\u2029'"\\`;
    const { page, problems } = await open({
      nonce: 'r4nd0m',
      responses: JSON.parse(JSON.stringify(responses).replaceAll('"Ann"', JSON.stringify(name))),
    });
    await isHydrated(page, 'author');
    expect(await page.locator('h2').textContent()).toBe(`Author: ${name}`);
    expect(await page.title()).toBe('Issues');
    expect(await page.evaluate(() => client.errors)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
