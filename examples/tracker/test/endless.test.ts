/** The list of the demo, with as many issues as it really has. */
import { describe, expect, it } from 'vitest';
import { ISSUE_COUNT } from '../server/seed.mjs';
import {
  create,
  idsAbove,
  missing,
  nextFrame,
  prepareDemo,
  rowIds,
  scrollToEnd,
  scrollToTop,
  untilLoaded,
} from './support/browser.js';

describe.skipIf(missing !== undefined)('a list of 200 000 issues', () => {
  const demo = prepareDemo(ISSUE_COUNT);
  const { open } = demo;

  it('F35: has only the rows on the screen in the page, in each order and with filters', async () => {
    const { page } = await open();
    await page.getByText('50 of 200,000 issues').waitFor();
    for (let count = 100; count <= 1000; count += 50) {
      await scrollToEnd(page);
      await untilLoaded(page, count);
      expect(await page.locator('.row').count()).toBeLessThan(60);
    }
    const height = await page.locator('.rows').evaluate((rows) => rows.clientHeight);
    expect(height).toBeGreaterThan(36 * 1000);
    const ids = await idsAbove(page);
    expect(ids).toEqual(Array.from(ids, (_, index) => ISSUE_COUNT - index));

    for (const order of ['updated', 'priority', 'title']) {
      await page.getByLabel('Order').selectOption(order);
      const { body } = await demo.tracker.call('GET', `/issues?sort=${order}`);
      const expected = body.results.slice(0, 20).map(({ id }: { id: number }) => id);
      await expect.poll(() => rowIds(page).then((shown) => shown.slice(0, 20))).toEqual(expected);
    }
    await page.getByLabel('Status').selectOption('open');
    await page.getByRole('button', { name: /^Billing/ }).click();
    const { body } = await demo.tracker.call('GET', '/issues?project=BIL&status=open&limit=1');
    const count = (body.remaining + 1).toLocaleString('en');
    await page.getByText(`50 of ${count} issues`).waitFor();
  });

  it('F35: does not move what is on the screen when a row comes in front of it', async () => {
    const { page } = await open();
    await scrollToEnd(page);
    await untilLoaded(page, 100);
    await page.locator('.list').evaluate((list) => list.scrollTo({ top: 1000 }));
    await page.locator('[aria-posinset="35"]').waitFor();
    const id = await page.locator('[aria-posinset="35"]').getAttribute('data-issue');
    const row = page.locator(`[data-issue="${id}"]`);
    const top = () => row.evaluate((element) => element.getBoundingClientRect().top);
    const before = await top();
    await page.getByRole('button', { name: 'New issue' }).click();
    await page.getByRole('dialog').getByLabel('Title').fill('Far above');
    await page.getByRole('button', { name: 'Create issue' }).click();
    await expect.poll(() => row.getAttribute('aria-posinset')).toBe('36');
    await nextFrame(page);
    expect(await top()).toBeCloseTo(before, 0);
    expect(await page.locator('.row', { hasText: 'Far above' }).count()).toBe(0);
    await scrollToTop(page);
    await page.locator('[aria-posinset="1"]', { hasText: 'Far above' }).waitFor();
  });

  it('F35: is walked through by keyboard, and keeps the focus while it is scrolled', async () => {
    const { page } = await open();
    const focused = () =>
      page.evaluate(() => document.activeElement?.closest('.row')?.getAttribute('aria-posinset'));
    await page.locator('.row-link').first().focus();
    for (let row = 2; row <= 41; row++) {
      await page.keyboard.press('ArrowDown');
      await expect.poll(focused).toBe(String(row));
    }
    expect(await page.locator('[aria-posinset="41"]').getAttribute('aria-setsize')).toBe('200000');
    await page.locator('.list').evaluate((list) => list.scrollTo({ top: 0 }));
    await page.locator('[aria-posinset="1"]').waitFor();
    expect(await focused()).toBe('41');
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe('42');
    await page.keyboard.press('Home');
    await expect.poll(focused).toBe('1');
    await untilLoaded(page, 100);
    await page.keyboard.press('End');
    await expect.poll(focused).toBe('100');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(focused).toBe('100');
  });

  it('follows a new issue of another window in front of all pages', async () => {
    const { page } = await open('/?live=1');
    const body = { title: 'From elsewhere', project: 'APP', author: 2 };
    await demo.tracker.call('POST', '/issues', body, { 'x-demo-window': 'another' });
    await page.locator('[aria-posinset="1"]', { hasText: 'From elsewhere' }).waitFor();
    await page.getByText('of 200,001 issues').waitFor();
    await create(page, 'From here');
    await page.locator('[aria-posinset="1"]', { hasText: 'From here' }).waitFor();
  });
});
