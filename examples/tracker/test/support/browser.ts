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
export function prepareDemo() {
  let browser: Awaited<ReturnType<typeof startBrowser>>;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  let tracker: Tracker;
  let opened: Awaited<ReturnType<typeof browser.open>>[] = [];
  beforeEach(async () => {
    tracker = await startTracker(browser.pageFolder);
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
        // What the browser and React say about failures that were asked for is no mistake of the page.
        const isAskedFor = /Failed to load resource|the failure switch/.test(message.text());
        const isMistake = message.type() === 'error' || message.type() === 'warning';
        if (isMistake && !isAskedFor) problems.push(message.text());
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

/** The requests for data of a page from now on, and beside them those of the cache by URL that it compares itself with. */
function listen(page: Page) {
  const sent: string[] = [];
  const answered: string[] = [];
  const byUrl: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) sent.push(`${request.method()} ${pathname}`);
    if (pathname.startsWith('/by-url/')) byUrl.push(pathname.slice('/by-url'.length) + search);
  });
  page.on('requestfinished', (request) => {
    answered.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return { sent, answered, byUrl };
}

/** Until React has committed what came in, and a frame has shown it. */
export const nextFrame = (page: Page) =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))));

/** A number of the footer. */
export async function figure(page: Page, name: string) {
  const text = await page.getByRole('status', { name, exact: true }).innerText();
  return Number(text.replaceAll(',', ''));
}

/** The ids of the rows, in their order; `NaN` of one that the server has not answered. */
export const rowIds = (page: Page) =>
  page
    .locator('.row')
    .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-issue'))));
