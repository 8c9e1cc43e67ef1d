import {
  byCursor,
  byLink,
  byOffset,
  byPage,
  Collection,
  Controller,
  infinite,
  RestEndpoint,
} from 'restitch';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readyData } from '../support/readyData.js';
import { cursorPage, cursors, type Feed, openFeed, Post, rowsOf, startFeed } from './feed.js';

let feed: Feed;
beforeAll(async () => {
  feed = await startFeed(cursorPage);
});
beforeEach(() => {
  feed.rows = rowsOf('abcdefghij');
  feed.asked.length = 0;
  feed.before = () => undefined;
});
afterAll(() => feed.server.close());

describe('an infinite list by cursor', () => {
  it('loads page after page until the cursor is null (rule 7)', async () => {
    const { view, shownNow, list } = openFeed(feed, cursors);
    expect(shownNow()).toBe('pending');
    await view.load();
    expect(shownNow()).toBe('abc…');
    await view.loadNext();
    expect(shownNow()).toBe('abcdef…');
    await view.loadNext();
    await view.loadNext();
    expect(shownNow()).toBe('abcdefghij');
    await view.loadNext();
    expect(feed.asked).toEqual(['', 'cursor=c', 'cursor=f', 'cursor=i']);
    expect(list().total).toBe(10);
    expect(list().hasPrevious).toBe(false);
  });

  it('has each row once and the same array while nothing in it changed (rule 1)', async () => {
    const { view, list, controller, Posts } = openFeed(feed, cursors);
    await view.load();
    await view.loadNext();
    const { items } = list();
    const whole = list();
    await controller.fetch(Posts.getList, {});
    expect(list().items).toBe(items);
    expect(list()).toBe(whole);
    // Another page that repeats a row.
    feed.rows = rowsOf('abcdefgcbh');
    await view.loadNext();
    expect(
      list()
        .items.map(({ id }) => id)
        .join(''),
    ).toBe('abcdefg');
  });

  it('joins a page that is under way, and a refetch neither cancels nor waits for it (rule 3)', async () => {
    const { view, shownNow, controller, Posts } = openFeed(feed, cursors);
    await view.load();
    let release: (status: undefined) => void = () => {};
    feed.before = (query) =>
      query.has('cursor') ? new Promise((resolve) => (release = resolve)) : undefined;
    const [one, two] = [view.loadNext(), view.loadNext()];
    expect(one).toBe(two);
    await expect.poll(() => feed.asked).toEqual(['', 'cursor=c']);
    await controller.fetch(Posts.getList, {});
    expect(shownNow()).toBe('abc…');
    release(undefined);
    await one;
    expect(shownNow()).toBe('abcdef…');
    expect(feed.asked).toEqual(['', 'cursor=c', '']);
  });

  it('a page that fails is the error of its side and never throws (rule 10)', async () => {
    const { view, shownNow, list } = openFeed(feed, cursors);
    await view.load();
    feed.before = () => 500;
    await view.loadNext();
    expect(list().nextError?.message).toContain('500');
    expect(list().previousError).toBeUndefined();
    expect(shownNow()).toBe('abc…');
    feed.before = () => undefined;
    const retry = view.loadNext();
    expect(list().nextError).toBeUndefined();
    expect(list().isLoadingNext).toBe(true);
    await retry;
    expect(list().isLoadingNext).toBe(false);
    expect(shownNow()).toBe('abcdef…');
    // A retry does not start again with the first page.
    expect(feed.asked).toEqual(['', 'cursor=c', 'cursor=c']);
  });

  it('the error of the first page is the error of the view (rule 10)', async () => {
    const { view } = openFeed(feed, cursors);
    feed.before = () => 404;
    await expect(view.load()).rejects.toThrow('404');
    expect(view.getSnapshot()).toMatchObject({ status: 'error', error: { status: 404 } });
  });

  it('ends at a cursor that occurred before, and reports page-repeats (rule 7)', async () => {
    const broken = await startFeed(() => ({ results: rowsOf('abc'), nextCursor: 'c' }));
    const { view, shownNow, errors } = openFeed(broken, cursors);
    await view.load();
    expect(shownNow()).toBe('abc…');
    await view.loadNext();
    expect(shownNow()).toBe('abc');
    expect(errors).toMatchObject([{ code: 'page-repeats' }]);
    await view.loadNext();
    expect(broken.asked).toHaveLength(2);
    await broken.server.close();
  });

  it('is told of each change once it is there, and shares one view', async () => {
    const { view, shownNow, controller, Posts } = openFeed(feed, cursors);
    const seen: string[] = [];
    const stop = view.subscribe(() => {
      if (seen.at(-1) !== shownNow()) seen.push(shownNow());
    });
    await view.load();
    await view.loadNext();
    stop();
    expect(seen).toEqual(['abc…', 'abcdef…']);
    expect(infinite(controller, Posts.getList, {})).toBe(view);
    expect(infinite(controller, Posts.getList, { tag: 'x' })).not.toBe(view);
  });

  it('shows creates and deletes between the pages without a request', async () => {
    const { view, shownNow, controller, Posts, list } = openFeed(feed, cursors);
    await view.load();
    await view.loadNext();
    await controller.fetch(Posts.getList.unshift, {}, { id: 'A', title: 'A' });
    await controller.fetch(Posts.delete, { id: 'd' });
    expect(shownNow()).toBe('Aabcef…');
    expect(list().total).toBe(10);
    expect(feed.asked).toHaveLength(2);
  });

  it('a page that became empty by deletes stays a page (rule 9)', async () => {
    const { view, shownNow, controller, Posts } = openFeed(feed, cursors);
    await view.load();
    await view.loadNext();
    for (const id of 'def') await controller.fetch(Posts.delete, { id });
    expect(shownNow()).toBe('abc…');
    await view.loadNext();
    expect(shownNow()).toBe('abcghi…');
    expect(feed.asked).toEqual(['', 'cursor=c', 'cursor=f']);
  });

  it('starts again after an invalidation, also while a page is under way', async () => {
    const { view, shownNow, controller, Posts } = openFeed(feed, cursors);
    await view.load();
    await view.loadNext();
    let release: (status: undefined) => void = () => {};
    feed.before = () => new Promise((resolve) => (release = resolve));
    const page = view.loadNext();
    await expect.poll(() => feed.asked).toHaveLength(3);
    void controller.invalidate(Posts.getList, {});
    expect(shownNow()).toBe('pending');
    release(undefined);
    await page;
    feed.before = () => undefined;
    await view.load();
    expect(shownNow()).toBe('abc…');
  });

  it('is gone after a reset, and says so to nobody as an error', async () => {
    const { view, list, controller } = openFeed(feed, cursors);
    await view.load();
    feed.before = () => new Promise(() => {});
    const page = view.loadNext();
    await expect.poll(() => feed.asked).toHaveLength(2);
    controller.resetEntireStore();
    await page;
    expect(view.getSnapshot().status).toBe('pending');
    feed.before = () => undefined;
    await view.load();
    expect(list().nextError).toBeUndefined();
    expect(list().items).toHaveLength(3);
    await view.loadNext();
    expect(list().items).toHaveLength(6);
  });

  it.each([
    ['page', byPage({ param: 'page', total: 'total' }), { page: 1 }],
    ['offset', byOffset({ param: 'offset' }), { offset: 0 }],
    [
      'before',
      byCursor({ param: 'after', next: 'next', previousParam: 'before' }),
      { before: 'a' },
    ],
    ['cursor', byLink({ params: ['cursor'] }), { cursor: 'a' }],
  ])('refuses arguments with the page parameter %s', (param, pagination, args) => {
    const getPosts = new RestEndpoint({
      path: '/posts',
      searchParams: {} as Record<string, unknown> | undefined,
      schema: new Collection([Post]),
      pagination,
    });
    const controller = new Controller();
    const open = () => infinite(controller, getPosts, args);
    expect(open).toThrow(expect.objectContaining({ code: 'page-in-arguments' }));
    expect(open).toThrow(`\`${param}\``);
    expect(infinite(controller, getPosts, { author: 'ada' }).needsLoad()).toBe(true);
  });

  it('refuses an endpoint whose next page is unknown', () => {
    const plain = new RestEndpoint({ path: '/posts', schema: new Collection([Post]) });
    const controller = new Controller();
    // @ts-expect-error -- it has no pagination
    expect(() => infinite(controller, plain)).toThrow(
      expect.objectContaining({ code: 'no-pagination' }),
    );
  });
});

describe.each([
  ['a cursor', byCursor({ param: 'cursor', next: 'next' })],
  ['a link', byLink({ params: ['cursor'] })],
])('empty pages that each name a new page, by %s', (_, pagination) => {
  /** Only the pages 0 and 20 have a row. */
  const openSparse = (last = 20) => {
    const asked: number[] = [];
    const reports: unknown[] = [];
    const getPosts = new RestEndpoint({
      urlPrefix: 'http://x',
      path: '/posts',
      send: (url: string) => {
        const page = Number(new URL(url).searchParams.get('cursor') ?? 0);
        asked.push(page);
        const next = page < last ? String(page + 1) : null;
        const link = next ? { link: `<http://x/posts?cursor=${next}>; rel="next"` } : undefined;
        const results = page % 20 === 0 ? [{ id: `p${page}` }] : [];
        return Promise.resolve(Response.json({ results, next }, link && { headers: link }));
      },
      schema: { results: new Collection([Post]), next: null as string | null },
      pagination,
    });
    const controller = new Controller({ environment: { report: (error) => reports.push(error) } });
    const view = infinite(controller, getPosts);
    view.subscribe(() => {});
    const ids = () => readyData(view).items.map(({ id }) => id);
    return { view, ids, asked, reports };
  };

  it('are loaded until a page names no next page', async () => {
    const { view, ids, asked, reports } = openSparse();
    await view.load();
    for (let turn = 0; readyData(view).hasNext && turn < 30; turn += 1) await view.loadNext();
    expect(ids()).toEqual(['p0', 'p20']);
    expect(readyData(view).hasNext).toBe(false);
    expect(asked).toHaveLength(21);
    expect(reports).toEqual([]);
  });

  it('are all loaded again by `refresh("loaded")`', async () => {
    const { view, ids, asked } = openSparse();
    await view.load();
    for (let turn = 0; turn < 20; turn += 1) await view.loadNext();
    asked.length = 0;
    await view.refresh('loaded');
    expect(ids()).toEqual(['p0', 'p20']);
    expect(readyData(view).hasNext).toBe(false);
    expect(asked).toHaveLength(21);
  });

  it('without end are not loaded without end by `refresh("loaded")`', async () => {
    const { view, ids, asked } = openSparse(Infinity);
    await view.load();
    for (let turn = 0; turn < 10; turn += 1) await view.loadNext();
    asked.length = 0;
    await view.refresh('loaded');
    expect(ids()).toEqual(['p0']);
    expect(readyData(view).hasNext).toBe(true);
    expect(asked.length).toBeLessThan(13);
  });
});
