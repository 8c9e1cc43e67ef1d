/** One page that uses every scheme at once, in Chromium against a real server. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  enter,
  foundChromium,
  keysOf,
  type Seen,
  signInAda,
  signInBob,
  signOut,
  startBrowser,
} from './support/site.js';

const missing = foundChromium.path === undefined ? foundChromium.reason : undefined;
if (missing !== undefined) console.warn(`The sessions are not tested: ${missing}`);

/** Each request carried the token of the user who was signed in where it was made, or none. */
function expectNoMixture(requests: readonly Seen[]): void {
  const mixed = requests.filter(({ owner, madeFor }) => owner !== undefined && owner !== madeFor);
  expect(keysOf(mixed)).toEqual([]);
}

const renewals = (requests: readonly Seen[]): Seen[] =>
  requests.filter(({ path, status }) => path === '/auth/renewal' && status === 200);

describe.skipIf(missing !== undefined)('the page', () => {
  let browser: Awaited<ReturnType<typeof startBrowser>>;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it('sends the API key with everything, the CSRF token with every change, and a user’s token with what is private', async () => {
    const { page, server, problems } = await browser.open();
    await enter(page, 'ada', 'wrong');
    await page.getByRole('alert').getByText('Wrong name or password').waitFor();
    await signInAda(page);
    await page.getByLabel('Title').fill('A fourth one');
    await page.getByLabel('Text').fill('short');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByText('A fourth one, private').waitFor();
    await page.getByRole('button', { name: 'Delete First of ada' }).click();
    await page.getByText('First of ada, private').waitFor({ state: 'detached' });

    expect(server.requests.every(({ headers }) => headers['x-api-key'])).toBe(true);
    for (const { method, headers } of server.requests) {
      expect(headers['x-csrftoken']).toBe(method === 'GET' ? undefined : '100%-random');
    }
    const kept = server.requests.filter(({ path }) => !path.startsWith('/auth'));
    expect(new Set(kept.map(({ owner }) => owner))).toEqual(new Set(['ada']));
    const created = kept.find(({ method }) => method === 'POST');
    expect(JSON.parse(String(created?.bytes))).toEqual({
      title: 'A fourth one',
      body_text: 'short',
    });
    // The page calls it `text`, from and to the server.
    expect(await page.locator('[name="text"]').count()).toBe(1);
    expectNoMixture(server.requests);
    expect(problems).toEqual([]);
  });

  it('renews an expired token once, however many requests are refused together', async () => {
    const { page, server, problems } = await browser.open();
    await signInAda(page);
    const before = server.requests.length;
    server.expireTokens();
    await page.getByRole('button', { name: 'Reload all' }).click();
    const since = (): Seen[] => server.requests.slice(before);
    const withStatus = (status: number): Seen[] => since().filter((seen) => seen.status === status);
    await expect.poll(() => withStatus(200).length).toBe(5 + 1);
    expect(keysOf(withStatus(401)).toSorted()).toEqual([
      'GET /notes',
      'GET /notes/1',
      'GET /notes/2',
      'GET /notes/3',
      'GET /users/ada',
    ]);
    expect(renewals(since())).toHaveLength(1);
    expectNoMixture(server.requests);
    expect(problems).toEqual([]);
  });

  it('uploads through the same class: with progress, a renewed token, and the other headers', async () => {
    const { page, server, problems } = await browser.open();
    await signInAda(page);
    server.expireTokens();
    const buffer = Buffer.alloc(2_000_000, 'x');
    await page
      .getByLabel('File of Second of ada')
      .setInputFiles({ name: 'füll.txt', mimeType: 'text/plain', buffer });
    const link = page.getByRole('button', { name: 'füll.txt, 2000000 bytes' });
    await link.waitFor();
    expect(await page.getByLabel('Upload of Second of ada').getAttribute('value')).toBe('1');
    const uploads = server.requests.filter(({ method }) => method === 'PUT');
    expect(uploads.map(({ status, bytes }) => [status, bytes.length])).toEqual([
      [401, 2_000_000],
      [201, 2_000_000],
    ]);
    expect(uploads.every(({ headers }) => headers['x-csrftoken'] === '100%-random')).toBe(true);
    expect(renewals(server.requests)).toHaveLength(1);

    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe('füll.txt');
    expect((await readFile(await download.path())).equals(buffer)).toBe(true);
    expectNoMixture(server.requests);
    expect(problems).toEqual([]);
  });

  it('shows the mistakes that the server reports next to the fields, and keeps the typed text', async () => {
    const { page, server, problems } = await browser.open();
    await signInAda(page);
    await page.getByLabel('Text').fill('much longer than it may be');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByText('Title must not be empty').waitFor();
    expect(await page.getByText('Text must not be longer than 20 letters').count()).toBe(1);
    expect(await page.getByLabel('Text').inputValue()).toBe('much longer than it may be');
    await page.getByLabel('Title').fill('Complete');
    await page.getByLabel('Text').fill('short');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByText('Complete, private').waitFor();
    expect(await page.locator('.wrong').count()).toBe(0);
    expect(
      server.requests
        .filter(({ method, path }) => `${method} ${path}` === 'POST /notes')
        .map(({ status }) => status),
    ).toEqual([422, 201]);
    expect(problems).toEqual([]);
  });

  it('retries failed reads, and sends no change twice', async () => {
    const { page, server, trouble, problems } = await browser.open();
    trouble.force('GET /notes', 503, 503);
    await signInAda(page);
    await page.getByText('Third of ada, private').waitFor();
    const lists = server.requests.filter(({ path }) => path === '/notes');
    expect(lists.map(({ status }) => status)).toEqual([503, 503, 200]);
    trouble.force('DELETE /notes/1', 503);
    await page.getByRole('button', { name: 'Delete First of ada' }).click();
    await page.getByRole('alert').getByText('Not now').waitFor();
    await page.getByRole('button', { name: 'Delete Second of ada' }).click();
    await page.getByText('Second of ada, private').waitFor({ state: 'detached' });
    expect(keysOf(server.requests).filter((key) => key === 'DELETE /notes/1')).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it('shows the sign-in form once when the sign-in has ended, with forty readers, and sends nothing more', async () => {
    const { page, server, problems } = await browser.open();
    for (let number = 4; number <= 40; number += 1) {
      server.notes.create('ada', { title: `Number ${number}` });
    }
    await signInAda(page);
    await page.getByText('Number 40, private').waitFor();
    const before = server.requests.length;
    server.endSignIns();
    await page.getByRole('button', { name: 'Reload all' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.waitForLoadState('networkidle');
    const since = (): string[] => keysOf(server.requests.slice(before));
    // Each reader once at most, and one renewal.
    expect(since().length).toBeLessThanOrEqual(40 + 2 + 1);
    expect(since().filter((key) => key === 'POST /auth/renewal')).toHaveLength(1);
    const atSignIn = server.requests.length;
    await signInBob(page);
    await page.getByText('Third of bob, private').waitFor();
    const later = server.requests.slice(atSignIn).filter(({ path }) => !path.startsWith('/auth'));
    expect(new Set(later.map(({ owner }) => owner))).toEqual(new Set(['bob']));
    expectNoMixture(server.requests);
    expect(problems).toEqual([]);
  });

  it('goes on after it was loaded again, with a token of its own', async () => {
    const { page, server } = await browser.open();
    await signInAda(page);
    await page.reload();
    await page.getByRole('heading', { name: 'Notes of Ada' }).waitFor();
    expect(renewals(server.requests)).toHaveLength(1);
    expectNoMixture(server.requests);
  });

  it('shows the next user nothing of the last, and sends no token of one for the other', async () => {
    const { page, server, trouble, problems } = await browser.open();
    await signInAda(page);
    // The last request of Ada is refused and renewed while Bob is already signed in.
    trouble.hold('POST /auth/renewal');
    trouble.hold('GET /notes/2');
    server.expireTokens();
    await page.getByRole('button', { name: 'Reload all' }).click();
    await expect.poll(() => trouble.arrived('POST /auth/renewal')).toBe(1);
    await expect.poll(() => trouble.arrived('GET /notes/2')).toBe(1);
    const atSignOut = server.requests.length;
    await signOut(page);
    const since = (): string[] => keysOf(server.requests.slice(atSignOut));
    await expect.poll(since).toEqual(['DELETE /auth/sign-in']);
    await signInBob(page);
    const before = server.requests.length;
    trouble.release('POST /auth/renewal');
    trouble.release('GET /notes/2');
    await page.getByRole('button', { name: 'Reload all' }).click();
    await expect
      .poll(() => server.requests.slice(before).filter(({ status }) => status === 200).length)
      .toBe(5);

    expect(await page.getByText('of ada').count()).toBe(0);
    expect(await page.getByText('First of bob, private').count()).toBe(1);
    const later = server.requests.slice(before);
    expect(new Set(later.map(({ owner }) => owner))).toEqual(new Set(['bob']));
    expect(new Set(later.map(({ madeFor }) => madeFor))).toEqual(new Set(['bob']));
    expectNoMixture(server.requests);
    expect(problems).toEqual([]);
  });

  it('aborts an upload of the last user, which the next one’s token never finishes', async () => {
    const { page, server, trouble, problems } = await browser.open();
    await signInAda(page);
    trouble.hold('PUT /notes/1/file');
    server.expireTokens();
    await page
      .getByLabel('File of First of ada')
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
    await expect.poll(() => trouble.arrived('PUT /notes/1/file')).toBe(1);
    await signOut(page);
    await signInBob(page);
    trouble.release('PUT /notes/1/file');
    await page.getByRole('button', { name: 'Reload all' }).click();
    await page.getByText('Third of bob, private').waitFor();
    expect(server.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1);
    expectNoMixture(server.requests);
    expect(problems).toEqual([]);
  });
});
