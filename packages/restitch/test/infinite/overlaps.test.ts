/** Pages whose requests overlap creates and deletes of the same list. */
import {
  byCursor,
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  infinite,
  type Pagination,
  resource,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import { PagingWorld } from './pagingWorld.js';
import { readyData } from '../support/readyData.js';

class Post extends Entity {
  id = '';
  title = '';
  side = '';
  static override key = 'Post';
}

const offsets = byOffset({ param: 'offset', total: 'total' });
const plain = byOffset({ param: 'offset' });
const cursors = byCursor({ param: 'cursor', next: 'next', total: 'total' });

async function open(
  count: number,
  pages: number,
  pagination: Pagination = offsets,
  size: number = 3,
  optimistic: boolean = false,
) {
  const style = pagination.param as 'cursor' | 'offset' | 'page';
  const world = new PagingWorld({ style, size, hasTotal: true }, count);
  const asked: string[] = [];
  const failing = { now: false };
  const send = (url: string, init: RequestInit): Promise<Response> => {
    asked.push(`${init.method ?? 'GET'} ${url.slice('http://x'.length)}`);
    return failing.now
      ? Promise.resolve(new Response(null, { status: 500 }))
      : world.send(url, init);
  };
  const controller = new Controller();
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: Post,
    send,
    pagination,
    optimistic,
  }).extend('getList', {
    schema: { results: new Collection([Post]), total: 0, next: null as string | null },
  });
  const view = infinite(controller, Posts.getList);
  // As a mounted reader does.
  const stop = view.subscribe(() => {
    if (view.needsLoad(true)) void view.load();
  });
  const list = () => readyData(view);
  const ids = (): string =>
    list()
      .items.map(({ id }) => id)
      .join(' ');
  const rows = (): string => world.rows.map(({ id }) => id).join(' ');
  /** The server carries out these requests; no response arrives. */
  const read = async (...labels: readonly string[]): Promise<void> => {
    await settle();
    labels.forEach((label) => world.read(label));
  };
  /** Lets the responses to these requests arrive, one after another. */
  const answer = async (...labels: readonly string[]): Promise<void> => {
    await settle();
    for (const label of labels) {
      world.answer(label);
      await settle();
    }
  };
  const { quiet } = world;
  void view.load();
  await quiet();
  for (let page = 1; page < pages; page += 1) {
    void view.loadNext();
    await quiet();
  }
  asked.length = 0;
  const create = (side: 'start' | 'end' = 'start'): void => {
    const call = side === 'start' ? Posts.getList.unshift : Posts.getList.push;
    void controller.fetch(call, { side });
  };
  const remove = (id: string): void => void controller.fetch(Posts.delete, { id });
  const edit = (id: string): void =>
    void controller.fetch(Posts.partialUpdate, { id }, { title: 'new' });
  const expire = (): void => controller.expireAll(Posts.getList);
  const invalidate = (): void => void controller.invalidate(Posts.getList);
  /** Loads all further pages. */
  const loadAll = async (): Promise<void> => {
    while (list().hasNext) {
      void view.loadNext();
      await quiet();
    }
  };
  const calls = { create, remove, edit, expire, invalidate, loadAll };
  return { world, view, stop, asked, failing, list, ids, rows, read, answer, quiet, ...calls };
}

describe('a page that overlapped a create or delete of this client', () => {
  it('is read again as soon as the delete settled, so no row is missing before it', async () => {
    const { view, asked, ids, list, read, answer, quiet, remove } = await open(7, 1);
    remove('2');
    await read('DELETE /posts/2');
    const loading = view.loadNext();
    await answer('GET /posts?offset=3');
    await loading;
    expect(list()).toMatchObject({ hasNext: true });
    await answer('DELETE /posts/2');
    await quiet();
    expect(ids()).toBe('1 3 4 5 6 7');
    expect(list()).toMatchObject({ hasNext: false, total: 6, gapAfter: undefined });
    expect(asked.slice(2)).toEqual(['GET /posts', 'GET /posts?offset=3']);
  });

  it('is read again if the mutation settled before the page arrived', async () => {
    const { view, asked, ids, rows, read, answer, quiet, create } = await open(6, 1);
    void view.loadNext();
    await read('GET /posts?offset=3');
    create();
    await answer('POST /posts', 'GET /posts?offset=3');
    await quiet();
    expect(ids()).toBe(rows());
    const round = ['GET /posts', 'GET /posts?offset=3', 'GET /posts?offset=6'];
    expect(asked).toEqual(['GET /posts?offset=3', 'POST /posts', ...round]);
  });

  it('loses no row if `refresh` overlapped a delete and a create', async () => {
    const { view, ids, list, rows, read, answer, quiet, create, remove } = await open(7, 3, plain);
    void view.refresh('loaded');
    await read('GET /posts?offset=3');
    remove('5');
    create();
    await answer('DELETE /posts/5', 'POST /posts', 'GET /posts', 'GET /posts?offset=3');
    await quiet();
    while (list().hasNext) {
      void view.loadNext();
      await quiet();
    }
    expect(ids()).toBe(rows());
    expect(list()).toMatchObject({ gapAfter: undefined, isRefreshing: false });
  });

  it('does not end the list if it is empty', async () => {
    const { view, ids, list, rows, answer, quiet, remove } = await open(7, 2);
    void view.loadNext();
    await settle();
    remove('3');
    await answer('DELETE /posts/3', 'GET /posts?offset=6');
    await quiet();
    while (list().hasNext) {
      void view.loadNext();
      await quiet();
    }
    expect(ids()).toBe(rows());
    expect(list().total).toBe(6);
  });

  it('keeps the order of the server if `loadNext` and `refresh` overlapped a create', async () => {
    const { view, ids, rows, answer, quiet, create } = await open(10, 2, plain);
    void view.loadNext();
    await settle();
    create();
    await settle();
    void view.refresh('loaded');
    await answer('POST /posts', 'GET /posts?offset=6', 'GET /posts', 'GET /posts?offset=3');
    await quiet();
    expect(ids()).toBe(rows().slice(0, ids().length));
  });

  it.each([
    ['by offset', offsets, 'GET /posts?offset=6'],
    ['by cursor', cursors, 'GET /posts?cursor=6'],
  ])('gives the total of the server: %s', async (_, pagination, last) => {
    const { view, list, rows, read, answer, quiet, create } = await open(7, 2, pagination);
    create();
    await read('POST /posts');
    void view.loadNext();
    await answer(last, 'POST /posts');
    await quiet();
    expect(list()).toMatchObject({ total: 8, hasNext: false });
    expect(
      list()
        .items.map(({ id }) => id)
        .join(' '),
    ).toBe(rows());
  });

  it('is not read again after a change of fields', async () => {
    const { view, asked, ids, quiet, edit } = await open(6, 1);
    edit('1');
    await settle();
    void view.loadNext();
    await quiet();
    expect(ids()).toBe('1 2 3 4 5 6');
    expect(asked).toEqual(['PATCH /posts/1', 'GET /posts?offset=3']);
  });

  it('is not read again without a reader', async () => {
    const { view, stop, asked, answer, quiet, remove } = await open(7, 1);
    remove('2');
    await settle();
    void view.loadNext();
    await answer('GET /posts?offset=3');
    stop();
    await quiet();
    expect(asked).toEqual(['DELETE /posts/2', 'GET /posts?offset=3']);
  });

  it('is left as it was if the server keeps failing, until `loadNext` is called', async () => {
    const { view, asked, failing, ids, list, answer, quiet, remove } = await open(7, 1);
    remove('2');
    await settle();
    void view.loadNext();
    await answer('GET /posts?offset=3');
    failing.now = true;
    await quiet();
    const pages = ['GET /posts', 'GET /posts?offset=3'];
    expect(asked.slice(2)).toEqual([...pages, ...pages, ...pages]);
    expect(list()).toMatchObject({ hasNext: true, nextError: { status: 500 } });
    failing.now = false;
    void view.loadNext();
    await quiet();
    expect(ids()).toBe('1 3 4 5 6 7');
    expect(list()).toMatchObject({ hasNext: false, nextError: undefined });
  });

  it('ends a loop of `loadNext` calls until `hasNext` is false', async () => {
    const { view, ids, list, rows, quiet, remove } = await open(7, 1);
    remove('2');
    const load = async (): Promise<void> => {
      while (list().hasNext) await view.loadNext();
    };
    const loading = load();
    await quiet();
    await loading;
    expect(ids()).toBe(rows());
  });
});

describe('overlaps of several loads, creates and deletes', () => {
  const numbers = byPage({ param: 'page' });

  it('an invalidation, a next page and two deletes lose no row', async () => {
    const opened = await open(5, 1, plain, 2, true);
    const { world, view, ids, rows, read, answer, quiet, remove, invalidate, loadAll } = opened;
    const answerAll = async (label: string): Promise<void> => {
      while (world.pending.some(({ url }) => url.pathname + url.search === label)) {
        await answer(`GET ${label}`);
      }
    };
    void view.refresh('loaded');
    await read('GET /posts');
    remove('2');
    await answer('DELETE /posts/2');
    invalidate();
    await settle();
    void view.loadNext();
    await answer('GET /posts');
    await answerAll('/posts?offset=1');
    await answerAll('/posts');
    remove('1');
    await answerAll('/posts?offset=2');
    await quiet();
    await loadAll();
    expect(ids()).toBe('3 4 5');
    expect(ids()).toBe(rows());
  });

  it.each([
    ['by page', numbers],
    ['by page with a total', byPage({ param: 'page', total: 'total' })],
    ['by cursor with a total', cursors],
  ])('creates that the server runs in another order lose no row: %s', async (_, pagination) => {
    const { world, view, ids, rows, answer, quiet, create, loadAll } = await open(
      6,
      2,
      pagination,
      2,
    );
    void view.refresh();
    await settle();
    create();
    create();
    await settle();
    // The server creates both rows, before it reads the first page.
    world.execute(2);
    world.execute(1);
    create();
    await answer('GET /posts');
    await quiet();
    expect(ids()).toBe(rows().slice(0, ids().length));
    await loadAll();
    expect(ids()).toBe(rows());
  });

  it.each([
    [3, 'expire'],
    [3, 'refresh'],
    [undefined, 'expire'],
    [undefined, 'refresh'],
  ])(
    'created rows stay at the start if a next page and the first page overlap: maxPages %s, %s',
    async (maxPages, how) => {
      const pagination = byCursor({ param: 'cursor', next: 'next', maxPages });
      const { view, ids, list, rows, answer, quiet, create, expire } = await open(
        6,
        2,
        pagination,
        2,
      );
      create();
      await settle();
      void view.loadNext();
      await settle();
      create();
      await settle();
      if (how === 'expire') expire();
      else void view.refresh();
      await answer('POST /posts', 'GET /posts?cursor=4', 'POST /posts', 'GET /posts');
      await quiet();
      expect(ids()).toBe(rows().slice(0, ids().length));
      expect(list()).toMatchObject({ hasPrevious: false, gapAfter: undefined });
    },
  );

  it("refresh('loaded') loads the first page, too, after creates that overlapped loads", async () => {
    const opened = await open(4, 1, numbers, 2, true);
    const { world, view, ids, list, rows, quiet, answer, create, edit, expire, loadAll } = opened;
    edit('1');
    await settle();
    void view.refresh();
    await settle();
    void view.loadNext();
    await settle();
    create();
    await answer('GET /posts?page=2');
    void view.loadNext();
    await settle();
    void view.refresh('loaded');
    await settle();
    create();
    await settle();
    expire();
    await settle();
    create();
    await settle();
    // The server runs the last two creates first. The responses arrive in the order of the requests.
    const creates = world.pending.filter(({ method }) => method === 'POST');
    for (const request of creates.slice(1)) world.carryOut(request);
    while (world.pending[0]) {
      world.carryOut(world.pending[0]);
      world.deliver(0);
      await settle();
    }
    await loadAll();
    void view.refresh('loaded');
    await quiet();
    expect(ids()).toBe(rows());
    expect(list()).toMatchObject({ hasPrevious: false, nextError: undefined });
  });
});

it.each([1, 2])(
  'a created row at the end that another client deleted goes when the list is loaded to its end after a refresh of %s pages',
  async (pages) => {
    const { world, view, ids, list, rows, quiet, create } = await open(8, pages);
    create('end');
    await quiet();
    expect(ids()).toMatch(/ 9$/);
    world.delete('9');
    void view.refresh('loaded');
    await quiet();
    while (list().hasNext) {
      void view.loadNext();
      await quiet();
    }
    expect(ids()).toBe(rows());
  },
);

it('a created row that belongs to a page loaded before moves there when the last page is loaded', async () => {
  const { world, view, ids, list, quiet, create } = await open(8, 1);
  create('end');
  await quiet();
  // The server sorts it into the first page.
  world.rows = world.rows.filter(({ id }) => id !== '9').toSpliced(1, 0, { id: '9', at: 0.5 });
  while (list().hasNext) {
    void view.loadNext();
    await quiet();
  }
  expect(ids()).toBe('1 9 2 3 4 5 6 7 8');
});

it('equal responses keep the list while an older request of the first page is in flight', async () => {
  const waiting: ((response: Response) => void)[] = [];
  const controller = new Controller({ onError: () => {} });
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: Post,
    send: () => new Promise<Response>((resolve) => waiting.push(resolve)),
    pagination: cursors,
  }).extend('getList', {
    schema: { results: new Collection([Post]), total: 0, next: null as string | null },
  });
  const view = infinite(controller, Posts.getList);
  const stop = view.subscribe(() => {});
  const answer = async (index: number, body: unknown, status = 200): Promise<void> => {
    await settle();
    waiting[index]?.(Response.json(body, { status }));
    await settle();
  };
  const shown = (): string => {
    const snapshot = view.getSnapshot();
    return snapshot.status === 'ready'
      ? snapshot.data.items.map(({ id }) => id).join(' ')
      : snapshot.status;
  };
  const page = { results: [{ id: 'a', title: 'a' }], total: 1, next: null };
  view.load().catch(() => {});
  void controller.fetch(Posts.getList.push, { title: 'a' });
  await answer(1, page.results[0]);
  void view.refresh();
  await answer(2, page);
  void view.refresh('loaded');
  await answer(3, page);
  expect(shown()).toBe('a');
  await answer(0, {}, 500);
  expect(shown()).toBe('a');
  stop();
});
