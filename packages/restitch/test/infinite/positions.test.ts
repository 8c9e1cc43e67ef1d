import {
  byCursor,
  byOffset,
  byPage,
  Collection,
  Controller,
  infinite,
  RestEndpoint,
  type Pagination,
} from 'restitch';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startServer } from '../support/server.js';
import { type Feed, numberedPage, openFeed, Post, rowsOf, startFeed } from './feed.js';

let feed: Feed;
beforeAll(async () => {
  feed = await startFeed(numberedPage);
});
beforeEach(() => {
  feed.rows = rowsOf('abcdefghijklmnopqrstu');
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

const offsets = byOffset({ param: 'offset', total: 'total' });
const numbers = byPage({ param: 'page', total: 'total' });

describe('a list that is read with a page size', () => {
  const sizes = [
    ['byPage', byPage({ param: 'page', size: 'limit', total: 'total' }), { limit: 4 }],
    ['byOffset', byOffset({ param: 'offset', limit: 'limit', total: 'total' }), { limit: 4 }],
    [
      'a nested parameter',
      byOffset({ param: 'offset', limit: 'page[limit]', total: 'total' }),
      { page: { limit: 3 } },
    ],
  ] as const;
  it.each(sizes)('receives creates: %s', async (_, pagination, params) => {
    const { controller, Posts } = openFeed(feed, pagination);
    const getList = Posts.getList.extend({
      searchParams: {} as { limit?: number; page?: object; tag?: string } | undefined,
      // `page[limit]` is sent as `limit`.
      searchToString: ({ page, ...rest }) =>
        new URLSearchParams({
          ...(rest as object),
          ...(typeof page === 'object' ? page : page && { page }),
        }).toString(),
    });
    const view = infinite(controller, getList, params);
    const tagged = infinite(controller, getList, { ...params, tag: 'x' });
    const ids = (list: typeof view): string => {
      const snapshot = list.getSnapshot();
      return snapshot.status === 'ready' ? snapshot.data.items.map(({ id }) => id).join('') : '';
    };
    await view.load();
    await tagged.load();
    const first = ids(view);
    await controller.fetch(getList.unshift, {}, { id: 'A', title: 'A' });
    await controller.fetch(getList.unshift, { id: 'B', title: 'B' });
    expect([ids(view), ids(tagged)]).toEqual([`BA${first}`, first]);
    await view.loadNext();
    expect(ids(view).length).toBeGreaterThan(first.length + 2);
    expect('BAabcdefghij').toContain(ids(view));
  });

  it('is a list of its own for each page size', async () => {
    const sized = byOffset({ param: 'offset', limit: 'limit', total: 'total' });
    const { controller, Posts } = openFeed(feed, sized);
    const getList = Posts.getList.extend({
      searchParams: {} as { limit?: number } | undefined,
    });
    const views = [2, 5].map((limit) => infinite(controller, getList, { limit }));
    for (const view of views) await view.load();
    await controller.fetch(getList.unshift, {}, { id: 'A', title: 'A' });
    for (const view of views) await view.loadNext();
    const shown = views.map((view) => {
      const snapshot = view.getSnapshot();
      return snapshot.status === 'ready' ? snapshot.data.items.map(({ id }) => id).join('') : '';
    });
    expect(shown).toEqual(['Aabcd', 'Aabcdefghij']);
  });
});

describe('pages by offset', () => {
  it('a create at the front repeats no row and a delete skips none: one request (rule 4)', async () => {
    const { view, shownNow, controller, Posts, list } = await load(offsets, 5);
    expect(shownNow()).toBe('abcdefghijklmno…');
    await controller.fetch(Posts.getList.unshift, {}, { id: 'A', title: 'A' });
    await controller.fetch(Posts.delete, { id: 'e' });
    expect(list().total).toBe(21);
    await view.loadNext();
    expect(shownNow()).toBe('Aabcdfghijklmnopqr…');
    expect(feed.asked).toEqual(['offset=15']);
    await view.loadNext();
    expect(shownNow()).toBe('Aabcdfghijklmnopqrstu');
  });

  it('counts only what the server confirmed (rule 4)', async () => {
    const { view, shownNow, controller, Posts } = await load(offsets, 2);
    const remove = Posts.delete.extend({
      getOptimisticResponse: (_, { id }) => ({ id }),
      fetch: () => new Promise(() => {}),
    });
    void controller.fetch(remove, { id: 'b' });
    expect(shownNow()).toBe('acdef…');
    await view.loadNext();
    expect(feed.asked).toEqual(['offset=6']);
    expect(shownNow()).toBe('acdefghi…');
  });

  it('skips no row if a create is answered while the page is under way (rule 4)', async () => {
    for (const isSeen of [true, false]) {
      feed.rows = rowsOf('abcdefgh');
      const { view, shownNow, controller, Posts } = await load(offsets, 1);
      let release = (): void => {};
      let hold = new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
      feed.before = () => hold;
      if (isSeen) await controller.fetch(Posts.getList.unshift, {}, { id: 'A', title: 'A' });
      const page = view.loadNext();
      await expect.poll(() => feed.asked).toHaveLength(1);
      if (!isSeen) await controller.fetch(Posts.getList.unshift, {}, { id: 'A', title: 'A' });
      release();
      await page;
      hold = Promise.resolve(undefined);
      while (shownNow().endsWith('…')) await view.loadNext();
      expect(shownNow()).toBe('Aabcdefgh');
    }
  });

  it('skips no row if a delete is answered while the page is under way (rule 4)', async () => {
    const { view, shownNow, controller, Posts } = await load(offsets, 2);
    let release = (): void => {};
    const hold = new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
    feed.before = () => hold;
    const page = view.loadNext();
    await expect.poll(() => feed.asked).toHaveLength(1);
    await controller.fetch(Posts.delete, { id: 'b' });
    release();
    await page;
    while (shownNow().endsWith('…')) await view.loadNext();
    expect(shownNow()).toBe('acdefghijklmnopqrstu');
  });

  it('without a total ends with a page that is not full (rule 7)', async () => {
    feed.rows = rowsOf('abcdefgh');
    const { view, shownNow } = await load(byOffset({ param: 'offset' }), 2);
    expect(shownNow()).toBe('abcdef…');
    await view.loadNext();
    expect(shownNow()).toBe('abcdefgh');
    // A first page shorter than asked for is the only one.
    feed.rows = rowsOf('ab');
    const short = byOffset({ param: 'offset', limit: 'limit' });
    const { Posts, controller } = openFeed(feed, short);
    const limited = Posts.getList.extend({ searchParams: { limit: 5 } as { limit?: number } });
    const other = infinite(controller, limited);
    await other.load();
    expect(other.getSnapshot()).toMatchObject({ data: { hasNext: false } });
    expect(feed.asked.at(-1)).toBe('limit=5');
  });

  it('takes the word of `more` (rule 7)', async () => {
    const { view, shownNow } = await load(
      byOffset({ param: 'offset', more: ({ total }, response) => response?.ok && total === 0 }),
      1,
    );
    expect(shownNow()).toBe('abc');
    await view.loadNext();
    expect(feed.asked).toEqual([]);
  });

  it('ends if the server ignores the parameter, and reports page-repeats (rule 7)', async () => {
    const broken = await startFeed(() => ({ results: rowsOf('abc') }));
    const { view, shownNow, errors } = openFeed(broken, byOffset({ param: 'offset' }));
    await view.load();
    while (shownNow().endsWith('…')) await view.loadNext();
    expect(shownNow()).toBe('abc');
    expect(errors).toMatchObject([{ code: 'page-repeats' }]);
    await broken.server.close();
  });
});

describe('pages by number', () => {
  it('loads page after page, and the total tells the end (rule 7)', async () => {
    feed.rows = rowsOf('abcdef');
    const { view, shownNow, list } = openFeed(feed, numbers);
    await view.load();
    expect(list().total).toBe(6);
    await view.loadNext();
    expect(shownNow()).toBe('abcdef');
    expect(feed.asked).toEqual(['', 'page=2']);
  });

  it('reads a page again whose rows moved up, and repeats none (rule 4)', async () => {
    const { view, shownNow, controller, Posts } = await load(numbers, 2);
    await controller.fetch(Posts.delete, { id: 'b' });
    expect(shownNow()).toBe('acdef…');
    await view.loadNext();
    expect(shownNow()).toBe('acdefg…');
    await view.loadNext();
    expect(shownNow()).toBe('acdefghij…');
    expect(feed.asked).toEqual(['page=2', 'page=3']);
  });

  it('skips a row that a create moved down (rule 4)', async () => {
    const { view, shownNow, controller, Posts } = await load(numbers, 2);
    await controller.fetch(Posts.getList.unshift, {}, { id: 'A', title: 'A' });
    await view.loadNext();
    expect(shownNow()).toBe('Aabcdefgh…');
    expect(feed.asked).toEqual(['page=3']);
  });

  it('may begin at another number, have a size, and be a member of an object', async () => {
    const pages = await startServer();
    pages.respond(({ url }) => {
      const query = new URL(url, pages.origin).searchParams;
      const number = Number(query.get('page[number]'));
      const size = Number(query.get('page[size]'));
      return feed.rows.slice(number * size, (number + 1) * size);
    });
    const getPosts = new RestEndpoint({
      urlPrefix: pages.origin,
      path: '/posts',
      searchParams: {} as { page: { size: number } },
      searchToString: ({ page }) =>
        String(
          new URLSearchParams(
            Object.entries(page).map(([key, value]) => [`page[${key}]`, String(value)]),
          ),
        ),
      schema: new Collection([Post]),
      pagination: byPage({ param: 'page[number]', first: 0, size: 'page[size]' }),
    });
    const view = infinite(new Controller(), getPosts, { page: { size: 4 } });
    await view.load();
    await view.loadNext();
    const snapshot = view.getSnapshot();
    expect(snapshot).toMatchObject({ status: 'ready', data: { hasNext: true, beside: {} } });
    if (snapshot.status === 'ready') expect(snapshot.data.items).toHaveLength(8);
    await pages.close();
  });
});

describe('a cursor in the body', () => {
  it('is added to the body of each page', async () => {
    const search = await startServer();
    search.respond(({ body }) => {
      const { cursor = 0 } = JSON.parse(body) as { cursor?: number };
      return { rows: feed.rows.slice(cursor, cursor + 3), meta: { next: cursor + 3 } };
    });
    const find = new RestEndpoint({
      urlPrefix: search.origin,
      path: '/search',
      method: 'POST',
      sideEffect: undefined,
      body: {} as { text: string; cursor?: number },
      schema: { rows: new Collection([Post]), meta: { next: 0 } },
      pagination: byCursor({ param: 'body.cursor', next: 'meta.next' }),
    });
    const view = infinite(new Controller(), find, { text: 'a' });
    await view.load();
    await view.loadNext();
    expect(search.seen.map(({ body }) => body)).toEqual([
      '{"text":"a"}',
      '{"text":"a","cursor":3}',
    ]);
    expect(view.getSnapshot()).toMatchObject({ data: { beside: { meta: { next: 6 } } } });
    await search.close();
  });
});
