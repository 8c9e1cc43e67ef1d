import {
  byCursor,
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  expireWhere,
  type Filter,
  infinite,
  resource,
  RestEndpoint,
  type Pagination,
  Union,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import { readyData } from '../support/readyData.js';

class Author extends Entity {
  id = '';
  name = '';
  static override key = 'Author';
}

class Post extends Entity {
  id = '';
  title = '';
  author = Author.fromJS({});
  static override key = 'Post';
  static override schema = { author: Author };
}

const SIZE = 2;
const urlPrefix = 'http://x';

/** A server with the posts `1` to `6`, two on each page. Post 3 has the author 3, and so on. */
function openWorld(pagination: Pagination, maxPages?: number) {
  const posts = new Map([...'123456'].map((id) => [id, id]));
  const names = new Map([...'123456'].map((id) => [id, id]));
  const gets: string[] = [];
  const edits: (() => void)[] = [];
  const held: (() => void)[] = [];
  const world = { posts, names, gets, edits, held, holds: (_: string): boolean => false };
  const page = (query: URLSearchParams): object => {
    const at = query.has('page')
      ? (Number(query.get('page')) - 1) * SIZE
      : Number(query.get('offset') ?? query.get('cursor') ?? 0);
    const results = [...posts]
      .map(([id, title]) => ({ id, title, author: { id, name: names.get(id) } }))
      .slice(at, at + SIZE);
    return { results, total: posts.size, next: at + SIZE < posts.size ? `${at + SIZE}` : null };
  };
  const send = (input: string, init: RequestInit): Promise<Response> => {
    const url = new URL(input);
    const [, kind, id = ''] = url.pathname.split('/');
    const rows = kind === 'authors' ? names : posts;
    if (init.method === 'POST') {
      rows.set(id, 'acted');
      return Promise.resolve(new Response(null, { status: 204 }));
    }
    if (init.method === 'PATCH') {
      const { title } = JSON.parse(typeof init.body === 'string' ? init.body : '');
      return new Promise((resolve) => {
        edits.push(() => {
          rows.set(id, title);
          resolve(Response.json({ id, title }));
        });
      });
    }
    gets.push(url.search);
    const body = page(url.searchParams);
    return new Promise((resolve) => {
      const arrive = (): void => resolve(Response.json(body));
      if (world.holds(url.search)) held.push(arrive);
      else arrive();
    });
  };
  const Posts = resource({
    urlPrefix,
    path: '/posts/:id',
    schema: Post,
    optimistic: true,
    send,
    pagination: maxPages === undefined ? pagination : byPage({ param: 'page', maxPages }),
  }).extend('getList', {
    schema: { results: new Collection([Post]), total: 0, next: null as string | null },
  });
  const shared = { urlPrefix, method: 'POST', body: undefined, send } as const;
  const act = new RestEndpoint({ ...shared, path: '/posts/:id/act', schema: Post });
  const ban = new RestEndpoint({ ...shared, path: '/authors/:id/ban', schema: Author });
  /** Changes a field that the list does not show. */
  const note = (response: object | null) =>
    new RestEndpoint({
      ...shared,
      path: '/posts/:id/note',
      schema: Post,
      send: () =>
        Promise.resolve(response ? Response.json(response) : new Response(null, { status: 204 })),
      getOptimisticResponse: (_, { id }) => ({ id }),
    });
  return { ...world, world, Posts, act, ban, note };
}

type World = ReturnType<typeof openWorld>;

function mount(controller: Controller, { Posts }: World) {
  const view = infinite(controller, Posts.getList);
  // As a mounted reader does.
  const stop = view.subscribe(() => {
    if (view.needsLoad(true)) void view.load();
  });
  if (view.needsLoad()) void view.load();
  const titles = (): string =>
    readyData(view)
      .items.map(({ title }) => title)
      .join();
  const authors = (): string =>
    readyData(view)
      .items.map(({ author }) => author.name)
      .join();
  return { view, stop, titles, authors };
}

async function loadAll(pagination: Pagination, pages = 3, maxPages?: number) {
  const world = openWorld(pagination, maxPages);
  const controller = new Controller();
  const list = mount(controller, world);
  await list.view.load();
  for (let page = 1; page < pages; page += 1) await list.view.loadNext();
  world.gets.length = 0;
  return { ...world, controller, ...list };
}

async function overlap(controller: Controller, { Posts, edits }: World, id: string) {
  const saves = ['A', 'B'].map((title) => controller.fetch(Posts.partialUpdate, { id }, { title }));
  await settle();
  // The server runs the edits in the opposite order.
  edits[1]?.();
  await settle();
  edits[0]?.();
  await Promise.all(saves);
  await settle();
}

const styles: [string, Pagination, string[]][] = [
  ['page', byPage({ param: 'page', total: 'total' }), ['', '?page=2', '?page=3']],
  ['offset', byOffset({ param: 'offset', total: 'total' }), ['', '?offset=2', '?offset=4']],
  ['cursor', byCursor({ param: 'cursor', next: 'next' }), ['', '?cursor=2', '?cursor=4']],
];

describe.each(styles)('an infinite list by %s', (_, pagination, pages) => {
  it('loads all pages once after an action without a response for a row of a further page', async () => {
    const all = await loadAll(pagination);
    await all.controller.fetch(all.act, { id: '5' });
    await settle();
    expect(all.titles()).toBe('1,2,3,4,acted,6');
    expect(all.gets).toEqual(pages);
  });

  it('loads all pages once after overlapping edits of a row of a further page', async () => {
    const all = await loadAll(pagination);
    await overlap(all.controller, all, '5');
    expect(all.titles()).toBe('1,2,3,4,A,6');
    expect(all.gets).toEqual(pages);
  });

  it.each([
    ['empty', null],
    ['partial', { id: '5' }],
  ])(
    'keeps the mark of a row that is edited meanwhile, with a response that is %s',
    async (_, response) => {
      const all = await loadAll(pagination);
      all.world.holds = () => true;
      await all.controller.fetch(all.act, { id: '5' });
      await settle();
      await all.controller.fetch(all.note(response), { id: '5' });
      all.world.holds = () => false;
      all.held.forEach((arrive) => arrive());
      await settle();
      expect(all.titles()).toBe('1,2,3,4,acted,6');
    },
  );

  it('loads all pages once after an action for an author of a row of a further page', async () => {
    const all = await loadAll(pagination);
    await all.controller.fetch(all.ban, { id: '5' });
    await settle();
    expect(all.authors()).toBe('1,2,3,4,acted,6');
    expect(all.gets).toEqual(pages);
  });

  it.each<[string, Filter]>([
    ['entity', { entity: Post, pk: '5' }],
    ['path', { path: '/posts' }],
    ['match', { match: () => true }],
  ])('loads all pages once after `expireWhere` with %s', async (_, filter) => {
    const all = await loadAll(pagination);
    all.posts.set('5', 'other');
    await expireWhere(all.controller, filter);
    await settle();
    expect(all.titles()).toBe('1,2,3,4,other,6');
    expect(all.gets).toEqual(pages);
  });

  it('loads only the first page after an action for a row of the first page', async () => {
    const all = await loadAll(pagination);
    await all.controller.fetch(all.act, { id: '2' });
    await settle();
    expect(all.titles()).toBe('1,acted,3,4,5,6');
    expect(all.gets).toEqual(['']);
  });

  it('loads only the first page with each later poll', async () => {
    const all = await loadAll(pagination);
    await all.controller.fetch(all.act, { id: '5' });
    await settle();
    all.gets.length = 0;
    await all.controller.fetch(all.Posts.getList);
    await settle();
    expect(all.gets).toEqual(['']);
  });

  it.each(['action', 'edits'])('loads all pages when it is mounted after %s', async (change) => {
    const all = await loadAll(pagination);
    all.stop();
    await (change === 'action'
      ? all.controller.fetch(all.act, { id: '5' })
      : overlap(all.controller, all, '5'));
    await settle();
    expect(all.gets).toEqual([]);
    const { titles } = mount(all.controller, all);
    await settle();
    expect(titles()).toBe(change === 'action' ? '1,2,3,4,acted,6' : '1,2,3,4,A,6');
    expect(all.gets).toEqual(pages);
  });

  it.each(['before', 'after'])('loads all pages if it is hydrated %s an action', async (when) => {
    const all = await loadAll(pagination);
    all.stop();
    if (when === 'after') await all.controller.fetch(all.act, { id: '5' });
    const controller = new Controller();
    hydrate(controller, JSON.parse(JSON.stringify(getState(all.controller))));
    if (when === 'before') await controller.fetch(all.act, { id: '5' });
    const { titles } = mount(controller, all);
    await settle();
    expect(titles()).toBe('1,2,3,4,acted,6');
    expect(all.gets).toEqual(pages);
  });

  it('loads a page again that was in flight during an action', async () => {
    const all = await loadAll(pagination, 2);
    all.world.holds = (query) => query === pages[2];
    const loading = all.view.loadNext();
    await settle();
    all.world.holds = () => false;
    await all.controller.fetch(all.act, { id: '5' });
    await settle();
    all.held.forEach((arrive) => arrive());
    await loading;
    await settle();
    expect(all.titles()).toBe('1,2,3,4,acted,6');
  });

  it('repeats a refresh of all pages during which an action ended', async () => {
    const all = await loadAll(pagination);
    all.world.holds = (query) => query === pages[2];
    const refreshing = all.view.refresh('loaded');
    await settle();
    all.world.holds = () => false;
    await all.controller.fetch(all.act, { id: '5' });
    await settle();
    all.held.forEach((arrive) => arrive());
    await refreshing;
    await settle();
    expect(all.titles()).toBe('1,2,3,4,acted,6');
    expect(readyData(all.view)).toMatchObject({ isRefreshing: false, nextError: undefined });
  });
});

it('with `maxPages`, a list without its first page loads its pages after an action', async () => {
  const all = await loadAll(byPage({ param: 'page' }), 3, 2);
  await all.controller.fetch(all.act, { id: '5' });
  await settle();
  expect(all.titles()).toBe('3,4,acted,6');
});

it('a refresh of all pages requests the first page, even if it has just arrived', async () => {
  const all = await loadAll(byPage({ param: 'page', total: 'total' }));
  all.stop();
  await all.controller.fetch(all.act, { id: '5' });
  await all.view.load();
  await all.view.refresh('loaded');
  expect(all.gets).toEqual(['', '', '?page=2', '?page=3']);
  expect(all.titles()).toBe('1,2,3,4,acted,6');
});

it('a list whose responses are summaries of the rows loads its further pages only once', async () => {
  const all = await loadAll(byPage({ param: 'page', total: 'total' }));
  class Detail extends Post {
    body = '';
  }
  const detail = new RestEndpoint({
    urlPrefix,
    path: '/details/:id',
    schema: Detail,
    send: (url: string) =>
      Promise.resolve(
        Response.json({ id: url.at(-1), title: '5', body: 'b', author: { id: '5', name: '5' } }),
      ),
  });
  await all.controller.fetch(detail, { id: '5' });
  await all.controller.fetch(all.act, { id: '5' });
  await settle();
  await all.controller.fetch(all.Posts.getList);
  await settle();
  expect(all.titles()).toBe('1,2,3,4,acted,6');
  expect(all.gets).toEqual(['', '?page=2', '?page=3', '']);
});

it('a list of a union loads all pages after an action for a row of a further page', async () => {
  const kinds = new Map([...'1234'].map((id) => [id, '']));
  class Note extends Entity {
    id = '';
    type = '';
    text = '';
    static override key = 'Note';
  }
  class Photo extends Note {
    static override key = 'Photo';
  }
  const send = (input: string, init: RequestInit): Promise<Response> => {
    const url = new URL(input);
    if (init.method === 'POST') {
      kinds.set(url.pathname.split('/')[2] ?? '', 'acted');
      return Promise.resolve(new Response(null, { status: 204 }));
    }
    const at = (Number(url.searchParams.get('page') ?? 1) - 1) * SIZE;
    const rows = [...kinds].map(([id, text]) => ({ id, text, type: Number(id) % 2 ? 'a' : 'b' }));
    return Promise.resolve(Response.json(rows.slice(at, at + SIZE)));
  };
  const getFeed = new RestEndpoint({
    urlPrefix,
    path: '/feed',
    schema: new Collection([new Union({ a: Note, b: Photo }, 'type')]),
    pagination: byPage({ param: 'page' }),
    send,
  });
  const act = new RestEndpoint({
    urlPrefix,
    path: '/photos/:id/act',
    method: 'POST',
    body: undefined,
    schema: Photo,
    send,
  });
  const controller = new Controller();
  const view = infinite(controller, getFeed);
  view.subscribe(() => {
    if (view.needsLoad(true)) void view.load();
  });
  await view.load();
  await view.loadNext();
  await controller.fetch(act, { id: '4' });
  await settle();
  expect(readyData(view).items.map(({ text }) => text)).toEqual(['', '', '', 'acted']);
});
