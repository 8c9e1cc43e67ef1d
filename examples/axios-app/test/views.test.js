import { expect, it } from 'vitest';
import { loadSettings, saveSettings } from '../src/api/settings.js';
import { note, notes } from '../src/legacy/audit.js';
import ratings from '../src/legacy/ratings.cjs';
import { twice } from '../src/legacy/retry.js';
import { bookList } from '../src/views/bookList.js';
import { bookPage } from '../src/views/bookPage.js';
import { memberCard } from '../src/views/memberCard.js';
import { overdueList } from '../src/views/overdueList.js';
import { overview } from '../src/views/overview.js';
import { SearchBox } from '../src/views/searchBox.js';

it('shows books', async () => {
  expect(await bookList()).toContain('<li>Invisible Cities (1972)</li>');
  expect(await bookPage(1)).toBe('<h1>The Dispossessed</h1><p>Ursula K. Le Guin, 4.5 stars</p>');
});

it('shows members and numbers', async () => {
  expect(await memberCard('m-2', '2026-02-01')).toBe(
    '<h2>Alan Turing</h2><p>1 on loan, 1 late, owes €2.50</p>',
  );
  expect(await overdueList('m-2', '2026-02-01')).toBe(
    '<ul><li>Book 3, since 15 January 2026</li></ul>',
  );
  expect(await overview()).toBe('4 books by 3 authors; open');
});

it('searches for what was typed last', async () => {
  const box = new SearchBox();
  const [first, second] = await Promise.all([box.type('cos'), box.type('sol')]);
  expect([first, second]).toEqual([[], ['Solaris']]);
});

it('rates books', async () => {
  expect(await ratings.rate(3, 4)).toEqual([4]);
  expect(await ratings.average(3)).toBe(4);
  expect(await ratings.average(4)).toBeUndefined();
});

it('keeps settings', async () => {
  expect(await saveSettings({ theme: 'dark' })).toEqual({ theme: 'dark', pageSize: 20 });
  expect(await loadSettings()).toMatchObject({ theme: 'dark' });
});

it('notes who looked at what', async () => {
  await note('/books');
  expect(await notes()).toEqual([{ path: '/books', at: 'stamped' }]);
});

it('tries again', async () => {
  expect(await twice({ url: '/wait' })).toBe('patient');
  await expect(twice({ url: '/nowhere' })).rejects.toThrow();
});
