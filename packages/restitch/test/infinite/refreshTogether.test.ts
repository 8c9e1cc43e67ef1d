import { byOffset, byPage, Controller, infinite, type Pagination } from 'restitch';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Feed, numberedPage, openFeed, rowsOf, startFeed } from './feed.js';

let feed: Feed;
beforeAll(async () => {
  feed = await startFeed(numberedPage);
});
beforeEach(() => {
  feed.rows = rowsOf('abcdefghijklmno');
  feed.asked.length = 0;
  feed.before = () => undefined;
});
afterAll(() => feed.server.close());

async function load(pagination: Pagination, pages: number) {
  const opened = openFeed(feed, pagination);
  await opened.view.load();
  for (let page = 1; page < pages; page += 1) await opened.view.loadNext();
  feed.asked.length = 0;
  return opened;
}

/** Holds list requests until the test lets them go: by query, with an optional status. */
function hold() {
  const held = new Map<string, (status?: number) => void>();
  feed.before = (query) =>
    new Promise((resolve) => {
      held.set(query.toString(), (status) => {
        held.delete(query.toString());
        resolve(status);
      });
    });
  const release = async (query: string, status?: number): Promise<void> => {
    await expect.poll(() => held.has(query)).toBe(true);
    held.get(query)?.(status);
  };
  return { held, release };
}

const offsets = byOffset({ param: 'offset', total: 'total' });
const numbers = byPage({ param: 'page', total: 'total' });
const styles = [
  ['offset', offsets, ['', 'offset=3', 'offset=6', 'offset=9', 'offset=12']],
  ['number', numbers, ['', 'page=2', 'page=3', 'page=4', 'page=5']],
] as const;

describe.each(styles)('refresh of all loaded pages by %s (rule 6)', (_, style, pages) => {
  const [first, second, third, fourth, fifth] = pages;

  it('has at most four requests under way, the next one when a page arrived', async () => {
    const { view, list } = await load(style, 5);
    const { held, release } = hold();
    const refresh = view.refresh('loaded');
    await expect.poll(() => held.size).toBe(4);
    expect([...held.keys()].sort()).toEqual([first, second, third, fourth].sort());
    await release(third);
    await release(fifth);
    expect(feed.asked).toHaveLength(5);
    expect(list().isRefreshing).toBe(true);
    for (const page of [second, fourth, first]) await release(page);
    await refresh;
    expect(feed.asked).toHaveLength(5);
    expect(list().isRefreshing).toBe(false);
  });

  it('changes the list once, when all pages have arrived in any order', async () => {
    const { view, shownNow } = await load(style, 5);
    // `e` and `k` were deleted, `f` was replaced and `X` created: `g` moved to the page before its own.
    feed.rows = rowsOf('abcdFghijXlmno');
    const { release } = hold();
    const refresh = view.refresh('loaded');
    const texts = new Set<string>();
    const stop = view.subscribe(() => texts.add(shownNow()));
    for (const page of [fourth, third, fifth, first, second]) await release(page);
    await refresh;
    stop();
    expect([...texts]).toEqual(['abcdFghijXlmno']);
  });

  it('follows rows that moved by more than a page, whatever arrives first', async () => {
    for (const order of [
      [fourth, third, second, first],
      [second, fourth, first, third],
    ]) {
      feed.rows = rowsOf('abcdefghijkl');
      const { view, shownNow, list } = await load(style, 4);
      feed.rows = rowsOf('PQRSabcdefghijkl');
      const { release } = hold();
      const refresh = view.refresh('loaded');
      const lengths: number[] = [];
      const stop = view.subscribe(() => lengths.push(list().items.length));
      for (const page of order) await release(page);
      feed.before = () => undefined;
      await refresh;
      stop();
      expect(shownNow()).toMatch(/^PQRSabcdefghijkl…?$/);
      expect(Math.min(...lengths)).toBeGreaterThanOrEqual(12);
      while (list().hasNext) await view.loadNext();
      expect(shownNow()).toBe('PQRSabcdefghijkl');
    }
  });

  it('sends a page that answers 500 again, alone: 1, 2, 3, 3, 3, 4, 5', async () => {
    const { view, shownNow, list } = await load(style, 5);
    feed.rows = rowsOf('abcdefghijklmno').map((row) => ({ ...row, title: 'new' }));
    let failures = 2;
    feed.before = (query) => (query.toString() === third && failures-- > 0 ? 500 : undefined);
    await view.refresh('loaded');
    expect([...feed.asked].sort()).toEqual(
      [first, second, third, third, third, fourth, fifth].sort(),
    );
    expect(shownNow()).toBe('abcdefghijklmno');
    expect(new Set(list().items.map(({ title }) => title))).toEqual(new Set(['new']));
    expect(list().nextError).toBeUndefined();
  });

  it('leaves the list as it was if a page keeps failing', async () => {
    const { view, shownNow, list } = await load(style, 5);
    feed.rows = rowsOf('abcdegijklnop');
    feed.before = (query) => (query.toString() === second ? 500 : undefined);
    await view.refresh('loaded');
    expect(feed.asked.filter((page) => page === second)).toHaveLength(3);
    expect(shownNow()).toBe('abcdefghijklmno');
    expect(list().nextError?.message).toContain('500');
    feed.before = () => undefined;
    await view.refresh('loaded');
    expect(shownNow()).toBe('abcdegijklnop');
    expect(list().nextError).toBeUndefined();
  });

  it('the first page may fail alone, too', async () => {
    const { view, shownNow } = await load(style, 5);
    feed.rows = rowsOf('bcdefghijklmno');
    let failures = 1;
    feed.before = (query) => (query.toString() === first && failures-- > 0 ? 500 : undefined);
    await view.refresh('loaded');
    expect([...feed.asked].sort()).toEqual([first, ...pages].sort());
    expect(shownNow()).toBe('bcdefghijklmno');
  });

  it('sends no page behind the end', async () => {
    const { view, shownNow } = await load(style, 5);
    feed.rows = rowsOf('abcd');
    await view.refresh('loaded');
    expect(shownNow()).toBe('abcd');
    expect(feed.asked).not.toContain(fifth);
    expect(feed.asked.length).toBeLessThanOrEqual(4);
  });

  it('asks for the first page alone while nobody sees the page', async () => {
    const { Posts } = openFeed(feed, style);
    const hidden = new Controller({ environment: { isVisible: () => false } });
    const view = infinite(hidden, Posts.getList, {});
    await view.load();
    await view.loadNext();
    feed.asked.length = 0;
    await view.refresh('loaded');
    expect(feed.asked).toEqual(['']);
  });
});
