/** Everyday work with lists: scroll on, delete and undo, and follow what others do. */
import { describe, expect, it } from 'vitest';
import {
  create,
  deleteIssue,
  figure,
  idsAbove,
  missing,
  nextFrame,
  prepareDemo,
  rowIds,
  scrollToEnd,
  scrollToTop,
  untilLoaded,
} from './support/browser.js';

describe.skipIf(missing !== undefined)('the demo in Chromium', () => {
  const demo = prepareDemo();
  const { open } = demo;
  const serverIds = async (query = '') =>
    (await demo.tracker.call('GET', `/issues?limit=200${query}`)).body.results.map(
      ({ id }: { id: number }) => id,
    );

  describe('an endless list', () => {
    it('F35: loads page after page as the end comes near, and the last one, each issue once', async () => {
      const query = '&q=invoice';
      const { page, requests } = await open('/?q=invoice');
      const expected = await serverIds(query);
      expect(expected.length).toBeGreaterThan(60);
      const count = expected.length;
      const end = page.getByText(`${count} of ${count} issues`);
      await expect.poll(() => scrollToEnd(page).then(() => end.count())).toBe(1);
      const last = () => scrollToEnd(page).then(async () => (await rowIds(page)).at(-1));
      await expect.poll(last).toBe(expected.at(-1));
      expect(await idsAbove(page)).toEqual(expected);
      expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
      const lists = requests.sent.filter((request) => request === 'GET /api/issues');
      expect(lists).toHaveLength(Math.ceil(count / 50) - 1);
    });

    it('F35: goes on by keyboard, keeps the focus there, and offers to try again after a failure', async () => {
      const { page } = await open();
      await page.getByLabel('Failures').fill('100');
      await page.getByRole('button', { name: 'Load more' }).focus();
      await page.locator('.list-end').getByRole('alert').waitFor();
      await untilLoaded(page, 50);

      await page.getByLabel('Failures').fill('0');
      const again = page.getByRole('button', { name: 'Try again' });
      await again.focus();
      await page.keyboard.press('Enter');
      await untilLoaded(page, 100);
      const focused = () => page.evaluate(() => document.activeElement?.textContent);
      await expect.poll(focused).toMatch(/Load more|Loading/);
      const ids = await idsAbove(page);
      expect(ids).toEqual((await serverIds()).slice(0, ids.length));
    });

    it('F35: goes on behind creates and deletes that are pending, skips nothing and repeats nothing', async () => {
      const { page, requests } = await open('/?project=BIL');
      const [first, second] = await rowIds(page);
      await page.getByLabel('Latency').fill('2000');
      await create(page, 'Made while paging');
      await deleteIssue(page, Number(second));
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await scrollToEnd(page);
      await untilLoaded(page, 100);
      await expect.poll(() => requests.finished).toContain(`DELETE /api/issues/${second}`);
      await expect.poll(() => requests.finished).toContain('POST /api/issues');
      await nextFrame(page);
      const ids = await idsAbove(page);
      expect(ids.length).toBeGreaterThan(50);
      expect(ids).toEqual((await serverIds('&project=BIL')).slice(0, ids.length));
      expect(ids.indexOf(Number(first))).toBe(1);
      // Once more: the pages that loaded during the create and the delete are read again.
      expect(requests.sent.filter((request) => request === 'GET /api/issues')).toHaveLength(2);
    });
  });

  describe('a delete', () => {
    it('F35: is undone in its message or by Ctrl+Z before anything is sent, and gives the focus back to the row', async () => {
      const { page, requests } = await open();
      const before = await rowIds(page);
      const [, id, neighbor] = before;
      const row = page.locator(`[data-issue="${id}"]`);
      const focused = () =>
        page.evaluate(() => document.activeElement?.closest('.row')?.getAttribute('data-issue'));
      for (const undo of [
        () => page.getByRole('button', { name: /^Undo/ }).click(),
        () => page.keyboard.press('Control+z'),
      ]) {
        await deleteIssue(page, Number(id));
        await row.waitFor({ state: 'detached' });
        expect(await focused()).toBe(String(neighbor));
        expect(await page.getByRole('status', { name: 'Messages' }).innerText()).toMatch(
          /^\w+-\d+ deleted/,
        );
        await undo();
        await row.waitFor();
        await expect.poll(focused).toBe(String(id));
        expect(await page.locator('.toast').count()).toBe(0);
        expect(await rowIds(page)).toEqual(before);
      }
      expect(requests.sent.filter((request) => request.startsWith('DELETE'))).toEqual([]);
      expect((await demo.tracker.call('GET', `/issues/${id}`)).status).toBe(200);
    });

    it('F35: is sent when its message has gone, which stays while the focus is in it', async () => {
      const { page, requests } = await open();
      const [id] = await rowIds(page);
      await page.clock.install();
      await deleteIssue(page, Number(id));
      await page.getByRole('button', { name: /^Undo/ }).focus();
      await page.clock.runFor(60_000);
      expect(await page.getByRole('button', { name: /^Undo/ }).count()).toBe(1);
      expect(requests.sent.filter((request) => request.startsWith('DELETE'))).toEqual([]);
      await page.locator('.row-link').first().focus();
      await page.clock.runFor(7_000);
      await page.locator('.toast').waitFor({ state: 'detached' });
      await expect.poll(() => requests.finished).toContain(`DELETE /api/issues/${id}`);
      // No list is fetched again: the row is removed, and the others are known.
      expect(requests.sent.filter((request) => request === 'GET /api/issues')).toEqual([]);
    });

    it('F35: is sent at once when the page is closed', async () => {
      const { page } = await open();
      const [id] = await rowIds(page);
      await deleteIssue(page, Number(id));
      await page.close({ runBeforeUnload: true });
      const status = async () => (await demo.tracker.call('GET', `/issues/${id}`)).status;
      await expect.poll(status).toBe(404);
    });
  });

  describe('polling', () => {
    it('F35: is a switch, and its ring says when a poll failed', async () => {
      const { page, requests } = await open();
      const live = page.getByRole('switch', { name: 'Live' });
      expect(await live.getAttribute('aria-checked')).toBe('false');
      await live.click();
      await page.locator('.ring[data-filling="true"]').waitFor();
      requests.finished.length = 0;
      const finished = () => requests.finished;
      await expect.poll(finished, { timeout: 10_000 }).toContain('GET /api/changes');
      await page.getByLabel('Failures').fill('100');
      await page.locator('.ring[data-failed="true"]').waitFor();
      await live.click();
      await page.locator('.ring[data-filling="false"]').waitFor();
    });

    it('F35: lets a second window, opened from the page, follow it, and the page follow that one', async () => {
      const { page } = await open();
      const [second] = await Promise.all([
        page.waitForEvent('popup'),
        page.getByRole('link', { name: 'Open a second window' }).click(),
      ]);
      await second.locator('.row').first().waitFor();
      await scrollToEnd(second);
      await untilLoaded(second, 100);
      await scrollToTop(second);
      const before = await rowIds(second);
      const [changed = 0, deleted = 0] = before;
      await second.locator(`[data-issue="${changed}"] .row-link`).click();
      await second.locator('.comment-form').waitFor();
      await second.getByRole('button', { name: 'Reset' }).click();

      await page.getByRole('button', { name: 'Rename Katherine Coleman' }).click();
      await page.getByLabel('New name of Katherine Coleman').fill('Katherine Johnson');
      await page.keyboard.press('Enter');
      await create(page, 'Seen in both');
      await deleteIssue(page, deleted);
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await page.locator(`[data-issue="${changed}"] .row-link`).click();
      const title = page.getByRole('complementary').getByRole('textbox', { name: 'Title' });
      await title.fill('Typed');
      await title.pressSequentially(' over here', { delay: 20 });
      await page.getByLabel('New comment').fill('Hello over there');
      await page.getByRole('button', { name: 'Comment', exact: true }).click();

      await second.locator('.row').getByText('Katherine Johnson').first().waitFor();
      await second.locator('.row', { hasText: 'Seen in both' }).waitFor();
      await second.locator(`[data-issue="${deleted}"]`).waitFor({ state: 'detached' });
      await second.locator('.comment', { hasText: 'Hello over there' }).waitFor();
      await second.locator('.row', { hasText: 'Typed over here' }).waitFor();
      const titleThere = second.getByRole('complementary').getByRole('textbox', { name: 'Title' });
      expect(await titleThere.inputValue()).toBe('Typed over here');
      expect(await second.getByText('Katherine Coleman').count()).toBe(0);
      // The new one is in front, and all pages are still there.
      await untilLoaded(second, 100);
      const ids = await rowIds(second);
      expect(ids.slice(1, 20)).toEqual(before.filter((id) => id !== deleted).slice(0, 19));
      expect(await figure(second, 'row renders')).toBeLessThan(50);

      await second.getByRole('complementary').getByLabel('Status').selectOption('Canceled');
      const row = page.locator(`[data-issue="${changed}"]`);
      await row.getByRole('img', { name: 'Canceled' }).waitFor();
    });
  });
});
