/** Elements with an `id` or `name` are globals of the page: those of users must not stand in the way of its data. */
import { chromium, type Browser } from 'playwright';
import { Controller, Entity } from 'restitch';
import { serializeState } from 'restitch/ssr';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumArgs, findChromium } from '../../../../scripts/chromium.mjs';
import type { Read } from './site/reader.js';
import { bundle } from './site/start.js';

/** What the script of the page puts there. */
declare const read: Read;

class Note extends Entity {
  id = '';
  text = '';
  static override key = 'Note';
}

const found = await findChromium();
const missing = found.path === undefined ? found.reason : undefined;
if (missing !== undefined) console.warn(`User content in pages is not tested: ${missing}`);

function scriptWith(id: string): string {
  const controller = new Controller();
  controller.set(Note, { id }, { text: `text of ${id}` });
  return serializeState(controller);
}

describe.skipIf(missing !== undefined)('the data of a page', { timeout: 60_000 }, () => {
  let browser: Browser;
  let script: string;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: found.path, args: chromiumArgs });
    script = await bundle('reader.ts');
  }, 60_000);
  afterAll(() => browser?.close());

  it.each([
    ['<div id="__restitch">comment</div>'],
    ['<p id="__restitch"></p><p id="__restitch"></p>'],
    ['<form name="__restitch"><input name="push"></form>'],
    ['<img name="__restitch" alt="">'],
    ['<iframe name="__restitch" srcdoc="text"></iframe>'],
  ])('is taken with %s', async (content) => {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    const start = `<script>${script}</script>`;
    await page.setContent(
      `<!doctype html><body>${content}${scriptWith('1')}${start}${content}${scriptWith('2')}`,
    );
    expect(await page.evaluate(() => ['1', '2'].map((id) => read(id)))).toEqual([
      'text of 1',
      'text of 2',
    ]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it.each([['<div id="__restitch"></div>'], ['<iframe name="__restitch"></iframe>']])(
    'may be none: the controller starts with %s',
    async (content) => {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(error.message));
      await page.setContent(
        `<!doctype html><body>${content}<script>${script}</script>${scriptWith('1')}`,
      );
      expect(await page.evaluate(() => read('1'))).toBe('text of 1');
      expect(problems).toEqual([]);
      await page.close();
    },
  );
});
