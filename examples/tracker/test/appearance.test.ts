/** The looks of the page: readable in light and dark, and within the screen at each width. */
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { missing, prepareDemo, rowIds } from './support/browser.js';

describe.skipIf(missing !== undefined)('the appearance of the demo', () => {
  const { open } = prepareDemo();

  it.each(['light', 'dark'] as const)(
    'every text has enough contrast in %s, with pending and failed changes',
    async (colorScheme) => {
      const { page } = await open('/', { colorScheme, reducedMotion: 'reduce' });
      await showAllStates(page);
      expect(await faintTexts(page)).toEqual([]);
    },
  );

  it.each([1280, 1020, 810, 390])('nothing is wider than a screen of %s pixels', async (width) => {
    const { page } = await open('/', { viewport: { width, height: 800 } });
    await showAllStates(page);
    const tooWide = await page.evaluate(() =>
      ['html', '.main', '.toolbar', '.meter', '.detail', '.list'].filter((selector) => {
        const element = document.querySelector(selector);
        return element !== null && element.scrollWidth > element.clientWidth;
      }),
    );
    expect(tooWide).toEqual([]);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    expect(height).toBe(800);
  });
});

/** An issue is open, one is being created, one could not be, and of the open one some changes failed and one is pending. */
async function showAllStates(page: Page) {
  const [id] = await rowIds(page);
  const create = async (title: string) => {
    await page.locator('body').press('c');
    await page.getByRole('dialog').getByLabel('Title').fill(title);
    await page.getByRole('button', { name: 'Create issue' }).click();
  };
  await page.getByLabel('Failures').fill('100');
  await create('Refused');
  await page.locator('.failed-create').waitFor();
  await page.getByLabel('Failures').fill('0');
  await page.locator(`[data-issue="${id}"] .row-link`).click();
  await page.locator('.comment-form').waitFor();
  await page.getByLabel('Failures').fill('100');
  const pane = page.getByRole('complementary');
  await pane.getByRole('textbox', { name: 'Title' }).fill('Words that could not be saved');
  await pane.getByRole('combobox', { name: 'Priority' }).selectOption('Urgent');
  await pane.locator('.failed').nth(1).waitFor();
  await page.getByLabel('Failures').fill('0');
  await page.getByLabel('Latency').fill('10000');
  await pane.getByRole('combobox', { name: 'Status' }).selectOption('Backlog');
  await page.locator('.pending').first().waitFor({ state: 'attached' });
}

/** Texts whose contrast with what is behind them is below 4.5, as WCAG 2.2 requires (AA). */
function faintTexts(page: Page) {
  return page.evaluate(() => {
    type Color = readonly [red: number, green: number, blue: number, alpha: number];
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 1;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const parse = (color: string): Color => {
      if (!context) throw new Error('There is no canvas');
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
      return [red, green, blue, alpha / 255];
    };
    const mix = ([r, g, b, alpha]: Color, [red, green, blue]: Color): Color => {
      const one = (front: number, back: number) => front * alpha + back * (1 - alpha);
      return [one(r, red), one(g, green), one(b, blue), 1];
    };
    const luminance = ([r, g, b]: Color) => {
      const [red = 0, green = 0, blue = 0] = [r, g, b].map((value) =>
        value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const faint: string[] = [];
    for (const element of document.querySelectorAll('body *')) {
      const isText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      );
      // Initials repeat the name next to them.
      if (!isText || !element.checkVisibility() || element.closest('.avatar')) continue;
      let behind = parse(getComputedStyle(document.documentElement).backgroundColor);
      let opacity = 1;
      const around: Element[] = [];
      for (let one: Element | null = element; one; one = one.parentElement) around.unshift(one);
      for (const one of around) {
        const style = getComputedStyle(one);
        behind = mix(parse(style.backgroundColor), behind);
        opacity *= Number(style.opacity);
      }
      const [r, g, b, alpha] = parse(getComputedStyle(element).color);
      const front = mix([r, g, b, alpha * opacity], behind);
      const [light = 0, dark = 0] = [luminance(front), luminance(behind)].toSorted((x, y) => y - x);
      const contrast = (light + 0.05) / (dark + 0.05);
      if (contrast < 4.5)
        faint.push(`${element.className}: ${element.textContent} (${contrast.toFixed(2)})`);
    }
    return faint;
  });
}
