/** `getList.remove` with a response that does not say which list the record is in now. */
import { byPage, Controller, Entity, resource, type View } from 'restitch';
import { describe, expect, it } from 'vitest';
import { dataOf, flush } from '../support/world.js';

class Post extends Entity {
  id = '';
  author: string | null = '';
  done = false;
  static override key = 'RemovedPost';
}

const stored = { id: '1', author: '7', done: false };
/** The record after the server has removed it from the list of the author. */
const removed = { id: '1', author: null, done: false };

function openLists(optimistic: boolean, response: object | undefined) {
  const controller = new Controller();
  const requests: string[] = [];
  let now: object & { author: string | null } = stored;
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as { author?: string; done?: boolean },
    optimistic,
    async send(input: RequestInfo, { method }: RequestInit) {
      const { pathname, searchParams } = new URL(input as string);
      requests.push(
        `${method} ${pathname.slice(1)}${searchParams.size > 0 ? '?' : ''}${searchParams}`,
      );
      if (method === 'PATCH' && pathname === '/posts') {
        now = removed;
        return response ? Response.json(response) : new Response(null, { status: 204 });
      }
      if (method === 'PATCH') return Response.json({ id: '1', done: true });
      if (pathname === '/posts/1') return Response.json(now);
      const author = searchParams.get('author');
      return Response.json(author === null || author === now.author ? [now] : []);
    },
  });
  const read = async (view: View<unknown>): Promise<void> => {
    view.subscribe(() => void (view.needsLoad(true) && view.load()));
    await view.load();
  };
  return { controller, Posts, requests, read };
}

describe.each([
  [false, undefined],
  [false, { id: '1' }],
  [true, undefined],
  [true, { id: '1' }],
])('a removed record (optimistic: %s, response: %j)', (optimistic, response) => {
  it('is fetched again by its readers, because its field names the old list', async () => {
    const { controller, Posts, read } = openLists(optimistic, response);
    const detail = controller.observe(Posts.get, { id: '1' });
    const all = controller.observe(Posts.getList, {});
    const own = controller.observe(Posts.getList, { author: '7' });
    for (const view of [detail, all, own]) await read(view);
    await controller.fetch(Posts.getList.remove, { author: '7' }, { id: '1' });
    await flush();
    expect(dataOf(detail)?.author).toBe(null);
    expect(dataOf(all)?.map(({ author }) => author)).toEqual([null]);
    expect(dataOf(own)).toEqual([]);
  });

  it('does not come back with a later move', async () => {
    const { controller, Posts, read } = openLists(optimistic, response);
    const own = controller.observe(Posts.getList, { author: '7' });
    await read(own);
    await controller.fetch(Posts.getList.remove, { author: '7' }, { id: '1' });
    await flush();
    await controller.fetch(Posts.getList.move, { id: '1' }, { done: true });
    await flush();
    expect(dataOf(own)).toEqual([]);
  });
});

it('a removed record whose response contains the field is not fetched again', async () => {
  const { controller, Posts, read, requests } = openLists(false, { id: '1', author: null });
  const detail = controller.observe(Posts.get, { id: '1' });
  await read(detail);
  await controller.fetch(Posts.getList.remove, { author: '7' }, { id: '1' });
  await flush();
  expect(dataOf(detail)?.author).toBe(null);
  expect(requests).toEqual(['GET posts/1', 'PATCH posts?author=7']);
});

it('a removed record that a read in flight contains is fetched again', async () => {
  const controller = new Controller();
  let now: object = stored;
  let respond: (() => void) | undefined;
  const reads: object[] = [];
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as { author?: string },
    async send(_: RequestInfo, { method }: RequestInit) {
      if (method === 'PATCH') {
        now = removed;
        return new Response(null, { status: 204 });
      }
      const response = Response.json(now);
      reads.push(now);
      if (reads.length === 1) await new Promise<void>((resolve) => (respond = resolve));
      return response;
    },
  });
  controller.set(Post, { id: '1' }, { id: '1', done: false });
  const view = controller.observe(Posts.get, { id: '1' });
  view.subscribe(() => void (view.needsLoad(true) && view.load()));
  void view.load();
  await expect.poll(() => respond).toBeDefined();
  await controller.fetch(Posts.getList.remove, { author: '7' }, { id: '1' });
  respond?.();
  await expect.poll(() => dataOf(view)?.author).toBe(null);
  expect(reads).toEqual([stored, removed]);
});

it.each([
  ['is removed from the lists of the author with further filters', { author: '7' }, []],
  [
    'is removed from these lists if a further argument is undefined',
    { author: '7', done: undefined },
    [],
  ],
  ['stays in the list of another author', { author: '8' }, ['1']],
])('a record %s', async (_, named, left) => {
  const controller = new Controller();
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as { author?: string; done?: boolean; sort?: string },
    nonFilterArgumentKeys: ['sort'],
    send: (_input: RequestInfo, { method }: RequestInit) =>
      Promise.resolve(Response.json(method === 'GET' ? [stored] : removed)),
  });
  const lists = [
    { author: '7' },
    { author: '7', sort: 'title' },
    { author: '7', done: false },
    { author: '7', done: false, sort: 'title' },
  ].map((args) => controller.observe(Posts.getList, args));
  const others = [{}, { done: false }].map((args) => controller.observe(Posts.getList, args));
  for (const view of [...lists, ...others]) await view.load();
  await controller.fetch(Posts.getList.remove, named, { id: '1' });
  for (const view of lists) expect(dataOf(view)?.map(({ id }) => id)).toEqual(left);
  for (const view of others) expect(dataOf(view)?.map(({ id }) => id)).toEqual(['1']);
});

it('the page size is no filter: a removed record stays in the list of all records', async () => {
  const controller = new Controller();
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: Post,
    searchParams: { size: 20 } as { size?: number; author?: string },
    pagination: byPage({ param: 'page', size: 'size' }),
    send: (_input: RequestInfo, { method }: RequestInit) =>
      Promise.resolve(Response.json(method === 'GET' ? [stored] : removed)),
  });
  await controller.fetch(Posts.getList);
  await controller.fetch(Posts.getList, { author: '7' });
  await controller.fetch(Posts.getList.remove, { author: '7' }, { id: '1' });
  expect(controller.getResponse(Posts.getList)).toHaveLength(1);
  expect(controller.getResponse(Posts.getList, { author: '7' })).toEqual([]);
});
