import { byCursor, byOffset, Controller, infinite } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  cursorPage,
  cursors,
  type Feed,
  numberedPage,
  openFeed,
  rowsOf,
  startFeed,
} from './feed.js';

let feed: Feed;
beforeAll(async () => {
  feed = await startFeed((rows, query) => {
    if (query.has('offset') || query.has('limit')) return numberedPage(rows, query);
    // With a tag, the list is opened at `m`.
    const isInside = query.has('tag') && !query.has('cursor') && !query.has('before');
    if (isInside) query.set('cursor', 'l');
    return { ...cursorPage(rows, query), ...(isInside && { prevCursor: 'm' }) };
  });
});
beforeEach(() => {
  feed.rows = rowsOf('ghijklmnopqrstu');
  feed.asked.length = 0;
  feed.before = () => undefined;
});
afterAll(() => feed.server.close());

async function load(pagination: Parameters<typeof openFeed>[1], pages: number) {
  const opened = openFeed(feed, pagination);
  await opened.view.load();
  for (let page = 1; page < pages; page += 1) await opened.view.loadNext();
  feed.asked.length = 0;
  return opened;
}

describe('refresh of the first page', () => {
  it('keeps the tail if the new first page touches the old one (rule 5)', async () => {
    const { view, shownNow } = await load(cursors, 3);
    feed.rows = rowsOf('eghijklmnopqrstu').filter(({ id }) => id !== 'h');
    await view.refresh();
    expect(feed.asked).toEqual(['']);
    expect(shownNow()).toBe('egijklmno…');
  });

  it('keeps both with a gap, which the next page fills (rule 5)', async () => {
    const { view, shownNow, list } = await load(cursors, 2);
    feed.rows = rowsOf('abcdefghijklmnopqrstu');
    const { items } = list();
    await view.refresh('first');
    expect(list().gapAfter).toBe(2);
    expect(list().items.slice(3)).toEqual(items);
    expect(shownNow()).toBe('abc|ghijkl…');
    await view.loadNext();
    expect(shownNow()).toBe('abcdef|ghijkl…');
    await view.loadNext();
    expect(shownNow()).toBe('abcdefghijkl…');
    await view.loadNext();
    expect(shownNow()).toBe('abcdefghijklmno…');
    expect(feed.asked).toEqual(['', 'cursor=c', 'cursor=f', 'cursor=l']);
  });

  it('keeps the gap until it is filled, however often the first page is read (rule 5)', async () => {
    const { view, shownNow } = await load(cursors, 2);
    feed.rows = rowsOf('bcdefghijklmnopqrstu');
    await view.refresh();
    await view.refresh();
    expect(shownNow()).toBe('bcd|ghijkl…');
    feed.rows = rowsOf('abcdefghijklmnopqrstu');
    await view.refresh();
    expect(shownNow()).toBe('abcd|ghijkl…');
    while (shownNow().endsWith('…')) await view.loadNext();
    expect(shownNow()).toBe('abcdefghijklmnopqrstu');
  });

  it('starts again with `onGap: restart` (rule 5)', async () => {
    const restarts = byCursor({ param: 'cursor', next: 'nextCursor', onGap: 'restart' });
    const { view, shownNow, controller, Posts } = await load(restarts, 2);
    feed.rows = rowsOf('abcdefghijklmnopqrstu');
    // A poll of the endpoint itself counts like a refresh.
    await controller.fetch(Posts.getList, {});
    expect(shownNow()).toBe('abc…');
    await view.loadNext();
    expect(shownNow()).toBe('abcdef…');
  });
});

describe('refresh of all loaded pages', () => {
  it.each([
    ['cursor', cursors],
    ['offset', byOffset({ param: 'offset', total: 'total' })],
  ])(
    'brings what others changed, and never makes the list shorter meanwhile: %s (rule 6)',
    async (_, style) => {
      const { view, shownNow, list } = await load(style, 5);
      expect(shownNow()).toBe('ghijklmnopqrstu');
      feed.rows = rowsOf('efghijlmnopqrstuvwx');
      const lengths: number[] = [];
      const stop = view.subscribe(() => lengths.push(list().items.length));
      const refresh = view.refresh('loaded');
      expect(list().isRefreshing).toBe(true);
      await refresh;
      stop();
      expect(list().isRefreshing).toBe(false);
      expect(shownNow().replace('…', '')).toBe('efghijlmnopqrstuvwx'.slice(0, list().items.length));
      expect(Math.min(...lengths)).toBeGreaterThanOrEqual(15);
      while (list().hasNext) await view.loadNext();
      expect(shownNow()).toBe('efghijlmnopqrstuvwx');
    },
  );

  it('retries a page that fails alone (rule 6)', async () => {
    const { view, shownNow, list } = await load(cursors, 5);
    let failures = 2;
    feed.before = (query) => (query.get('cursor') === 'l' && failures-- > 0 ? 500 : undefined);
    await view.refresh('loaded');
    const pages = ['', 'cursor=i', 'cursor=l', 'cursor=l', 'cursor=l', 'cursor=o', 'cursor=r'];
    expect(feed.asked).toEqual(pages);
    expect(shownNow()).toBe('ghijklmnopqrstu');
    expect(list().nextError).toBeUndefined();
    // If a page keeps failing, the list stays as it was.
    feed.before = (query) => (query.get('cursor') === 'l' ? 500 : undefined);
    feed.rows = rowsOf('ghijklnopqrs');
    await view.refresh('loaded');
    expect(shownNow()).toBe('ghijklmnopqrstu');
    expect(list().nextError?.message).toContain('500');
    feed.before = () => undefined;
    await view.refresh('loaded');
    expect(shownNow()).toBe('ghijklnopqrs');
    expect(list().nextError).toBeUndefined();
  });

  it('keeps the error of a page until a next page is loaded', async () => {
    const { view, list } = await load(cursors, 2);
    feed.before = () => 500;
    await view.refresh('loaded');
    expect(list().nextError?.message).toContain('500');
    feed.before = () => undefined;
    await view.loadNext();
    expect(list().nextError).toBeUndefined();
  });

  it('ends the error of a next page that failed before', async () => {
    const { view, list } = await load(cursors, 2);
    feed.before = () => 500;
    await view.loadNext();
    expect(list().nextError?.message).toContain('500');
    feed.before = () => undefined;
    await view.refresh();
    expect(list().nextError?.message).toContain('500');
    await view.refresh('loaded');
    expect(list().nextError).toBeUndefined();
  });

  it('before anything is loaded, leaves the error to the first page', async () => {
    const { view, list } = openFeed(feed, cursors);
    feed.before = () => 500;
    await view.refresh('loaded');
    expect(view.getSnapshot().status).toBe('error');
    feed.before = () => undefined;
    await view.refetch();
    expect(list().nextError).toBeUndefined();
  });

  it('asks for the first page alone while nobody sees the page (rule 6)', async () => {
    const { Posts } = openFeed(feed, cursors);
    const hidden = new Controller({ environment: { isVisible: () => false } });
    const view = infinite(hidden, Posts.getList, {});
    await view.load();
    await view.loadNext();
    feed.asked.length = 0;
    await view.refresh('loaded');
    expect(feed.asked).toEqual(['']);
  });
});

it.each(['an invalidation', 'a reset'])(
  '%s of a list ends the errors of its pages',
  async (cause) => {
    const { view, list, controller, Posts } = await load(cursors, 2);
    const stop = view.subscribe(() => {
      if (view.needsLoad(true)) void view.load();
    });
    feed.before = () => 500;
    await view.loadNext();
    expect(list().nextError?.message).toContain('500');
    feed.before = () => undefined;
    if (cause === 'a reset') controller.resetEntireStore();
    else void controller.invalidate(Posts.getList, {});
    await expect.poll(() => view.getSnapshot().status).toBe('ready');
    expect(list()).toMatchObject({ hasNext: true, nextError: undefined });
    stop();
  },
);

describe('pages before the first one', () => {
  const both = byCursor({
    param: 'cursor',
    next: 'nextCursor',
    previous: 'prevCursor',
    previousParam: 'before',
  });

  it('are put in front, and the first index falls by their rows', async () => {
    const { view, shownNow, list, controller, Posts } = await load(both, 1);
    const middle = { results: rowsOf('mno'), nextCursor: 'o', prevCursor: 'm', total: 15 };
    controller.setResponse(Posts.getList, { tag: 'x' }, middle);
    const anchored = infinite(controller, Posts.getList, { tag: 'x' });
    const ids = (): string => {
      const snapshot = anchored.getSnapshot();
      return snapshot.status === 'ready' ? snapshot.data.items.map(({ id }) => id).join('') : '';
    };
    const data = () => {
      const snapshot = anchored.getSnapshot();
      return snapshot.status === 'ready' ? snapshot.data : undefined;
    };
    expect(data()).toMatchObject({ hasPrevious: true, hasNext: true, firstIndex: 0 });
    await Promise.all([anchored.loadPrevious(), anchored.loadNext()]);
    expect(ids()).toBe('jklmnopqr');
    expect(data()?.firstIndex).toBe(-3);
    await anchored.loadPrevious();
    expect(ids()).toBe('ghijklmnopqr');
    expect(data()).toMatchObject({ hasPrevious: false, firstIndex: -6 });
    await anchored.loadPrevious();
    expect(feed.asked).toHaveLength(3);
    expect(shownNow()).toBe('ghi…');
    expect(list().hasPrevious).toBe(false);
    await view.loadPrevious();
    expect(feed.asked).toHaveLength(3);
  });

  it.each(['first', 'loaded'] as const)(
    'are refreshed without losing what follows: %s',
    async (what) => {
      const { controller, Posts } = openFeed(feed, both);
      // The server names no next page in the pages before.
      const middle = { results: rowsOf('mno'), nextCursor: 'o', prevCursor: 'm', total: 15 };
      controller.setResponse(Posts.getList, { tag: 'x' }, middle);
      const anchored = infinite(controller, Posts.getList, { tag: 'x' });
      const ids = (): string => {
        const snapshot = anchored.getSnapshot();
        return snapshot.status === 'ready' ? snapshot.data.items.map(({ id }) => id).join('') : '';
      };
      await anchored.loadPrevious();
      await anchored.loadNext();
      expect(ids()).toBe('jklmnopqr');
      feed.rows = rowsOf('ghijlmnopqrstu');
      await anchored.refresh(what);
      expect(ids()).toBe('ijlmnopqr');
    },
  );

  it.each([
    ['cursor', byCursor({ param: 'cursor', next: 'nextCursor', maxPages: 2 })],
    ['offset', byOffset({ param: 'offset', total: 'total', maxPages: 2 })],
  ])('that `maxPages` dropped can be loaded again: %s (rule 8)', async (_, style) => {
    const { view, shownNow, list } = await load(style, 4);
    expect(shownNow()).toBe('mnopqr…');
    expect(list()).toMatchObject({ hasPrevious: true, hasNext: true, firstIndex: 6 });
    await view.loadPrevious();
    expect(shownNow()).toBe('jklmno…');
    expect(list().firstIndex).toBe(3);
    await view.loadPrevious();
    expect(shownNow()).toBe('ghijkl…');
    expect(list()).toMatchObject({ hasPrevious: false, firstIndex: 0 });
    await view.loadNext();
    expect(shownNow()).toBe('jklmno…');
  });
});

describe('a list that a server rendered', () => {
  it('is taken over with its pages without a request (rule 11)', async () => {
    const server = await load(cursors, 2);
    const state = JSON.parse(JSON.stringify(getState(server.controller))) as unknown;
    const browser = openFeed(feed, cursors);
    hydrate(browser.controller, state as ReturnType<typeof getState>);
    expect(browser.shownNow()).toBe('ghijkl…');
    expect(browser.list()).toMatchObject({ hasNext: true, total: 15, firstIndex: 0 });
    expect(browser.view.needsLoad()).toBe(false);
    expect(feed.asked).toEqual([]);
    await browser.view.loadNext();
    expect(browser.shownNow()).toBe('ghijklmno…');
    expect(feed.asked).toEqual(['cursor=l']);
  });
});
