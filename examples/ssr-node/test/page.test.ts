import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumArgs, findChromium } from '../../../scripts/chromium.mjs';
import { buildSite } from '../server/build.mjs';
import { startServer } from '../server/server.mjs';

const found = await findChromium();
const missing = found.path === undefined ? found.reason : undefined;
if (missing !== undefined) console.warn(`The streamed page is not tested: ${missing}`);

/** Responses of the API that wait until they are released. */
function gates(...paths: string[]) {
  const open = new Map<string, () => void>();
  const opened = new Map(
    paths.map((path) => [path, new Promise<void>((resolve) => open.set(path, resolve))]),
  );
  return {
    wait: (path: string): Promise<void> => opened.get(path) ?? Promise.resolve(),
    release: (path: string): void => open.get(path)?.(),
  };
}

describe.skipIf(missing !== undefined)('the page', () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    // Below the example: the server's bundle imports React from there.
    const parent = fileURLToPath(new URL('../.cache/', import.meta.url));
    await mkdir(parent, { recursive: true });
    folder = await mkdtemp(join(parent, 'page-'));
    await buildSite(folder);
    browser = await chromium.launch({ executablePath: found.path, args: chromiumArgs });
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('streams three boundaries, and is taken over without a request or a mismatch', async () => {
    const { wait, release } = gates('/api/books', '/api/reviews', '/api/authors/1');
    const seen: string[] = [];
    const server = await startServer({
      port: 0,
      folder,
      wait,
      onApiRequest: ({ method, url, headers }) => {
        if (headers.referer) seen.push(`${method} ${url}`);
      },
    });
    const page = await browser.newPage();
    page.setDefaultTimeout(15_000);
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    try {
      await page.goto(server.url, { waitUntil: 'commit' });
      for (const text of ['The books…', 'The reviews…', 'The author…']) {
        await page.getByText(text).waitFor();
      }
      release('/api/books');
      const likes = page.getByRole('listitem').getByRole('button', { name: 'Like Ada Lovelace' });
      await likes.getByText('♥ 3').waitFor();
      // A click on what was not taken over yet does nothing.
      await expect.poll(() => likes.evaluate((button) => Object.keys(button).length)).not.toBe(0);
      await likes.click();
      await likes.getByText('♥ 4').waitFor();
      // The update is optimistic: the number is on the screen before the request is at the server.
      await expect.poll(() => seen).toEqual(['PATCH /api/authors/1']);

      // The server rendered these with the old number, or with the new one: the browser knows better either way.
      release('/api/reviews');
      await page
        .getByText('It weaves algebraic patterns </script>, says Ada Lovelace, liked by 4')
        .waitFor();
      release('/api/authors/1');
      await expect.poll(() => page.getByText('♥ 4').count()).toBe(2);
      expect(await page.getByText('…').count()).toBe(0);
      expect(seen).toEqual(['PATCH /api/authors/1']);
      expect(problems).toEqual([]);
    } finally {
      await page.close();
      await server.close();
    }
  });
});
