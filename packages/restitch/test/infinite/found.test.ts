/** Lists whose loading once did not end, or lost a page or a row. */
import {
  byCursor,
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  infinite,
  type Pagination,
  RestEndpoint,
  resource,
} from 'restitch';
import { expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import { PagingWorld } from './pagingWorld.js';

class Post extends Entity {
  id = '';
  side = '';
  static override key = 'Post';
}

function openList(world: PagingWorld, pagination: Pagination) {
  const controller = new Controller();
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: Post,
    send: world.send,
    pagination,
  }).extend('getList', {
    schema: { results: new Collection([Post]), next: null as string | null },
  });
  const view = infinite(controller, Posts.getList);
  const list = () => {
    const snapshot = view.getSnapshot();
    return snapshot.status === 'ready' ? snapshot.data : undefined;
  };
  const { quiet } = world;
  view.subscribe(() => {
    if (view.needsLoad(true)) void view.load();
  });
  void view.load();
  return { controller, Posts, view, list, quiet };
}

it('a page that arrives at an estimated position is placed, not requested for ever', async () => {
  const world = new PagingWorld({ style: 'page', size: 2, hasTotal: false }, 1);
  const { controller, Posts, view, list, quiet } = openList(
    world,
    byPage({ param: 'page', maxPages: 3 }),
  );
  await quiet();
  world.add('start');
  void view.loadNext();
  await settle();
  world.add('start');
  world.execute(0);
  world.add('start');
  void view.refresh('loaded');
  await settle();
  // The server runs it before it reads page 2, and its response arrives after that of page 2.
  void controller.fetch(Posts.getList.unshift, { side: 'start' });
  await quiet();
  for (let count = 0; count < 5 && list()?.hasNext; count += 1) {
    void view.loadNext();
    await quiet();
  }
  expect(list()?.hasNext).toBe(false);
  for (let count = 0; count < 5 && list()?.hasPrevious; count += 1) {
    void view.loadPrevious();
    await quiet();
  }
  expect(list()?.hasPrevious).toBe(false);
  void view.refresh('loaded');
  await quiet();
  expect(list()?.items.map(({ id }) => id)).toEqual(world.rows.map(({ id }) => id));
});

it('a page that fills a gap ends it, even if it was loaded before at the same position', async () => {
  const world = new PagingWorld({ style: 'offset', size: 1, hasTotal: false }, 1);
  const { controller, Posts, view, list, quiet } = openList(world, byOffset({ param: 'offset' }));
  await quiet();
  void view.loadNext();
  await settle();
  void controller.fetch(Posts.getList.unshift, { side: 'start' });
  await settle();
  world.execute(0);
  void controller.fetch(Posts.delete, { id: '1' });
  await settle();
  world.deliver(0);
  controller.expireAll(Posts.getList);
  await quiet();
  for (let count = 0; count < 5 && list()?.hasNext; count += 1) {
    void view.loadNext();
    await quiet();
  }
  expect(list()).toMatchObject({ items: [{ id: '2' }], hasNext: false, gapAfter: undefined });
});

it('a first page that grew over the next one stays when the next one is refreshed', async () => {
  const world = new PagingWorld({ style: 'offset', size: 4, hasTotal: false }, 2);
  const { view, list, quiet } = openList(world, byOffset({ param: 'offset' }));
  await quiet();
  world.add('end');
  world.add('end');
  void view.refresh();
  await settle();
  void view.loadNext();
  await settle();
  world.execute(1);
  world.deliver(0);
  await settle();
  void view.refresh('loaded');
  await settle();
  // The refresh of the first page ends last.
  while (world.pending.length > 1) {
    world.execute(1);
    world.deliver(0);
    await settle();
  }
  await quiet();
  expect(list()?.items.map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
  expect(list()).toMatchObject({ hasPrevious: false });
});

it('a dropped page that names another next page now ends at a gap', async () => {
  const world = new PagingWorld({ style: 'cursor', size: 1, hasTotal: false }, 3);
  const { view, list, quiet } = openList(
    world,
    byCursor({ param: 'cursor', next: 'next', maxPages: 2 }),
  );
  await quiet();
  for (let count = 0; count < 2; count += 1) {
    void view.loadNext();
    await quiet();
  }
  expect(list()?.items.map(({ id }) => id)).toEqual(['2', '3']);
  world.add('start');
  world.add('start');
  void view.loadPrevious();
  await quiet();
  expect(list()?.items.map(({ id }) => id)).toEqual(['5', '2']);
  expect(list()).toMatchObject({ gapAfter: 0, hasNext: true });
  for (let count = 0; count < 2; count += 1) {
    void view.loadNext();
    await quiet();
  }
  expect(list()?.items.map(({ id }) => id)).toEqual(['5', '4', '1', '2']);
});

it('a row that a page before shares with a loaded one stays when `maxPages` drops the latter', async () => {
  const world = new PagingWorld({ style: 'cursor', size: 4, hasTotal: false }, 16);
  const { controller, Posts, view, list, quiet } = openList(
    world,
    byCursor({ param: 'cursor', next: 'next', maxPages: 2 }),
  );
  const seen = new Set<string>();
  view.subscribe(() => list()?.items.forEach(({ id }) => seen.add(id)));
  await quiet();
  const load = async (side: 'Next' | 'Previous'): Promise<void> => {
    while (list()?.[`has${side}`]) {
      void view[`load${side}`]();
      await quiet();
    }
  };
  await load('Next');
  // The row is in a dropped page. Loaded again, that page ends with the first row of the next one.
  void controller.fetch(Posts.delete, { id: '8' });
  await quiet();
  await load('Previous');
  seen.clear();
  list()?.items.forEach(({ id }) => seen.add(id));
  await load('Next');
  expect(world.rows.filter(({ id }) => !seen.has(id))).toEqual([]);
});

it('a delete of the only loaded row while the next page is under way skips no row', async () => {
  for (const pagination of [byOffset({ param: 'offset' }), byPage({ param: 'page' })]) {
    const world = new PagingWorld({ style: pagination.param, size: 1, hasTotal: false }, 3);
    const { controller, Posts, view, list, quiet } = openList(world, pagination);
    await quiet();
    void controller.fetch(Posts.delete, { id: '1' });
    void view.loadNext();
    // The server deletes the row first, and row 2 moves to where the first page was.
    await quiet();
    for (let count = 0; count < 5 && list()?.hasNext; count += 1) {
      void view.loadNext();
      await quiet();
    }
    expect(list()?.items.map(({ id }) => id)).toEqual(['2', '3']);
  }
});

it('creates that the server ran before it read a page stand at the start', async () => {
  const world = new PagingWorld({ style: 'offset', size: 1, hasTotal: false }, 1);
  const { controller, Posts, view, list, quiet } = openList(world, byOffset({ param: 'offset' }));
  await quiet();
  void view.loadNext();
  await settle();
  for (let count = 0; count < 2; count += 1) {
    void controller.fetch(Posts.getList.unshift, { side: 'start' });
    await settle();
  }
  world.execute(1);
  world.execute(1);
  // The page is the row that was created first.
  await quiet();
  for (let count = 0; count < 5 && list()?.hasNext; count += 1) {
    void view.loadNext();
    await quiet();
  }
  expect(list()?.items.map(({ id }) => id)).toEqual(['3', '2', '1']);
});

it('a page in front that names no next page does not end the list', async () => {
  const world = new PagingWorld({ style: 'cursor', size: 1, hasTotal: false }, 2);
  const controller = new Controller();
  const getPosts = new RestEndpoint({
    urlPrefix: 'http://x',
    path: '/posts',
    searchParams: {} as { around?: string },
    schema: {
      results: new Collection([Post], { nonFilterArgumentKeys: ['around'] }),
      next: null as string | null,
    },
    send: world.send,
    pagination: byCursor({
      param: 'cursor',
      next: 'next',
      previousParam: 'before',
      previous: 'previous',
    }),
  });
  const view = infinite(controller, getPosts, { around: '2' });
  const { quiet } = world;
  void view.load();
  await quiet();
  world.delete('1');
  world.add('end');
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: Post,
    send: world.send,
  });
  void controller.fetch(Posts.delete, { id: '2' });
  await quiet();
  void view.loadPrevious();
  await quiet();
  void view.refresh('loaded');
  await quiet();
  void view.loadNext();
  await quiet();
  expect(view.getSnapshot()).toMatchObject({ data: { items: [{ id: '3' }], hasNext: false } });
});

it('a first page that has a new row already moves the pages that lack it', async () => {
  const world = new PagingWorld({ style: 'offset', size: 1, hasTotal: false }, 2);
  const { controller, Posts, view, list, quiet } = openList(world, byOffset({ param: 'offset' }));
  await quiet();
  void controller.fetch(Posts.getList);
  await settle();
  void view.loadNext();
  await settle();
  world.execute(1);
  world.deliver(0);
  await settle();
  void controller.fetch(Posts.getList.unshift, { side: 'start' });
  await settle();
  // The server creates the row, and then reads the first page.
  world.execute(1);
  await quiet();
  for (let count = 0; count < 5 && list()?.hasNext; count += 1) {
    void view.loadNext();
    await quiet();
  }
  expect(list()?.items.map(({ id }) => id)).toEqual(['3', '1', '2']);
});

it('a created row that no response has yet stays when a later page is read again', async () => {
  for (const style of ['page', 'offset'] as const) {
    const world = new PagingWorld({ style, size: 3, hasTotal: false }, 2);
    const pagination = style === 'page' ? byPage({ param: 'page' }) : byOffset({ param: 'offset' });
    const { controller, Posts, view, list, quiet } = openList(world, pagination);
    await quiet();
    void controller.fetch(Posts.getList.push, { side: 'end' });
    await quiet();
    void view.loadNext();
    await settle();
    // Any mutation makes the page unsure, and it is read again.
    void controller.fetch(Posts.delete, { id: 'unknown' }).catch(() => {});
    await quiet();
    for (let count = 0; count < 5 && list()?.hasNext; count += 1) {
      void view.loadNext();
      await quiet();
    }
    expect(list()?.items.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(list()).toMatchObject({ hasNext: false });
  }
});

const windows = [
  byCursor({ param: 'cursor', next: 'next', maxPages: 2 }),
  byOffset({ param: 'offset', total: 'total', maxPages: 2 }),
  byPage({ param: 'page', total: 'total', maxPages: 2 }),
];
const ids = (rows: readonly { readonly id: string }[] = []): string =>
  rows.map(({ id }) => id).join();

it.each(windows)('a row created before dropped pages hides none of them: $param', async (pages) => {
  const world = new PagingWorld({ style: pages.param, size: 3, hasTotal: true }, 8);
  const { controller, Posts, view, list, quiet } = openList(world, pages);
  await quiet();
  for (let count = 0; count < 2; count += 1) {
    void view.loadNext();
    await quiet();
  }
  expect(ids(list()?.items)).toBe('4,5,6,7,8');
  void controller.fetch(Posts.getList.unshift, { side: 'start' });
  await quiet();
  expect(ids(list()?.items)).toBe('9,4,5,6,7,8');
  for (let count = 0; count < 5 && list()?.hasPrevious; count += 1) {
    void view.loadPrevious();
    await quiet();
  }
  while (list()?.gapAfter !== undefined) {
    void view.loadNext();
    await quiet();
  }
  expect(ids(list()?.items)).toMatch(/^9,1,2,3/);
});

it.each(windows.slice(0, 2))(
  'rows of others before dropped pages leave a gap: $param',
  async (pages) => {
    const world = new PagingWorld({ style: pages.param, size: 3, hasTotal: true }, 8);
    const { view, list, quiet } = openList(world, pages);
    await quiet();
    for (let count = 0; count < 2; count += 1) {
      void view.loadNext();
      await quiet();
    }
    world.add('start');
    void view.loadPrevious();
    await quiet();
    expect(ids(list()?.items)).toBe('9,1,2,4,5,6');
    expect(list()).toMatchObject({ gapAfter: 2, hasNext: true });
    void view.loadNext();
    await quiet();
    expect(ids(list()?.items).slice(0, 11)).toBe('9,1,2,3,4,5');
  },
);

it('rows that a delete moves into the first page are read again', async () => {
  for (const tells of [{}, { total: 'total' }, { more: 'more' }]) {
    for (const deleted of [['3'], ['1', '2', '3']]) {
      const world = new PagingWorld({ style: 'page', size: 3, hasTotal: true, hasMore: true }, 8);
      const pages = byPage({ param: 'page', ...tells });
      const { controller, Posts, view, list, quiet } = openList(world, pages);
      await quiet();
      void view.loadNext();
      await settle();
      for (const id of deleted) void controller.fetch(Posts.delete, { id });
      await settle();
      // The server deletes the rows before it reads the page, which arrives first.
      for (const _ of deleted) world.execute(1);
      await quiet();
      for (let count = 0; count < 6 && list()?.hasNext; count += 1) {
        void view.loadNext();
        await quiet();
      }
      expect(ids(list()?.items)).toBe(ids(world.rows));
    }
  }
});

it('a refresh of the first loaded page that fails shows its error, though earlier pages were dropped', async () => {
  const world = new PagingWorld({ style: 'cursor', size: 1, hasTotal: false }, 3);
  const { view, list, quiet } = openList(
    world,
    byCursor({ param: 'cursor', next: 'next', maxPages: 1 }),
  );
  await quiet();
  void view.loadNext();
  await quiet();
  expect(list()).toMatchObject({ hasPrevious: true, nextError: undefined });
  void view.refresh();
  await settle();
  for (const request of world.pending) request.said = () => new Response(null, { status: 404 });
  world.deliver(0);
  await settle();
  expect(list()?.nextError).toBeInstanceOf(Error);
  void view.refresh();
  await quiet();
  expect(list()?.nextError).toBeUndefined();
});
