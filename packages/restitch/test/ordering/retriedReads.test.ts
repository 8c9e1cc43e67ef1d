/** A read that is sent again counts as one that begins with its last attempt. */
import {
  batched,
  byCursor,
  Collection,
  Controller,
  Entity,
  infinite,
  RecoveryManager,
  resource,
  RestEndpoint,
} from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Product extends Entity {
  id = '';
  name = '';
  stock = 0;
  static override key = 'RetriedProduct';
}

const server = await serverOfFile();
let rows: { id: string; name: string; stock: number }[] = [];
/** The paths whose next request is held back, and how to end the requests that were. */
let holds: string[] = [];
let held: (() => void)[] = [];

beforeEach(() => {
  rows = ['1', '2'].map((id) => ({ id, name: 'old', stock: 1 }));
  [held, holds] = [[], []];
  server.seen.splice(0);
  server.respond(({ method, url, body }, response) => {
    const { pathname } = new URL(url, server.origin);
    const row = rows.find(({ id }) => pathname === `/products/${id}`);
    if (method === 'PATCH') return Object.assign(row ?? {}, JSON.parse(body));
    const isList = pathname === '/products';
    // A list contains the rows of the moment at which its request arrives. Any other request that is held back fails.
    const content = structuredClone(row ?? rows);
    const end = (status: number): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(content));
    };
    if (!holds.includes(pathname)) end(200);
    else held.push(() => end(isList ? 200 : 503));
    holds = holds.filter((path) => path !== pathname);
    return undefined;
  });
});

/** Waits until the server holds that many requests back. */
const arrived = (count: number): Promise<void> => expect.poll(() => held.length).toBe(count);

const retry = { limit: 1, backoff: () => 0 };
const ways: readonly (readonly [string, object, () => RecoveryManager[]])[] = [
  ['`retry` of its endpoint', { retry }, () => []],
  ['a RecoveryManager', {}, () => [new RecoveryManager({ retry })]],
];

function open(own: object, managers: readonly RecoveryManager[]) {
  const controller = new Controller({ managers });
  const options = { urlPrefix: server.origin, path: '/products/:id', schema: Product } as const;
  const Products = resource({ ...options, ...own });
  const { get } = resource(options);
  const many = new RestEndpoint({
    urlPrefix: server.origin,
    path: '/batches',
    searchParams: {} as { ids: readonly string[] },
    schema: [Product],
    ...own,
  });
  const getBatched = batched(get, { many, param: 'ids' });
  const stocks = () => ['1', '2'].map((id) => controller.get(Product, { id })?.stock);
  /** The change of another user, which only a later attempt reads. */
  const sell = (): void => {
    rows = rows.map((row) => ({ ...row, stock: 2 }));
  };
  return { controller, Products, getBatched, stocks, sell };
}

describe.each(ways)('a read that is retried by %s', (_, own, managers) => {
  it('wins over a read that began after its first attempt', async () => {
    const { controller, Products, stocks, sell } = open(own, managers());
    holds = ['/products/1'];
    const detail = controller.fetch(Products.get, { id: '1' });
    await arrived(1);
    await controller.fetch(Products.getList);
    expect(stocks()).toEqual([1, 1]);
    sell();
    held[0]?.();
    expect((await detail).stock).toBe(2);
    expect(stocks()).toEqual([2, 1]);
    expect(controller.getResponse(Products.getList)?.map(({ stock }) => stock)).toEqual([2, 1]);
  });

  it('wins over a read that ends after it and began before its last attempt', async () => {
    const { controller, Products, stocks, sell } = open(own, managers());
    holds = ['/products/1', '/products'];
    const detail = controller.fetch(Products.get, { id: '1' });
    await arrived(1);
    const list = controller.fetch(Products.getList);
    await arrived(2);
    sell();
    held[0]?.();
    await detail;
    held[1]?.();
    await list;
    expect(stocks()).toEqual([2, 1]);
  });

  it('contains a mutation that ended before its last attempt', async () => {
    const { controller, Products, sell } = open(own, managers());
    await controller.fetch(Products.get, { id: '1' });
    holds = ['/products/1'];
    const refetch = controller.fetch(Products.get, { id: '1' });
    await arrived(1);
    await controller.fetch(Products.partialUpdate, { id: '1' }, { name: 'mine' });
    sell();
    held[0]?.();
    await refetch;
    expect(controller.get(Product, { id: '1' })).toMatchObject({ name: 'mine', stock: 2 });
  });

  it('wins for each record of a batch', async () => {
    const { controller, Products, getBatched, stocks, sell } = open(own, managers());
    holds = ['/batches'];
    const details = ['1', '2'].map((id) => controller.fetch(getBatched, { id }));
    await arrived(1);
    await controller.fetch(Products.getList);
    sell();
    held[0]?.();
    expect((await Promise.all(details)).map(({ stock }) => stock)).toEqual([2, 2]);
    expect(server.seen.filter(({ url }) => url.includes('/batches'))).toHaveLength(2);
    expect(stocks()).toEqual([2, 2]);
  });
});

class Event extends Entity {
  id = '';
  static override key = 'RetriedEvent';
}

describe.each(ways)('a poll of an endless list that is retried by %s', (_, own, managers) => {
  it('shows new rows although the loaded pages were refreshed meanwhile', async () => {
    let events = ['d', 'c', 'b', 'a'];
    let isFirst = false;
    server.respond(({ method, url }, response) => {
      if (method === 'PATCH') return void response.writeHead(204).end();
      if (isFirst) {
        isFirst = false;
        held.push(() => response.writeHead(503).end());
        return undefined;
      }
      const cursor = new URL(url, server.origin).searchParams.get('cursor');
      const start = cursor === null ? 0 : events.indexOf(cursor);
      const results = events.slice(start, start + 2).map((id) => ({ id }));
      return { results, nextCursor: events[start + 2] ?? null };
    });
    const Events = resource({
      urlPrefix: server.origin,
      path: '/events/:id',
      schema: Event,
      pagination: byCursor({ param: 'cursor', next: 'nextCursor' }),
      ...own,
    }).extend('getList', {
      schema: { results: new Collection([Event]), nextCursor: null as string | null },
    });
    const controller = new Controller({ managers: managers() });
    const view = infinite(controller, Events.getList, {});
    const stop = view.subscribe(() => {});
    const shownNow = () => {
      const snapshot = view.getSnapshot();
      return snapshot.status === 'ready' ? snapshot.data.items.map(({ id }) => id).join('') : '';
    };
    await view.load();
    isFirst = true;
    const poll = view.refresh();
    await arrived(1);
    await controller.fetch(Events.partialUpdate, { id: 'a' }, {});
    await view.refresh('loaded');
    expect(shownNow()).toBe('dc');
    events = ['e', ...events];
    held[0]?.();
    await poll;
    expect(shownNow().slice(0, 2)).toBe('ed');
    stop();
  });
});
