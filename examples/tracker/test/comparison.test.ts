/** The figures of the footer: this page and a cache by URL that really runs. */
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import {
  create,
  figure,
  missing,
  nextFrame,
  prepareDemo,
  rowIds,
  scrollToEnd,
  scrollToTop,
  untilLoaded,
} from './support/browser.js';

type Requests = Awaited<ReturnType<ReturnType<typeof prepareDemo>['open']>>['requests'];

describe.skipIf(missing !== undefined)('the comparison with a cache by URL', () => {
  const { open } = prepareDemo();

  it('F35: the numbers of the cache by URL are those of one that runs, until it is switched off', async () => {
    const { page, requests } = await open();
    const [, , id = 0] = await rowIds(page);
    await page.locator('.row').nth(2).click();
    await page.locator('.comment-form').waitFor();
    await scrollToEnd(page);
    await untilLoaded(page, 100);
    // The issue, its comments, and the second page.
    await expect.poll(() => further(requests)).toEqual([`/issues/${id}`, `/issues/${id}/comments`]);
    await expect
      .poll(() => requests.byUrl.filter((path) => path.includes('after=')))
      .toHaveLength(1);
    await scrollToTop(page);
    await page.getByRole('button', { name: 'Reset' }).click();
    requests.sent.length = requests.byUrl.length = requests.bytes.length = 0;

    const fields = page.getByRole('complementary');
    await fields.getByLabel('Priority').selectOption('Urgent');
    // Both pages of the list. The issue itself is in the response to the change.
    await expect.poll(() => requests.byUrl.length).toBe(2);
    expect(requests.sent).toEqual([`PATCH /api/issues/${id}`]);
    expect(await figure(page, 'requests')).toBe(1);
    expect(await figure(page, 'requests with a cache by URL')).toBe(3);
    await expect.poll(() => figure(page, 'row renders with a cache by URL')).toBe(1);
    await sizesAreThoseOfTheBrowser(page, requests);

    await page.getByRole('button', { name: 'TanStack Query' }).click();
    await page.getByLabel('Run it').uncheck();
    await page.keyboard.press('Escape');
    await fields.getByLabel('Priority').selectOption('Low');
    await expect.poll(() => figure(page, 'requests')).toBe(1);
    expect(await figure(page, 'requests with a cache by URL')).toBeNaN();
    expect(requests.byUrl).toHaveLength(2);
  });

  it('the cache by URL shows the same rows, and renders those that changed', async () => {
    const { page, requests } = await open();
    await expect
      .poll(() => figure(page, 'row renders with a cache by URL'))
      .toBe(await figure(page, 'row renders'));
    const shown = await page.locator('.row').count();
    expect(await figure(page, 'row renders')).toBe(shown);
    await page.getByRole('button', { name: 'Reset' }).click();

    // A row in front: the page renders it, and again when the server has named it. The copies are compared place by place.
    requests.finished.length = 0;
    await create(page, 'In front');
    await expect.poll(() => requests.finished).toContain('GET /by-url/projects');
    await page.locator('[data-issue][data-saved="true"]', { hasText: 'In front' }).waitFor();
    await expect
      .poll(() => figure(page, 'row renders with a cache by URL'))
      .toBeGreaterThanOrEqual(shown - 1);
    await nextFrame(page);
    expect(await figure(page, 'row renders')).toBeLessThanOrEqual(3);
  });

  it('follows to other filters and back, and both read from memory', async () => {
    const { page, requests } = await open();
    const rendered = () => figure(page, 'row renders with a cache by URL');
    await expect.poll(rendered).toBeGreaterThan(0);
    await page.getByRole('button', { name: /^Mobile/ }).click();
    await page.getByRole('heading', { name: 'Mobile' }).waitFor();
    await expect.poll(() => requests.byUrl).toContain('/issues?project=MOB');
    requests.sent.length = requests.byUrl.length = 0;
    await page.getByRole('button', { name: /^All projects/ }).click();
    await page.getByRole('heading', { name: 'All issues' }).waitFor();
    await page.getByRole('button', { name: /^Billing/ }).click();
    await expect.poll(() => requests.byUrl).toEqual(['/issues?project=BIL']);
    expect(requests.sent).toEqual(['GET /api/issues']);
  });

  it('explains the compared figures next to them', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'TanStack Query' }).click();
    const text = await page.locator('#by-url').innerText();
    expect(text).toMatch(/same screens.*own requests.*All figures are counted/s);
  });
});

const further = (requests: Requests) =>
  requests.byUrl.filter((path) => /^\/issues\/\d/.test(path)).toSorted();

async function sizesAreThoseOfTheBrowser(page: Page, { bytes }: Requests) {
  const sum = (path: RegExp) =>
    bytes.filter(({ request }) => path.test(request)).reduce((all, { size }) => all + size, 0);
  const own = sum(/ \/api\//) / 1000;
  const byUrl = sum(/ \/by-url\//) / 1000;
  await expect.poll(() => figure(page, 'received')).toBeCloseTo(own, 5);
  await expect.poll(() => figure(page, 'received with a cache by URL')).toBeCloseTo(own + byUrl, 5);
  expect(byUrl).toBeGreaterThan(own);
}
