import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page, type Request } from 'playwright';
import { chromiumArgs, findChromium } from '../../../../scripts/chromium.mjs';
import { buildPage } from '../../server/build-page.mjs';

/** The browser to test in, or the reason why there is none. */
export const foundChromium = await findChromium();

/** Builds the page and starts the browser, once for a test file. */
export async function startBrowser() {
  const pageFolder = await mkdtemp(join(tmpdir(), 'tracker-page-'));
  await buildPage(pageFolder);
  const browser = await chromium.launch({ executablePath: foundChromium.path, args: chromiumArgs });
  return {
    pageFolder,
    /** A page of its own context at that address, and the requests for data it has sent since. */
    open: async (url: string) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
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

function listen(page: Page) {
  const sent: string[] = [];
  const answered: string[] = [];
  const describe = (request: Request) => `${request.method()} ${new URL(request.url()).pathname}`;
  page.on('request', (request) => sent.push(describe(request)));
  page.on('requestfinished', (request) => answered.push(describe(request)));
  return { sent, answered };
}

/** Until React has committed what came in, and a frame has shown it. */
export const nextFrame = (page: Page) =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))));
