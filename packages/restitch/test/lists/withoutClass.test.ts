/** Rows of a union without a class have no key. The same row in two responses stays one row. */
import {
  byCursor,
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  infinite,
  resource,
  RestEndpoint,
  Union,
  Values,
} from 'restitch';
import { expect, it } from 'vitest';
import { readyData } from '../support/readyData.js';

class Link extends Entity {
  id = '';
  type = 'link' as const;
  static override key = 'ClassLink';
}
class Post extends Entity {
  id = '';
  type = 'post' as const;
  static override key = 'ClassPost';
}
const feed = new Union({ link: Link, post: Post }, 'type');
const SIZE = 3;

function serve(types: readonly string[]) {
  const rows = types.map((type, index) => ({ id: `r${index}`, type }));
  const send = (url: string, { method }: RequestInit): Promise<Response> => {
    if (method === 'POST') {
      const row = { id: `n${rows.length}`, type: 'post' };
      rows.unshift(row);
      return Promise.resolve(Response.json(row));
    }
    const query = new URL(url).searchParams;
    const page = Number(query.get('page') ?? 1) - 1;
    const start = Number(query.get('cursor') ?? query.get('offset') ?? page * SIZE);
    const end = start + SIZE;
    const next = end < rows.length ? String(end) : null;
    return Promise.resolve(
      Response.json({ results: rows.slice(start, end), total: rows.length, next }),
    );
  };
  return { rows, send };
}

const styles = [
  ['byPage', byPage({ param: 'page', total: 'total' })],
  ['byOffset', byOffset({ param: 'offset', total: 'total' })],
  ['byCursor', byCursor({ param: 'cursor', next: 'next' })],
] as const;

it.each(styles)('a refresh of an infinite list repeats no such row: %s', async (_, pagination) => {
  for (const types of [
    'post link ad post link',
    'ad ad ad ad post link',
    'post ad ad link ad ad',
  ]) {
    const { rows, send } = serve(types.split(' '));
    const { getList } = resource({
      urlPrefix: 'http://x',
      path: '/feed/:id',
      schema: feed,
      send,
      pagination,
    }).extend('getList', {
      schema: { results: new Collection([feed]), total: 0, next: null as string | null },
    });
    const controller = new Controller();
    const view = infinite(controller, getList);
    view.subscribe(() => {});
    const ids = () => readyData(view).items.map((row) => (row as { id: string }).id);
    await view.load();
    while (readyData(view).hasNext) await view.loadNext();
    expect(ids()).toEqual(rows.map(({ id }) => id));
    for (let poll = 0; poll < 3; poll += 1) {
      await view.refresh();
      expect([ids(), readyData(view).hasNext]).toEqual([rows.map(({ id }) => id), false]);
    }
  }
});

it('with page numbers, a page after creates repeats no such row', async () => {
  const { rows, send } = serve(['post', 'ad', 'ad', 'ad', 'post', 'post', 'post']);
  const { getList } = resource({
    urlPrefix: 'http://x',
    path: '/feed/:id',
    schema: feed,
    body: {} as object,
    send,
    pagination: byPage({ param: 'page', total: 'total' }),
  }).extend('getList', { schema: { results: new Collection([feed]), total: 0 } });
  const controller = new Controller();
  const view = infinite(controller, getList);
  view.subscribe(() => {});
  await view.load();
  await controller.fetch(getList.unshift, {});
  await controller.fetch(getList.unshift, {});
  while (readyData(view).hasNext) {
    await view.loadNext();
    const ids = readyData(view).items.map((row) => (row as { id: string }).id);
    expect(ids).toEqual(rows.slice(0, ids.length).map(({ id }) => id));
  }
});

it('a refetched first page with such a row at its end keeps the pages behind it', async () => {
  const { rows } = serve(['post', 'post', 'ad', 'post', 'post', 'post']);
  const { getList } = resource({
    urlPrefix: 'http://x',
    path: '/feed/:id',
    schema: feed,
    paginationField: 'page',
    send: (url: string) => {
      const start = (Number(new URL(url).searchParams.get('page') ?? 1) - 1) * SIZE;
      return Promise.resolve(Response.json(rows.slice(start, start + SIZE)));
    },
  });
  const controller = new Controller();
  await controller.fetch(getList);
  await controller.fetch(getList.getPage, { page: 2 });
  await controller.fetch(getList);
  expect(controller.getResponse(getList)).toHaveLength(rows.length);
});

it('two equal rows in one response stay two rows', async () => {
  const { rows } = serve(['post', 'ad', 'ad']);
  const equalRows = [rows[0], { type: 'ad' }, { type: 'ad' }];
  const { getList } = resource({
    urlPrefix: 'http://x',
    path: '/feed/:id',
    schema: feed,
    send: () => Promise.resolve(Response.json(equalRows)),
  });
  const controller = new Controller();
  const first = await controller.fetch(getList);
  expect(first).toMatchObject(equalRows);
  expect(await controller.fetch(getList)).toBe(first);
});

it('lists fetch what a bulk create, move or assign contains without a class', async () => {
  let send: (url: string, init: RequestInit) => Promise<Response>;
  const options = {
    urlPrefix: 'http://x',
    send: (url: string, init: RequestInit) => send(url, init),
  };
  const list = new RestEndpoint({ ...options, path: '/feed', schema: new Collection([feed]) });
  const map = new RestEndpoint({
    ...options,
    path: '/map',
    schema: new Collection(new Values(feed)),
  });
  const { push, unshift, move } = list.schema;
  const rows = [
    { id: 'n1', type: 'ad' },
    { id: 'n2', type: 'post' },
  ];
  const byKey = { a: rows[0], b: rows[1] };
  const changes = [
    [list, push, rows],
    [list, [push], rows],
    [list, [push], rows.slice(0, 1)],
    [list, [unshift], rows],
    [list, { data: push }, { data: rows[0] }],
    [list, { data: [push] }, { data: rows }],
    [list, [move], rows],
    [map, map.schema.assign, byKey],
  ] as const;
  for (const [read, schema, response] of changes) {
    const stored = read === map ? byKey : rows;
    let isChanged = false;
    send = (_, { method }) => {
      isChanged ||= method === 'POST';
      const shown = isChanged ? stored : read === map ? {} : [];
      return Promise.resolve(Response.json(method === 'POST' ? response : shown));
    };
    const controller = new Controller();
    await controller.fetch(read as typeof list);
    const change = new RestEndpoint({
      ...options,
      path: '/feed',
      method: 'POST',
      body: {} as object,
      schema: schema as typeof push,
    });
    await controller.fetch(change, response as never);
    expect(await controller.fetchIfStale(read as typeof list)).toEqual(stored);
  }
});
