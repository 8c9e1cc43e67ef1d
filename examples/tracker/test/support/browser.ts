import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContextOptions, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { chromiumArgs, findChromium } from '../../../../scripts/chromium.mjs';
import { buildPage } from '../../server/build-page.mjs';
import { startTracker, type Tracker } from './tracker.js';

const found = await findChromium();

/** Why there is no browser to test in; undefined where there is one. */
export const missing = 'reason' in found ? found.reason : undefined;
if (missing) console.warn(`The demo is not tested in a browser: ${missing}`);

/** Builds the page and starts the browser once for a group of tests; each gets a server of its own. */
export function prepareDemo(issueCount?: number) {
  let browser: Awaited<ReturnType<typeof startBrowser>>;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  let tracker: Tracker;
  let opened: Awaited<ReturnType<typeof browser.open>>[] = [];
  beforeEach(async () => {
    tracker = await startTracker(browser.pageFolder, issueCount);
  });
  afterEach(async () => {
    const problems = opened.flatMap((one) => one.problems);
    for (const { close } of opened) await close();
    opened = [];
    await tracker.close();
    expect(problems).toEqual([]);
  });
  return {
    /** The server of the running test. */
    get tracker() {
      return tracker;
    },
    open: async (path = '/', options?: BrowserContextOptions) => {
      const one = await browser.open(tracker.url + path, options);
      opened.push(one);
      return one;
    },
  };
}

async function startBrowser() {
  const pageFolder = await mkdtemp(join(tmpdir(), 'tracker-page-'));
  await buildPage(pageFolder);
  const browser = await chromium.launch({ executablePath: found.path, args: chromiumArgs });
  return {
    pageFolder,
    /** A page of its own context at that address, and the requests for data it has sent since. */
    open: async (url: string, options?: BrowserContextOptions) => {
      const viewport = { width: 1280, height: 800 };
      const context = await browser.newContext({ viewport, ...options });
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('console', (message) => {
        // Messages of the browser and of React about deliberate failures are no mistake of the page.
        const isDeliberate = /Failed to load resource|the failure switch/.test(message.text());
        const isMistake = message.type() === 'error' || message.type() === 'warning';
        if (isMistake && !isDeliberate) problems.push(message.text());
      });
      page.setDefaultTimeout(15_000);
      await page.goto(url);
      const rows = page.locator('.row-link').first().waitFor();
      await rows.catch((error: Error) => {
        throw new Error(`No list appeared. The page said: ${problems.join('; ')}`, {
          cause: error,
        });
      });
      return { page, problems, requests: listen(page), close: () => context.close() };
    },
    close: async () => {
      await browser.close();
      await rm(pageFolder, { recursive: true, force: true });
    },
  };
}

/**
 * The requests for data of a page from now on, and those of the cache by URL that it compares itself with. The browser
 * reports the sizes of their responses.
 */
function listen(page: Page) {
  const sent: string[] = [];
  const finished: string[] = [];
  const byUrl: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) sent.push(`${request.method()} ${pathname}`);
    if (pathname.startsWith('/by-url/')) byUrl.push(pathname.slice('/by-url'.length) + search);
  });
  const bytes: { request: string; size: number }[] = [];
  page.on('requestfinished', (request) => {
    const name = `${request.method()} ${new URL(request.url()).pathname}`;
    finished.push(name);
    const note = ({ responseBodySize: size }: { responseBodySize: number }) =>
      bytes.push({ request: name, size });
    // A page that is closed reports no sizes.
    request.sizes().then(note, () => undefined);
  });
  return { sent, finished, byUrl, bytes };
}

/** Until React has committed what came in, and a frame has shown it. */
export const nextFrame = (page: Page) =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))));

/** A number of the footer; `NaN` where it shows none. */
export async function figure(page: Page, name: string) {
  const element = page.getByRole('status', { name, exact: true });
  return Number((await element.getAttribute('data-value')) ?? NaN);
}

/** Until the list holds so many issues. */
export async function untilLoaded(page: Page, count: number) {
  const loaded = page.getByRole('status', { name: 'Loaded' });
  await loaded.filter({ hasText: new RegExp(`^${count.toLocaleString('en')} of`) }).waitFor();
}

/** Scrolls from the place where the list is to its beginning, and gives the ids of all rows on the way, in their order. */
export const idsAbove = (page: Page) =>
  page.locator('.list').evaluate(async (list) => {
    const ids = new Map<number, number>();
    const look = () => {
      for (const row of list.querySelectorAll('.row'))
        ids.set(Number(row.ariaPosInSet), Number(row.getAttribute('data-issue')));
    };
    const frame = () => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done)));
    for (look(); list.scrollTop > 0; look()) {
      list.scrollTop -= 300;
      await frame();
      await frame();
    }
    return [...ids].toSorted(([a], [b]) => a - b).map(([, id]) => id);
  });

/** The ids of the rows in the page, in their order; `NaN` of one that the server has not created yet. */
export const rowIds = (page: Page) =>
  page
    .locator('.row')
    .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-issue'))));

export const scrollToEnd = (page: Page) =>
  page.locator('.list').evaluate((list) => list.scrollTo({ top: list.scrollHeight }));

export const scrollToTop = async (page: Page) => {
  await page.locator('.list').evaluate((list) => list.scrollTo({ top: 0 }));
  await page.locator('[aria-posinset="1"]').waitFor();
};

/** Creates an issue, and waits for its row. */
export async function create(page: Page, title: string) {
  await page.getByRole('button', { name: 'New issue' }).click();
  await page.getByRole('dialog').getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Create issue' }).click();
  await page.locator('.row', { hasText: title }).waitFor();
}

export async function deleteIssue(page: Page, id: number) {
  await page.locator(`[data-issue="${id}"] .row-link`).click();
  await page.getByRole('button', { name: 'Delete issue' }).click();
}
