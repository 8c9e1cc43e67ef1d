// @ts-check
/** Runs every live example of the built site in Chromium, and edits one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { preview } from 'vite';
import { chromiumArgs, findChromium } from '../../scripts/chromium.mjs';

/**
 * @param {string} built
 * @returns {Promise<{ examples: number, problems: string[] }>} Throws where a browser is required and there is none.
 */
export async function playExamples(built) {
  const pages = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.html') && /class="live-button"/.test(readText(built, name)),
  );
  const found = await findChromium();
  if (found.path === undefined) {
    if (process.env['REQUIRE_BROWSER']) throw new Error(found.reason);
    console.warn(`The examples of ${pages.length} pages were not run: ${found.reason}`);
    return { examples: 0, problems: [] };
  }
  const server = await preview({
    root: built,
    logLevel: 'silent',
    build: { outDir: built },
    preview: { port: 0 },
  });
  const browser = await chromium.launch({ executablePath: found.path, args: chromiumArgs });
  /** @type {string[]} */
  const problems = [];
  try {
    for (const name of pages) {
      const page = await browser.newPage();
      const url = new URL(name, server.resolvedUrls?.local[0]).href;
      // Waits on conditions alone: each of these fails after Playwright's own time limit.
      await play(page, url).catch((error) => problems.push(`${name}: ${error.message}`));
      await page.close();
    }
  } finally {
    await browser.close();
    await server.close();
  }
  return { examples: pages.length, problems };
}

/** @param {string} built @param {string} name */
const readText = (built, name) => readFileSync(join(built, name), 'utf8');

/** Starts an example, waits until it shows what its server sent, and renames its first button. @param {import('playwright').Page} page @param {string} url */
async function play(page, url) {
  await page.goto(url);
  await page.getByRole('button', { name: 'Run and edit this example' }).first().click();
  const frame = page.frameLocator('iframe');
  await frame.locator('#requests li', { hasText: '→ 200' }).first().waitFor();
  await frame.locator('#root li').first().waitFor();
  const error = await frame.locator('#error').textContent();
  if (error) throw new Error(error);
  const button = await frame.locator('#root button').first().textContent();
  if (!button) throw new Error('The example has no button.');
  const editor = page.locator('textarea');
  await editor.fill((await editor.inputValue()).replaceAll(button, 'Edited'));
  await frame.locator('#root button', { hasText: 'Edited' }).first().waitFor();
}
