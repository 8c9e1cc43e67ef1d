import {
  batched,
  Controller,
  Entity,
  hookifyResource,
  RecoveryManager,
  resource,
  RestEndpoint,
} from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class User extends Entity {
  id = '';
  name = '';
  static override readonly key = 'User';
}

const server = await serverOfFile();
beforeEach(() => {
  const user = (id: string) => ({ id, name: `user ${id}` });
  server.seen.splice(0);
  server.respond(({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://host');
    if (pathname !== '/users') return user(pathname.slice(7));
    const ids = searchParams.getAll('ids').filter((id) => !id.startsWith('gone'));
    if (ids.includes('broken')) return void response.writeHead(503).end();
    // In another order than asked for.
    return ids.reverse().map(user);
  });
});

function open(max?: number) {
  const urlPrefix = server.origin ?? '';
  const getMany = new RestEndpoint({
    urlPrefix,
    path: '/users',
    searchParams: {} as { ids: readonly string[] },
    schema: [User],
  });
  const plain = resource({ urlPrefix, path: '/users/:id', schema: User });
  const Users = plain.extend(({ get }) => ({
    get: batched(get, { many: getMany, param: 'ids', max }),
  }));
  const log = () => server.seen.map(({ url }) => url) ?? [];
  const size = (url: string) => new URL(url, 'http://host').searchParams.getAll('ids').length;
  return { controller: new Controller(), Users, plain, getMany, log, size };
}

describe('reads of a batched endpoint', () => {
  it('in one tick are few requests: three hundred are three', async () => {
    const { controller, Users, log, size } = open();
    const ids = Array.from({ length: 300 }, (_, index) => `${index}`);
    const users = await Promise.all(ids.map((id) => controller.fetch(Users.get, { id })));
    expect(users.map(({ name }) => name)).toEqual(ids.map((id) => `user ${id}`));
    expect(users[0]).toBeInstanceOf(User);
    expect(log().map(size)).toEqual([100, 100, 100]);
  });

  it('ask for missing and stale records only', async () => {
    const { controller, Users, log } = open();
    await controller.fetch(Users.getList);
    controller.set(User, { id: '1' }, { id: '1', name: 'known' });
    server.seen.splice(0);
    const ids = ['1', '2', '3'];
    await Promise.all(ids.map((id) => controller.fetchIfStale(Users.get, { id })));
    await Promise.all(ids.map((id) => controller.fetchIfStale(Users.get, { id })));
    await controller.invalidate(Users.get, { id: '2' });
    await Promise.all(ids.map((id) => controller.fetchIfStale(Users.get, { id })));
    expect(log()).toEqual(['/users?ids=2&ids=3', '/users/2']);
  });

  it('are a 404 for the reader of a missing record, and for no other reader', async () => {
    const { controller, Users } = open();
    const [one, gone] = await Promise.allSettled([
      controller.fetch(Users.get, { id: '1' }),
      controller.fetch(Users.get, { id: 'gone' }),
    ]);
    expect(one).toMatchObject({ status: 'fulfilled', value: { name: 'user 1' } });
    expect(gone).toMatchObject({ status: 'rejected', reason: { status: 404 } });
    expect(controller.getError(Users.get, { id: 'gone' })).toMatchObject({ status: 404 });
    expect(controller.getError(Users.get, { id: '1' })).toBeUndefined();
  });

  it('fail together with their request, each with its stored error', async () => {
    const { controller, Users } = open();
    const calls = ['1', 'broken'].map((id) => controller.fetch(Users.get, { id }));
    for (const call of calls) await expect(call).rejects.toMatchObject({ status: 503 });
    expect(controller.getError(Users.get, { id: '1' })).toMatchObject({ status: 503 });
    await controller.fetch(Users.get, { id: '1' });
    expect(controller.getError(Users.get, { id: '1' })).toBeUndefined();
  });

  it('that are aborted reject alone; the request is aborted with the last of them', async () => {
    const { controller, Users, log } = open();
    const aborts = [new AbortController(), new AbortController(), new AbortController()];
    const calls = aborts.map(({ signal }, index) =>
      controller.fetch(Users.get.extend({ signal }), { id: `${index}` }),
    );
    aborts[0]?.abort();
    await expect(calls[0]).rejects.toMatchObject({ name: 'AbortError' });
    expect((await calls[1])?.name).toBe('user 1');
    expect(log()).toEqual(['/users?ids=1&ids=2']);
    let isClosed: (() => void) | undefined;
    const closed = new Promise<void>((resolve) => (isClosed = resolve));
    const arrived = new Promise<void>((resolve) => {
      server.respond((_, response) => {
        response.on('close', () => isClosed?.());
        resolve();
      });
    });
    const [first, second] = [new AbortController(), new AbortController()];
    const waiting = [first, second].map(({ signal }, index) =>
      controller.fetch(Users.get.extend({ signal }), { id: `a${index}` }).catch(() => {}),
    );
    await arrived;
    first.abort();
    second.abort();
    await Promise.all([...waiting, closed]);
  });

  it('are sent as they are alone, with more arguments, or without a controller', async () => {
    const { controller, Users, log } = open();
    await controller.fetch(Users.get, { id: '1' });
    await Promise.all([
      controller.fetch(Users.get, { id: '2', version: 1 } as { id: string }),
      controller.fetch(Users.get, { id: '3' }),
    ]);
    await Promise.all([Users.get({ id: '4' }), Users.get({ id: '5' })]);
    expect(log().sort()).toEqual([
      '/users/1',
      '/users/2?version=1',
      '/users/3',
      '/users/4',
      '/users/5',
    ]);
  });

  it('are never in one request for two controllers', async () => {
    const { controller, Users, log } = open();
    const other = new Controller();
    await Promise.all(
      ['1', '2'].flatMap((id) => [
        controller.fetch(Users.get, { id }),
        other.fetch(Users.get, { id }),
      ]),
    );
    expect(log()).toEqual(['/users?ids=1&ids=2', '/users?ids=1&ids=2']);
  });

  it('share results and requests with the endpoint that they are made from', async () => {
    const { controller, Users, plain, log } = open();
    await Promise.all([
      controller.fetch(Users.get, { id: '1' }),
      controller.fetch(Users.get, { id: '2' }),
      controller.fetch(plain.get, { id: '1' }),
    ]);
    await controller.fetchIfStale(plain.get, { id: '2' });
    expect(log()).toEqual(['/users?ids=1&ids=2']);
  });

  it('take another spelling of the keys, and a response with an envelope', async () => {
    const { controller, plain, getMany, log } = open();
    server.respond(() => ({
      total: 2,
      items: [
        { id: 1, name: 'a' },
        { id: 2, name: 'b' },
      ],
    }));
    const get = batched(plain.get, {
      many: getMany.extend({ schema: undefined }),
      param: (ids) => ({ ids: ids.join() }),
      rows: ({ items }: { items: object[] }) => items,
    });
    const users = await Promise.all([1, 2].map((id) => controller.fetch(get, { id })));
    expect(users.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(log()).toEqual(['/users?ids=1%2C2']);
  });

  it('are one request for mounted readers', async () => {
    const { controller, Users, log } = open();
    const views = ['1', '2', '3'].map((id) => controller.observe(Users.get, { id }));
    await Promise.all(views.map((view) => view.load()));
    expect(log()).toEqual(['/users?ids=1&ids=2&ids=3']);
    expect(views.map((view) => view.getSnapshot().status)).toEqual(['ready', 'ready', 'ready']);
  });

  it('are sent as they are when the endpoint is extended to another request', async () => {
    const { controller, Users, log } = open();
    server.respond(({ url }) => {
      const { pathname, searchParams } = new URL(url, 'http://host');
      const ids = searchParams.getAll('ids');
      return ids.length > 0
        ? ids.map((id) => ({ id, name: 'batched' }))
        : { id: pathname.split('/').at(-1), name: pathname };
    });
    class Team extends Entity {
      id = '';
      name = '';
      static override readonly key = 'Team';
    }
    const team = Users.get.extend({ path: '/teams/:id', schema: Team });
    const audited = Users.get.extend({
      getHeaders: (headers: HeadersInit) => ({ ...headers, 'x-reason': 'audit' }),
    });
    const found = await Promise.all([
      controller.fetch(Users.get, { id: '1' }),
      controller.fetch(Users.get, { id: '2' }),
      controller.fetch(team, { id: '3' }),
      controller.fetch(team, { id: '4' }),
      controller.fetch(audited, { id: '5' }),
      controller.fetch(Users.get.extend({ errorPolicy: () => 'soft' as const }), { id: '6' }),
    ]);
    expect(found.map(({ name }) => name)).toEqual([
      'batched',
      'batched',
      '/teams/3',
      '/teams/4',
      '/users/5',
      'batched',
    ]);
    expect(found[2]).toBeInstanceOf(Team);
    expect(log()).toHaveLength(4);
    expect(server.seen.find(({ url }) => url === '/users/5')?.headers['x-reason']).toBe('audit');
  });

  it('are two requests for two users of a hook, each with its own headers', async () => {
    const { controller, plain, getMany, log } = open();
    server.respond(({ url, headers }) =>
      new URL(url, 'http://host').searchParams
        .getAll('ids')
        .map((id) => ({ id, name: `for ${headers.authorization}` })),
    );
    const one = new RestEndpoint({ urlPrefix: plain.get.urlPrefix, path: '/users/:id' });
    let user = '';
    const hooks = hookifyResource({ get: batched(one, { many: getMany, param: 'ids' }) }, () => ({
      headers: { authorization: user },
      scope: user,
    }));
    const calls = ['ann', 'bob', 'ann', 'bob'].map((name, index) => {
      user = name;
      return controller.fetch(hooks.useGet(), { id: `${index}` });
    });
    expect((await Promise.all(calls)).map(({ name }) => name)).toEqual([
      'for ann',
      'for bob',
      'for ann',
      'for bob',
    ]);
    expect(log()).toEqual(['/users?ids=0&ids=2', '/users?ids=1&ids=3']);
  });

  it('are sent as they are from a hook when the requests for many have their own headers', async () => {
    const { controller, getMany, plain, log } = open();
    const many = getMany.extend({ requestInit: { headers: { 'x-many': 'yes' } } });
    const hooks = hookifyResource({ get: batched(plain.get, { many, param: 'ids' }) }, () => ({
      headers: { authorization: 'ann' },
    }));
    await Promise.all(['1', '2'].map((id) => controller.fetch(hooks.useGet(), { id })));
    expect(log().sort()).toEqual(['/users/1', '/users/2']);
  });

  it('send the headers of many if the endpoint has none', async () => {
    const { controller, getMany, plain } = open();
    const many = getMany.extend({ requestInit: { headers: { 'x-many': 'yes' } } });
    const get = batched(plain.get, { many, param: 'ids' });
    await Promise.all(['1', '2'].map((id) => controller.fetch(get, { id })));
    expect(server.seen.map(({ headers }) => headers['x-many'])).toEqual(['yes']);
  });

  it('process and validate each record as a single read does', async () => {
    const { controller, plain, getMany } = open();
    const get = batched(
      plain.get.extend({
        process: (user: User, { id }: { id: string }) => {
          if (id === 'bad') throw new Error('bad record');
          return { ...user, name: `${user.name} of ${id}` };
        },
      }),
      { many: getMany, param: 'ids' },
    );
    const single = await controller.fetch(get, { id: '1' });
    const several = await Promise.allSettled(
      ['2', 'bad', '3'].map((id) => controller.fetch(get, { id })),
    );
    expect(single.name).toBe('user 1 of 1');
    expect(several).toMatchObject([
      { value: { name: 'user 2 of 2' } },
      { reason: { message: 'bad record' } },
      { value: { name: 'user 3 of 3' } },
    ]);
  });

  it('are retried together: three hundred are at most three requests per attempt', async () => {
    const { Users, log, size } = open();
    const backoff = () => 1;
    const controller = new Controller({
      managers: [new RecoveryManager({ retry: { limit: 2, backoff } })],
    });
    server.respond((_, response) => void response.writeHead(503).end());
    const ids = Array.from({ length: 300 }, (_, index) => `${index}`);
    const read = () => Promise.allSettled(ids.map((id) => controller.fetch(Users.get, { id })));
    expect((await read()).every(({ status }) => status === 'rejected')).toBe(true);
    expect(log().map(size)).toEqual(Array(9).fill(100));
    server.seen.splice(0);
    await expect(controller.fetch(Users.get, { id: '1' })).rejects.toMatchObject({ status: 503 });
    expect(log()).toEqual(Array(3).fill('/users/1'));
    server.seen.splice(0);
    const alone = Users.get.extend({ path: '/members/:id' });
    await expect(controller.fetch(alone, { id: '1' })).rejects.toMatchObject({ status: 503 });
    expect(log()).toEqual(Array(3).fill('/members/1'));
  });

  it('that are being retried can be aborted, and send nothing more', async () => {
    const { Users, log } = open();
    let isPaused = false;
    const backoff = () => ((isPaused = true), 60_000);
    const retry = { limit: 5, backoff };
    const controller = new Controller({ managers: [new RecoveryManager({ retry })] });
    server.respond((_, response) => void response.writeHead(503).end());
    const [one, two] = [new AbortController(), new AbortController()];
    const calls = [one, two].map(({ signal }, index) =>
      controller.fetch(Users.get.extend({ signal }), { id: `${index}` }),
    );
    await expect.poll(() => isPaused).toBe(true);
    one.abort();
    two.abort();
    for (const call of calls) await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(log()).toHaveLength(1);
  });
});

it.each([0, -1, 0.5, Number.NaN, -Infinity, '5', null])('a `max` of %s is refused', (max) => {
  // The cast: callers without types may pass any value.
  const create = () => open(max as number);
  expect(create).toThrow(RangeError);
  expect(create).toThrow(`\`max\` of \`batched\` is ${max}. Set a number of at least 1`);
});

it('with a `max` of Infinity, all reads are one request', async () => {
  const { controller, Users, log, size } = open(Infinity);
  const ids = Array.from({ length: 101 }, (_, index) => `${index}`);
  await Promise.all(ids.map((id) => controller.fetch(Users.get, { id })));
  expect(log().map(size)).toEqual([101]);
});
