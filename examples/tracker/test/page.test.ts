import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { figure, missing, nextFrame, prepareDemo } from './support/browser.js';
import type { Tracker } from './support/tracker.js';

describe.skipIf(missing !== undefined)('the demo in Chromium', () => {
  const demo = prepareDemo();
  const { open } = demo;

  it('F35: renames a user everywhere with one request and renders only the rows that show the name', async () => {
    const { issue, user } = await issueWithCommentOfAssignee(demo.tracker);
    const { page, requests } = await open(`/?issue=${issue}`);
    await page.locator('.comment').first().waitFor();
    const before = await places(page, user.name);
    for (const count of Object.values(before)) expect(count).toBeGreaterThan(0);
    const rows = await rowsThatShow(page, user.name);
    await page.getByRole('button', { name: 'Reset' }).click();
    requests.sent.length = 0;
    requests.byUrl.length = 0;

    await page.getByRole('button', { name: `Rename ${user.name}` }).click();
    await page.getByLabel(`New name of ${user.name}`).fill('Zoë Quartz');
    await page.keyboard.press('Enter');

    await expect.poll(() => places(page, 'Zoë Quartz')).toEqual(before);
    expect(sum(await places(page, user.name))).toBe(0);
    expect(await rowsThatShow(page, user.name)).toBe(0);
    await expect.poll(() => requests.finished).toContain(`PATCH /api/users/${user.id}`);
    await nextFrame(page);
    expect(await places(page, 'Zoë Quartz')).toEqual(before);
    expect(requests.sent).toEqual([`PATCH /api/users/${user.id}`]);
    expect(await figure(page, 'requests')).toBe(1);
    const copies = ['/issues', `/issues/${issue}`, `/issues/${issue}/comments`];
    await expect.poll(() => requests.byUrl.toSorted()).toEqual(copies.toSorted());
    expect(await figure(page, 'requests with a cache by URL')).toBe(1 + copies.length);
    expect(await figure(page, 'row renders')).toBe(rows);
    expect((await demo.tracker.call('GET', `/users/${user.id}`)).body.name).toBe('Zoë Quartz');
  });

  it('shows a new issue before the server responds, and keeps it in its place afterwards', async () => {
    const { page, requests } = await open('/?project=BIL');
    await page.getByLabel('Latency').fill('1500');
    await recordRows(page, 'Brand new');

    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Brand new');
    await dialog.getByLabel('Assignee').selectOption({ label: 'Grace Hopper' });
    await dialog.getByRole('button', { name: 'Create issue' }).click();

    const row = page.locator('.row', { hasText: 'Brand new' });
    await row.waitFor();
    expect(requests.finished).not.toContain('POST /api/issues');
    expect(await row.innerText()).toContain('Grace Hopper');
    expect(await row.getAttribute('data-saved')).toBe('false');

    await expect.poll(() => row.getAttribute('data-saved'), { timeout: 10_000 }).toBe('true');
    await nextFrame(page);
    expect(await row.locator('.identifier').innerText()).toMatch(/^BIL-\d+$/);
    // Seen after each change of the list: exactly one such row, the first one.
    expect(await recordedRows(page)).toEqual(['0']);
    expect(requests.sent.filter((request) => request.startsWith('POST'))).toEqual([
      'POST /api/issues',
    ]);
    const { body } = await demo.tracker.call('GET', '/issues?q=Brand new');
    expect(body.results).toMatchObject([{ project: 'BIL', assignee: { name: 'Grace Hopper' } }]);
  });

  it('F35: keeps an issue that could not be created as it was typed, with the error, to be sent again or edited', async () => {
    const { page } = await open('/?project=BIL');
    await page.getByLabel('Failures').fill('100');
    const dialog = page.getByRole('dialog');
    const kept = (title: string) => page.getByRole('group', { name: `“${title}” not created` });
    for (const title of ['First', 'Second', 'Third']) {
      await page.locator('body').press('c');
      expect(await dialog.getByLabel('Title').inputValue()).toBe('');
      await dialog.getByLabel('Title').fill(title);
      await dialog.getByLabel('Description').fill(`About ${title}`);
      await dialog.getByLabel('Assignee').selectOption({ label: 'Grace Hopper' });
      await dialog.getByRole('button', { name: 'Create issue' }).click();
      await page.locator('.toast', { hasText: title }).waitFor();
      await kept(title).getByText('the failure switch').waitFor();
      expect(await dialog.count()).toBe(0);
    }
    await kept('Third').getByRole('button', { name: 'Discard' }).click();
    await kept('Third').waitFor({ state: 'detached' });

    // Sent again in vain: it is still there.
    await page.getByLabel('Latency').fill('500');
    await kept('First').getByRole('button', { name: 'Retry' }).click();
    await kept('First').waitFor({ state: 'detached' });
    await kept('First').waitFor();
    await page.getByLabel('Failures').fill('0');
    await kept('First').getByRole('button', { name: 'Retry' }).click();
    await page.locator('.row[data-saved="true"]', { hasText: 'First' }).waitFor();

    await kept('Second').getByRole('button', { name: 'Edit' }).click();
    expect(await dialog.getByRole('alert').innerText()).toContain('the failure switch');
    expect(await dialog.getByLabel('Title').inputValue()).toBe('Second');
    expect(await dialog.getByLabel('Description').inputValue()).toBe('About Second');
    const assignee = dialog.getByLabel('Assignee').locator('option:checked');
    expect(await assignee.innerText()).toBe('Grace Hopper');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await kept('Second').getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Title').fill('Second, shorter');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await page.locator('.row[data-saved="true"]', { hasText: 'Second, shorter' }).waitFor();
    expect(await page.locator('.failed').count()).toBe(0);
    const { body } = await demo.tracker.call('GET', '/issues?project=BIL&limit=2');
    expect(body.results).toMatchObject([
      { title: 'Second, shorter', description: 'About Second', assignee: { name: 'Grace Hopper' } },
      { title: 'First', description: 'About First', assignee: { name: 'Grace Hopper' } },
    ]);
  });

  it.each([
    ['a mouse', {}],
    ['a finger', { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }],
  ])(
    'F35: shows without hovering how somebody is renamed, with %s, and says what the numbers beside projects are',
    async (_, options) => {
      const { page } = await open('/', options);
      const menu = page.getByRole('button', { name: 'Projects and team' });
      if (await menu.isVisible()) await menu.tap();
      const pencil = page.getByRole('button', { name: /^Rename/ }).first();
      await pencil.waitFor();
      expect(await pencil.evaluate((element) => getComputedStyle(element).opacity)).toBe('1');
      await page.getByRole('heading', { name: 'Projects open issues' }).waitFor();
    },
  );

  it('takes a deleted issue out of every list, before the server responds and after', async () => {
    const { body } = await demo.tracker.call('GET', '/issues?limit=1');
    const { id, title, project: projectId } = body.results[0];
    const projects = await demo.tracker.call('GET', '/projects');
    const project = projects.body.find((one: { id: string }) => one.id === projectId);
    const { page, requests } = await open(`/?project=${projectId}`);
    const row = page.locator(`[data-issue="${id}"]`);
    await row.waitFor();
    await page.getByRole('button', { name: /^All projects/ }).click();
    await page.getByRole('heading', { name: 'All issues' }).waitFor();
    await row.getByText(title).click();
    await page.getByRole('button', { name: 'Delete issue' }).waitFor();

    await page.getByLabel('Latency').fill('1500');
    await page.getByRole('button', { name: 'Delete issue' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: new RegExp(`^${project.name}`) }).click();
    await page.getByRole('heading', { name: project.name }).waitFor();
    expect(await row.count()).toBe(0);
    expect(await page.locator('.row-link').count()).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    expect(requests.finished).not.toContain(`DELETE /api/issues/${id}`);

    await expect
      .poll(() => requests.finished, { timeout: 10_000 })
      .toContain(`DELETE /api/issues/${id}`);
    await nextFrame(page);
    expect(await row.count()).toBe(0);
    await page.getByRole('button', { name: /^All projects/ }).click();
    await page.getByRole('heading', { name: 'All issues' }).waitFor();
    expect(await row.count()).toBe(0);
    expect((await demo.tracker.call('GET', `/issues/${id}`)).status).toBe(404);
  });

  it('puts an issue back in its place when it could not be deleted', async () => {
    const { page } = await open('/?issue=4998');
    const titles = page.locator('.row .title');
    await page.locator('.comment-form').waitFor();
    const before = await titles.allInnerTexts();
    await page.getByLabel('Latency').fill('800');
    await page.getByLabel('Failures').fill('100');
    await page.getByRole('button', { name: 'Delete issue' }).click();
    await page.locator('[data-issue="4998"]').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('Could not delete').waitFor();
    expect((await titles.allInnerTexts()).slice(0, 20)).toEqual(before.slice(0, 20));
  });

  it('takes an optimistic edit back and says why when the server fails', async () => {
    const { body } = await demo.tracker.call('GET', '/issues?limit=1');
    const { id, title } = body.results[0];
    const { page } = await open(`/?issue=${id}`);
    const field = page.getByRole('complementary').getByRole('textbox', { name: 'Title' });
    const rowTitle = page.locator(`[data-issue="${id}"] .title`);
    await field.waitFor();
    await page.getByLabel('Latency').fill('1000');
    await page.getByLabel('Failures').fill('100');

    await field.fill('Not for long');
    await field.press('Enter');
    await expect.poll(() => rowTitle.innerText()).toBe('Not for long');
    expect(await field.inputValue()).toBe('Not for long');
    expect(await page.locator('.toast').count()).toBe(0);

    await page.locator('.toast').waitFor();
    expect(await page.locator('.toasts').innerText()).toMatch(
      /Could not change .*the failure switch/,
    );
    expect(await rowTitle.innerText()).toBe(title);
    expect(await field.inputValue()).toBe(title);
    expect((await demo.tracker.call('GET', `/issues/${id}`)).body.title).toBe(title);
  });

  it('searches after a pause in typing, and goes back to the list before without fetching again', async () => {
    const { page, requests } = await open();
    const titles = page.locator('.row .title');
    const before = await titles.allInnerTexts();
    requests.sent.length = 0;
    await page.getByLabel('Search').evaluate((input: HTMLInputElement) => {
      const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
      // In one task: a busy machine presses two keys further apart than the pause.
      for (let length = 1; length <= 'invoice'.length; length += 1) {
        value?.set?.call(input, 'invoice'.slice(0, length));
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }
    });
    await expect
      .poll(async () => (await titles.allInnerTexts()).every((t) => t.includes('invoice')))
      .toBe(true);
    expect(requests.sent).toEqual(['GET /api/issues']);

    await page.goBack();
    await expect.poll(() => titles.allInnerTexts()).toEqual(before);
    expect(await page.getByLabel('Search').inputValue()).toBe('');
    expect(requests.sent).toEqual(['GET /api/issues']);
  });

  it('offers to try again when a list could not be loaded', async () => {
    const { page } = await open();
    await page.getByLabel('Failures').fill('100');
    await page.getByRole('button', { name: /^Mobile/ }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('the failure switch');

    await page.getByLabel('Failures').fill('0');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.identifier', { hasText: 'MOB-' }).first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('waits for the network, and sends a read that failed again', async () => {
    const { page } = await open();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: /^Mobile/ }).click();
    await page.locator('.list[data-pending="true"]').waitFor();
    await page.context().setOffline(false);
    await page.locator('.identifier', { hasText: 'MOB-' }).first().waitFor();

    let calls = 0;
    await page.route('**/api/issues?project=BIL', (route) =>
      ++calls === 1 ? route.fulfill({ status: 503, body: '{}' }) : route.continue(),
    );
    await page.getByRole('button', { name: /^Billing/ }).click();
    await page.locator('.identifier', { hasText: 'BIL-' }).first().waitFor();
    expect(calls).toBe(2);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('counts comments in the row while they are added and deleted in the detail pane', async () => {
    const { body } = await demo.tracker.call('GET', '/issues?limit=1');
    const { id, commentCount } = body.results[0];
    const { page, requests } = await open(`/?issue=${id}`);
    const inRow = page.locator(`[data-issue="${id}"] .comments`);
    await page.getByLabel('New comment').fill('First!');
    requests.sent.length = 0;
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    const comment = page.locator('.comment[data-saved="true"]', { hasText: 'First!' });
    await comment.waitFor();
    expect(await comment.innerText()).toContain('Ada Lovelace');
    await expect.poll(() => inRow.innerText()).toBe(String(commentCount + 1));

    await comment.hover();
    await comment.getByRole('button', { name: 'Delete comment' }).click();
    await comment.waitFor({ state: 'detached' });
    await expect.poll(() => inRow.innerText()).toBe(commentCount === 0 ? '' : String(commentCount));
    expect(requests.sent.map((request) => request.split(' ')[0])).toEqual(['POST', 'DELETE']);
  });
});

/** An issue of the first page that its assignee has commented on. */
async function issueWithCommentOfAssignee(tracker: Tracker) {
  const { body } = await tracker.call('GET', '/issues');
  for (const { id, assignee } of body.results) {
    const comments = await tracker.call('GET', `/issues/${id}/comments`);
    const authors = comments.body.map((comment: { author: { id: number } }) => comment.author.id);
    if (assignee && authors.includes(assignee.id)) return { issue: id as number, user: assignee };
  }
  throw new Error('The seed has no such issue on its first page');
}

/** The occurrences of a text in each part of the page, options of menus included. */
function places(page: Page, text: string) {
  return page.evaluate((wanted) => {
    const parts = {
      team: '.sidebar',
      filter: '.toolbar',
      rows: '.rows',
      fields: '.fields',
      comments: '.comment-list',
    };
    const count = (selector: string) =>
      (document.querySelector(selector)?.textContent ?? '').split(wanted).length - 1;
    return Object.fromEntries(
      Object.entries(parts).map(([part, selector]) => [part, count(selector)]),
    );
  }, text);
}

/** As the one who works on the issue, or the one who opened it. */
const rowsThatShow = (page: Page, name: string) =>
  page.locator(`.row:has-text("${name}"), .row:has([title="Opened by ${name}"])`).count();

const sum = (counts: Record<string, number>) =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** From now on notes, after each change of the page, at which places of the list rows with that title are. */
function recordRows(page: Page, title: string) {
  return page.evaluate((wanted) => {
    const seen = new Set<string>();
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const rows = [...document.querySelectorAll('.row')];
      const found = rows.flatMap((row, index) =>
        row.textContent?.includes(wanted) ? [index] : [],
      );
      if (found.length > 0 || seen.size > 0) seen.add(found.join(' and '));
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  }, title);
}

function recordedRows(page: Page) {
  return page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
}
