/** Changes on their way to the server, failed ones, and text that is typed meanwhile. */
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { missing, nextFrame, prepareDemo, rowIds } from './support/browser.js';

describe.skipIf(missing !== undefined)('saving in the demo', () => {
  const demo = prepareDemo();
  const { open } = demo;
  const stored = async (id: number) => (await demo.tracker.call('GET', `/issues/${id}`)).body;

  it('F35: never loses a letter of a title, with one request in flight and one that waits', async () => {
    const { page, requests } = await open();
    const [id = 0] = await rowIds(page);
    const { title, field } = await openIssue(page, id);
    await page.getByLabel('Latency').fill('400');
    const inFlight = watchPatches(page, id);
    await field.press('Control+End');
    const typed = ' – typed quickly, and no letter is lost';
    await field.pressSequentially(typed, { delay: 25 });
    expect(await field.inputValue()).toBe(title + typed);
    await page.getByLabel('Latency').fill('0');
    await field.pressSequentially('!', { delay: 0 });
    expect(await row(page, id).locator('.title').innerText()).toBe(`${title}${typed}!`);
    await expect.poll(() => row(page, id).locator('.pending').count()).toBe(0);
    expect((await stored(id)).title).toBe(`${title}${typed}!`);
    expect(await field.inputValue()).toBe(`${title}${typed}!`);
    expect(inFlight.most).toBe(1);
    const patches = requests.sent.filter((request) => request.startsWith('PATCH'));
    expect(patches.length).toBeGreaterThan(1);
    expect(patches.length).toBeLessThan(typed.length / 2);

    // Escape goes back to the title of before.
    await field.blur();
    await field.press('Control+End');
    await field.pressSequentially('?');
    await field.press('Escape');
    await expect.poll(async () => (await stored(id)).title).toBe(`${title}${typed}!`);
  });

  it('F35: says in the row what is being saved, and renders no other row for it', async () => {
    const { page } = await open();
    const [id = 0, other = 0] = await rowIds(page);
    const { field } = await openIssue(page, id);
    await page.getByLabel('Latency').fill('1500');
    await page.getByRole('button', { name: 'Reset' }).click();
    const badge = row(page, id).locator('.pending');
    await field.pressSequentially('x');
    await badge.filter({ hasText: 'Saving title…' }).waitFor();
    await page
      .getByRole('complementary')
      .getByRole('combobox', { name: 'Priority' })
      .selectOption('Urgent');
    await badge.filter({ hasText: 'Saving title, priority…' }).waitFor();
    // However much is being saved, the pane keeps its width, and the button to close it its place.
    const pane = page.getByRole('complementary');
    expect(await pane.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    expect(await row(page, other).locator('.pending').count()).toBe(0);
    expect(await row(page, other).locator('.renders').innerText()).toBe('0');
    await badge.waitFor({ state: 'detached' });
    expect(await page.locator('.pending').count()).toBe(0);
  });

  it('F35: keeps each failed change in its row, to be sent again or discarded', async () => {
    const { page, requests } = await open();
    const [id = 0] = await rowIds(page);
    const { title, field } = await openIssue(page, id);
    await page.getByLabel('Failures').fill('100');
    const failed = row(page, id).getByRole('group');
    await field.fill('Cannot be saved yet');
    await failed.filter({ hasText: 'Title not saved: “Cannot be saved yet”' }).waitFor();
    await page
      .getByRole('complementary')
      .getByRole('combobox', { name: 'Priority' })
      .selectOption('Urgent');
    await page
      .getByRole('complementary')
      .getByRole('combobox', { name: 'Status' })
      .selectOption('Backlog');
    await failed.filter({ hasText: 'Priority not saved' }).waitFor();
    await failed.filter({ hasText: 'Status not saved' }).waitFor();
    expect(await failed.count()).toBe(3);
    expect(await row(page, id).locator('.title').innerText()).toBe(title);
    await nothingOverlaps(page);

    await failed.filter({ hasText: 'Status' }).getByRole('button', { name: 'Discard' }).click();
    await failed.filter({ hasText: 'Status' }).waitFor({ state: 'detached' });
    requests.sent.length = 0;
    await page.getByLabel('Failures').fill('0');
    await failed.filter({ hasText: 'Title' }).getByRole('button', { name: 'Retry' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => failed.count()).toBe(1);
    await expect.poll(async () => (await stored(id)).title).toBe('Cannot be saved yet');
    // A newer change of the same field makes the failed one obsolete.
    await page
      .getByRole('complementary')
      .getByRole('combobox', { name: 'Priority' })
      .selectOption('Low');
    await expect.poll(() => failed.count()).toBe(0);
    await expect.poll(async () => (await stored(id)).priority).toBe(4);
    expect(requests.sent.filter((request) => request.startsWith('PATCH'))).toHaveLength(2);
    await nothingOverlaps(page);
  });

  it('F35: keeps a failed delete in the row that came back', async () => {
    const { page } = await open();
    const [id = 0] = await rowIds(page);
    await openIssue(page, id);
    await page.getByLabel('Failures').fill('100');
    await page.getByRole('button', { name: 'Delete issue' }).click();
    await row(page, id).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await row(page, id).getByRole('group', { name: 'Not deleted' }).waitFor();
    await page.getByLabel('Failures').fill('0');
    await row(page, id).getByRole('button', { name: 'Retry' }).click();
    await row(page, id).waitFor({ state: 'detached' });
    await expect
      .poll(async () => (await demo.tracker.call('GET', `/issues/${id}`)).status)
      .toBe(404);
  });

  it('F35: takes back one of two deletes, and sends the other', async () => {
    const { page, requests } = await open();
    const [first = 0, second = 0] = await rowIds(page);
    for (const id of [first, second]) {
      await openIssue(page, id);
      await page.getByRole('button', { name: 'Delete issue' }).click();
      await row(page, id).waitFor({ state: 'detached' });
    }
    const messages = page.locator('.toast');
    await messages.first().getByRole('button', { name: 'Dismiss' }).click();
    await messages.first().getByRole('button', { name: /^Undo/ }).click();
    await row(page, second).waitFor();
    await expect.poll(() => requests.finished).toContain(`DELETE /api/issues/${first}`);
    expect((await stored(second)).id).toBe(second);
  });
});

const row = (page: Page, id: number) => page.locator(`.row[data-issue="${id}"]`);

async function openIssue(page: Page, id: number) {
  await row(page, id).locator('.row-link').click();
  const field = page.getByRole('complementary').getByRole('textbox', { name: 'Title' });
  await page.locator('.comment-form').waitFor();
  return { field, title: await field.inputValue() };
}

/** The largest number of changes of an issue that were in flight at once. */
function watchPatches(page: Page, id: number) {
  let now = 0;
  const seen = { most: 0 };
  const isPatch = (request: { method: () => string; url: () => string }) =>
    request.method() === 'PATCH' && request.url().endsWith(`/api/issues/${id}`);
  page.on('request', (request) => {
    if (isPatch(request)) seen.most = Math.max(seen.most, ++now);
  });
  page.on('requestfinished', (request) => {
    if (isPatch(request)) now--;
  });
  return seen;
}

/** Rows with failed changes are higher: the others make room. */
async function nothingOverlaps(page: Page) {
  await nextFrame(page);
  const isOrdered = () =>
    page.locator('.row').evaluateAll((rows) =>
      rows.every((one, index) => {
        const next = rows[index + 1]?.getBoundingClientRect().top;
        return next === undefined || Math.abs(next - one.getBoundingClientRect().bottom) < 1;
      }),
    );
  await expect.poll(isOrdered).toBe(true);
}
