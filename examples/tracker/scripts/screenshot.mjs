// @ts-check
/**
 * Takes the picture of the demo for the README, 1280 × 800: a user was just renamed, and the rows that show the name flash.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { chromiumArgs, findChromium } from '../../../scripts/chromium.mjs';
import { buildPage } from '../server/build-page.mjs';
import { startServer } from '../server/server.mjs';

/** The same pixels in half as many bytes. @param {import('playwright').Page} page @param {Buffer} png */
async function toWebp(page, png) {
  const text = await page.evaluate(async (data) => {
    const response = await fetch(`data:image/png;base64,${data}`);
    const image = await createImageBitmap(await response.blob());
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    // Quality 1 is lossless.
    return canvas.toDataURL('image/webp', 1);
  }, png.toString('base64'));
  return Buffer.from(text.replace(/^.*,/, ''), 'base64');
}

const target = fileURLToPath(new URL('../../../docs/demo.webp', import.meta.url));

const found = await findChromium();
if (found.path === undefined) throw new Error(`No Chromium: ${found.reason}`);
const folder = await mkdtemp(join(tmpdir(), 'tracker-'));
await buildPage(join(folder, 'page'));
const server = await startServer({
  port: 0,
  databaseFile: join(folder, 'picture.sqlite'),
  pageFolder: join(folder, 'page'),
});
const browser = await chromium.launch({
  executablePath: found.path,
  args: [...chromiumArgs, '--font-render-hinting=none'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${server.url}/?issue=199995`);
  await page.locator('.comment').first().waitFor();
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.getByRole('button', { name: 'Rename Katherine Coleman' }).click();
  await page.getByLabel('New name of Katherine Coleman').fill('Katherine Johnson');
  await page.keyboard.press('Enter');
  await page.locator('.last-request', { hasText: /PATCH.*200/ }).waitFor();
  const byUrl = page.getByRole('status', { name: 'requests with a cache by URL' });
  await byUrl.filter({ hasText: '4' }).waitFor();
  await page.mouse.move(2, 2);
  // The flashes, held at their brightest.
  await page.evaluate(() => {
    for (const row of document.querySelectorAll('.renders')) {
      for (const animation of row.getAnimations()) animation.currentTime = 200;
    }
    for (const animation of document.getAnimations()) animation.pause();
  });
  await writeFile(target, await toWebp(await browser.newPage(), await page.screenshot()));
} finally {
  await browser.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
