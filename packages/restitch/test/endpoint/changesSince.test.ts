import {
  changesSince,
  Controller,
  Entity,
  hookifyResource,
  resource,
  RestEndpoint,
} from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Todo extends Entity {
  id = '';
  title = '';
  userId = '';
  version = 0;
}

interface Row {
  readonly id: string;
  readonly title: string;
  readonly userId: string;
  readonly version: number;
}

const server = await serverOfFile();
let rows: Row[] = [];
let removed: { readonly id: string; readonly version: number }[] = [];
let version = 0;
/** The number of the oldest change that the server knows. */
let oldest = 0;

function put(id: string, title: string, userId = '1'): void {
  version += 1;
  const row = { id, title, userId, version };
  const at = rows.findIndex((other) => other.id === id);
  if (at < 0) rows.push(row);
  else rows[at] = row;
}

function remove(id: string): void {
  version += 1;
  rows = rows.filter((row) => row.id !== id);
  removed.push({ id, version });
}

beforeEach(() => {
  [rows, removed, version, oldest] = [[], [], 0, 0];
  put('1', 'a');
  put('2', 'b');
  put('3', 'c', '2');
  server.seen.splice(0);
  server.respond(({ url, method, body }, response) => {
    if (method === 'POST') {
      put('9', (JSON.parse(body) as Row).title);
      return rows.at(-1);
    }
    const { searchParams } = new URL(url, 'http://localhost');
    const since = searchParams.get('since');
    const user = searchParams.get('userId');
    if (since === null) return rows.filter(({ userId }) => !user || userId === user);
    if (Number(since) < oldest) return void response.writeHead(410).end();
    const isNew = (change: { readonly version: number }): boolean => change.version > Number(since);
    // Changed records of all users: the client knows which of them had been in its list.
    return { changed: rows.filter(isNew), gone: removed.filter(isNew).map(({ id }) => id) };
  });
});

const options = { param: 'since', from: 'version', deleted: 'gone' } as const;

function open() {
  const base = resource({
    urlPrefix: server.origin ?? '',
    path: '/todos/:id',
    schema: Todo,
    searchParams: {} as { userId?: string } | undefined,
  });
  const getList = changesSince(base.getList, {
    ...options,
    belongs: (row, params) => !params?.userId || row.userId === params.userId,
  });
  const controller = new Controller();
  const titles = async (params?: { userId?: string }): Promise<string> => {
    const list = await controller.fetch(getList, params);
    return list.map(({ title }) => title).join('');
  };
  return { base, controller, getList, titles };
}

const urls = () => server.seen.map(({ url }) => url.replace('/todos', ''));

describe('a refetch of changesSince', () => {
  it('asks for changes only: they replace, join and leave the list', async () => {
    const { controller, getList, titles } = open();
    expect(await titles()).toBe('abc');
    const [first] = controller.getResponse(getList, undefined) ?? [];
    put('2', 'B');
    put('4', 'd');
    remove('3');
    expect(await titles()).toBe('aBd');
    expect(controller.getResponse(getList, undefined)?.[0]).toBe(first);
    expect(await titles()).toBe('aBd');
    remove('1');
    expect(await titles()).toBe('Bd');
    // The deletion is the last change, but records alone say how far the list goes.
    expect(urls()).toEqual(['', '?since=3', '?since=5', '?since=5']);
  });

  it('keeps a list for each filter; a record that does not match any more leaves it', async () => {
    const { titles } = open();
    expect([await titles({ userId: '1' }), await titles({ userId: '2' })]).toEqual(['ab', 'c']);
    put('1', 'A', '2');
    expect([await titles({ userId: '1' }), await titles({ userId: '2' })]).toEqual(['b', 'cA']);
    expect(urls()).toEqual(['?userId=1', '?userId=2', '?since=2&userId=1', '?since=3&userId=2']);
  });

  it('asks for everything after status 410, after a reset, and in another controller', async () => {
    const { controller, getList, titles } = open();
    await titles();
    oldest = 10;
    put('4', 'd');
    expect(await titles()).toBe('abcd');
    expect(urls()).toEqual(['', '?since=3', '']);
    oldest = 0;
    controller.resetEntireStore();
    expect(await titles()).toBe('abcd');
    await new Controller().fetch(getList);
    expect(urls()?.slice(3)).toEqual(['', '']);
  });

  it('gives the whole list although the store lost it, and to a list that was invalidated', async () => {
    const { controller, getList, titles } = open();
    await titles();
    await controller.invalidateAll(getList);
    put('2', 'B');
    expect(await titles()).toBe('aBc');
    expect(urls()).toEqual(['', '?since=3']);
  });

  it('keeps its place after a failure, and takes a whole list where the response says so', async () => {
    const { base, controller } = open();
    const getList = changesSince(base.getList, { ...options, isWhole: Array.isArray });
    await controller.fetch(getList);
    server.respond((_, response) => void response.writeHead(503).end());
    await expect(controller.fetch(getList)).rejects.toMatchObject({ status: 503 });
    server.respond(() => [{ id: '7', title: 'z', userId: '1', version: 20 }]);
    expect((await controller.fetch(getList)).map(({ id }) => id)).toEqual(['7']);
    await controller.fetch(getList);
    expect(urls()).toEqual(['', '?since=3', '?since=3', '?since=20']);
  });

  it('keeps nothing of a response that the schema rejects', async () => {
    const { controller, getList, titles } = open();
    await titles();
    rows.push({ title: 'no key', userId: '1', version: 50 } as Row);
    await expect(controller.fetch(getList)).rejects.toMatchObject({ code: 'missing-primary-key' });
    rows.pop();
    put('2', 'B');
    expect(await titles()).toBe('aBc');
    // A record without a key can be any record, so the whole list follows.
    expect(urls()).toEqual(['', '?since=3', '', '?since=3']);
  });

  it('that arrives late changes neither the list nor what is asked next', async () => {
    const { base, controller } = open();
    const held: (() => void)[] = [];
    let isHeld = false;
    const slow = base.getList.extend({
      async send(input: RequestInfo, init: RequestInit) {
        const response = await fetch(input, init);
        if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
        return response;
      },
    });
    const getList = changesSince(slow, options);
    await controller.fetch(getList);
    isHeld = true;
    const first = controller.fetch(getList);
    await expect.poll(() => held.length).toBe(1);
    put('4', 'd');
    controller.expireAll(getList);
    const second = controller.fetch(getList.extend({ signal: new AbortController().signal }));
    await controller.fetch(base.getList.push, { title: 'e' });
    isHeld = false;
    const third = await controller.fetch(getList);
    expect(third.map(({ title }) => title).join('')).toBe('abcde');
    held.forEach((resolve) => resolve());
    await Promise.all([first, second].map((call) => call.catch(() => {})));
    await controller.fetch(getList);
    expect(controller.getResponse(getList)?.map(({ title }) => title)).toHaveLength(5);
    expect(urls()?.at(-1)).toBe('?since=5');
  });

  it('merges an envelope, with the time of the server, in the given order', async () => {
    const { controller } = open();
    const responses: object[] = [
      { items: [{ id: '1', title: 'b' }], total: 1, now: 't1' },
      { items: [{ id: '2', title: 'a' }], gone: [], total: 2, now: 't2' },
      { gone: [1], total: 1, now: 't3' },
    ];
    server.respond(() => responses.shift());
    const getList = changesSince(
      new RestEndpoint({
        urlPrefix: server.origin ?? '',
        path: '/todos',
        schema: { items: [Todo], total: 0, now: '' },
      }),
      {
        param: 'since',
        from: 'now',
        deleted: 'gone',
        order: (a, b) => String(a.title).localeCompare(String(b.title)),
      },
    );
    await controller.fetch(getList);
    expect(await controller.fetch(getList)).toMatchObject({
      items: [{ title: 'a' }, { title: 'b' }],
      total: 2,
    });
    expect(await controller.fetch(getList)).toMatchObject({ items: [{ title: 'a' }], total: 1 });
    expect(urls()).toEqual(['', '?since=t1', '?since=t2']);
  });

  it('takes changes without an envelope, and asks for everything after a response without a list', async () => {
    const { controller } = open();
    const responses: unknown[] = [
      { now: 't1' },
      { items: [{ id: '1', title: 'a' }], now: 't2' },
      [{ id: '2', title: 'b' }],
    ];
    server.respond(() => responses.shift());
    const getList = changesSince(
      new RestEndpoint({ urlPrefix: server.origin ?? '', path: '/todos' }),
      { param: 'since', from: 'now', deleted: 'gone' },
    );
    await controller.fetch(getList);
    await controller.fetch(getList);
    expect(await controller.fetch(getList)).toEqual({
      items: [
        { id: '1', title: 'a' },
        { id: '2', title: 'b' },
      ],
      now: 't2',
    });
    expect(urls()).toEqual(['', '', '?since=t2']);
  });

  it('reads no method of an array, though a field has its name', async () => {
    const { controller } = open();
    const responses: object[][] = [[{ id: '1', at: 't1' }], [{ id: '2', at: 't2' }], []];
    server.respond(() => responses.shift());
    const getList = changesSince(
      new RestEndpoint({ urlPrefix: server.origin ?? '', path: '/todos' }),
      { param: 'since', from: 'at', deleted: 'keys' },
    );
    for (const ids of [['1'], ['1', '2'], ['1', '2']]) {
      const list = (await controller.fetch(getList)) as readonly { id: string }[];
      expect(list.map(({ id }) => id)).toEqual(ids);
    }
    expect(urls()).toEqual(['', '?since=t1', '?since=t2']);
  });

  it('leaves creates and direct calls as they are, and asks again for a list without records', async () => {
    const { base, controller } = open();
    const getList = changesSince(base.getList, options);
    await controller.fetch(getList);
    await controller.fetch(getList.push, { title: 'e' });
    await getList();
    rows = [];
    controller.resetEntireStore();
    await controller.fetch(getList);
    await controller.fetch(getList);
    expect(urls()).toEqual(['', '', '', '', '']);
  });

  it('keeps a record that was deleted and created again', async () => {
    const { titles } = open();
    await titles();
    remove('2');
    put('2', 'B');
    expect(await titles()).toBe('acB');
  });

  it.each([
    ['scopes', true],
    ['headers', false],
  ])('is based on no list of other %s', async (_, hasScope) => {
    const { controller, getList } = open();
    let user = 'alice';
    server.respond(({ url, headers }) =>
      url.includes('since=') ? { changed: [] } : [{ id: headers.authorization, version: 1 }],
    );
    const { useGetList: endpoint } = hookifyResource({ getList }, () => ({
      headers: { authorization: user },
      scope: hasScope ? user : undefined,
    }));
    const read = async () => (await controller.fetch(endpoint())).map(({ id }) => id).join();
    expect(await read()).toBe('alice');
    user = 'bob';
    expect(await read()).toBe('bob');
    expect(await read()).toBe('bob');
    expect(urls()).toEqual(['', '', '?since=1']);
  });
});

describe('endpoints that extend one list of changesSince', () => {
  const withUser = (user: string, init: RequestInit): RequestInit => ({
    ...init,
    headers: { authorization: user },
  });
  const ofUser = (user: string) => (rows: Row[]) => rows.map((row) => ({ ...row, title: user }));
  type Extra = (user: string) => object;
  it.each<[string, Extra]>([
    [
      'fetchResponse',
      (user) => ({
        fetchResponse(this: RestEndpoint, input: RequestInfo, init: RequestInit) {
          return RestEndpoint.prototype.fetchResponse.call(this, input, withUser(user, init));
        },
      }),
    ],
    [
      'send',
      (user) => ({ send: (url: string, init: RequestInit) => fetch(url, withUser(user, init)) }),
    ],
    ['process', (user) => ({ process: ofUser(user) })],
    [
      'parseResponse',
      (user) => ({ parseResponse: async (r: Response) => ofUser(user)(await r.json()) }),
    ],
    ['a member that send reads', (user) => ({ user })],
  ])('have their own lists if they differ in %s', async (_, extra) => {
    server.respond(({ url, headers }) =>
      url.includes('since')
        ? []
        : [{ id: '1', title: headers.authorization ?? '', userId: '1', version: 3 }],
    );
    const base = open().base.getList.extend({
      send(this: { user?: string }, url: RequestInfo, init: RequestInit) {
        return fetch(url, this.user ? withUser(this.user, init) : init);
      },
    });
    const list = changesSince(base, options);
    const controller = new Controller();
    const of = (user: string) => list.extend(extra(user));
    const [ann, bob] = [of('ann'), of('bob')];
    const read = async (endpoint: typeof ann) => (await controller.fetch(endpoint))[0]?.title;
    expect([await read(ann), await read(bob)]).toEqual(['ann', 'bob']);
    expect([await read(ann), await read(bob)]).toEqual(['ann', 'bob']);
    expect(urls()).toEqual(['', '', '?since=3', '?since=3']);
  });
});
