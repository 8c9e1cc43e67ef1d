import {
  Controller,
  countRequests,
  Endpoint,
  Entity,
  expireWhere,
  hookifyResource,
  resource,
  RestEndpoint,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Seen, serverOfFile } from '../support/server.js';

const server = await serverOfFile();
beforeEach(() => {
  server.seen.length = 0;
  server.respond((request) => request);
});

class Todo extends Entity {
  id = '';
}

/** A session as a context would give it, which may change between renders. */
const session = { token: 'one', user: 'ada' };
beforeEach(() => {
  Object.assign(session, { token: 'one', user: 'ada' });
});

const makeResource = () =>
  resource({
    path: '/todos/:id',
    schema: Todo,
    urlPrefix: server.origin,
    requestInit: { credentials: 'include', headers: { 'X-Base': 'b' } },
  }).extend('current', { path: '/me', schema: undefined });
const makeHooks = () =>
  hookifyResource(makeResource(), () => ({
    headers: { Authorization: `Bearer ${session.token}` },
  }));
const makeScoped = () => hookifyResource(makeResource(), () => ({ scope: session.user }));

describe('hookifyResource', () => {
  test('leaves out members that are no endpoint', () => {
    const { get } = makeResource();
    const hooks = hookifyResource({ get, note: 'text', none: undefined }, () => ({}));
    expect(Object.keys(hooks)).toEqual(['useGet']);
  });

  test('makes a hook for each endpoint, added ones included', () => {
    expect(Object.keys(makeHooks()).sort()).toEqual([
      'useCurrent',
      'useDelete',
      'useGet',
      'useGetList',
      'usePartialUpdate',
      'useUpdate',
    ]);
  });

  test('takes any object with endpoints, and leaves out what is none', () => {
    const hooks = hookifyResource(
      { list: new Endpoint(async function list() {}), title: 'x', count: () => 1 },
      () => ({}),
    );
    expect(Object.keys(hooks)).toEqual(['useList']);
    expect(hooks.useList()).toBeInstanceOf(Endpoint);
  });

  test('an endpoint of a hook is of the same kind and key as the one it stands for', () => {
    const Todos = makeResource();
    const { useGet } = hookifyResource(Todos, () => ({ headers: { a: 'b' } }));
    const get = useGet();
    expect(get).toBeInstanceOf(RestEndpoint);
    expect(get.name).toBe('Todo.get');
    expect(get.schema).toBe(Todo);
    expect(get.key({ id: 5 })).toBe(Todos.get.key({ id: 5 }));
    expect(Todos.get.testKey(get.key({ id: 5 }))).toBe(true);
  });

  test('sends the init in its requests, on top of the init of the endpoint', async () => {
    const seen: Seen = await makeHooks().useCurrent()();
    expect(seen.headers).toMatchObject({ authorization: 'Bearer one', 'x-base': 'b' });
    expect(makeHooks().useCurrent().requestInit).toMatchObject({ credentials: 'include' });
  });

  test('headers of the endpoint’s own are replaced in whatever spelling', async () => {
    const { useCurrent } = hookifyResource(makeResource(), () => ({ headers: [['x-BASE', 'c']] }));
    expect((await useCurrent()()).headers['x-base']).toBe('c');
  });

  test('a header of the class’s `getHeaders` wins over the init, which it receives', async () => {
    class Api extends RestEndpoint {
      override getHeaders(headers: HeadersInit): HeadersInit {
        return { ...(headers as Record<string, string>), 'x-user': 'class' };
      }
    }
    const Todos = resource({
      path: '/todos/:id',
      schema: Todo,
      urlPrefix: server.origin,
      Endpoint: Api as typeof RestEndpoint,
    });
    server.respond(() => []);
    await hookifyResource(Todos, () => ({
      headers: { 'X-User': 'hook', 'x-token': 'hook' },
    })).useGetList()();
    expect(server.seen[0]?.headers).toMatchObject({ 'x-user': 'class', 'x-token': 'hook' });
  });

  test('the endpoints that it creates carry the init too', async () => {
    await makeHooks().useGetList().push({ id: '1' });
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      url: '/todos',
      headers: { authorization: 'Bearer one' },
    });
  });

  test('a result stays cached when the init changes, and the next request uses the new one', async () => {
    server.respond(() => ({ id: '5' }));
    const controller = new Controller();
    const { useGet } = makeHooks();
    await controller.fetch(useGet(), { id: 5 });
    session.token = 'two';
    expect(await controller.fetchIfStale(useGet(), { id: 5 })).toBeInstanceOf(Todo);
    expect(server.seen).toHaveLength(1);
    await controller.fetch(useGet(), { id: 5 });
    expect(server.seen[1]?.headers.authorization).toBe('Bearer two');
    controller.dispose();
  });
});

describe('the endpoint of a hook is the same object', () => {
  test('while the init is shallowly equal, headers written in place included', () => {
    const { useGet, useUpdate } = makeHooks();
    const get = useGet();
    expect(useGet()).toBe(get);
    expect(useUpdate()).not.toBe(get);
    session.token = 'two';
    expect(useGet()).not.toBe(get);
  });

  test('for each of several users on one screen', () => {
    const { useGet } = makeHooks();
    const ofOne = useGet();
    session.token = 'two';
    const ofTwo = useGet();
    session.token = 'one';
    expect(useGet()).toBe(ofOne);
    session.token = 'two';
    expect(useGet()).toBe(ofTwo);
  });

  test('also without any init', () => {
    const { useGet } = hookifyResource(makeResource(), () => ({}));
    expect(useGet()).toBe(useGet());
  });

  test('not when a member is added, removed or another object', () => {
    let init: RequestInit = {};
    const { useGet } = hookifyResource(makeResource(), () => init);
    const inits: RequestInit[] = [
      {},
      { cache: 'no-store' },
      { cache: 'no-store', mode: 'cors' },
      { mode: 'cors' },
      { mode: 'cors', signal: new AbortController().signal },
      { mode: 'cors', signal: new AbortController().signal },
    ];
    const endpoints = inits.map((next) => {
      init = next;
      return useGet();
    });
    expect(new Set(endpoints).size).toBe(inits.length);
  });
});

describe('a scope', () => {
  test('is part of the key, so that users share no result', async () => {
    server.respond(({ url }) => `${url} for ${session.user}`);
    const controller = new Controller();
    const { useCurrent } = makeScoped();
    const ofAda = useCurrent();
    session.user = 'bob';
    const ofBob = useCurrent();
    session.user = 'ada';
    expect(await controller.fetch(ofAda)).toBe('/me for ada');
    session.user = 'bob';
    expect(await controller.fetchIfStale(ofBob)).toBe('/me for bob');
    expect(controller.getResponse(ofAda)).toBe('/me for ada');
    expect(controller.getResponse(ofBob)).toBe('/me for bob');
    controller.dispose();
  });

  test('has keys that no other scope and no plain endpoint takes for its own', () => {
    const Todos = makeResource();
    const { useGet } = hookifyResource(Todos, () => ({ scope: session.user }));
    const ofAda = useGet();
    session.user = 'ada" GET';
    const ofOther = useGet();
    const key = ofAda.key({ id: 5 });
    expect(key).not.toBe(ofOther.key({ id: 5 }));
    expect([ofAda, ofOther, Todos.get].map((endpoint) => endpoint.testKey(key))).toEqual([
      true,
      false,
      false,
    ]);
    expect(ofAda.testKey(Todos.get.key({ id: 5 }))).toBe(false);
    expect(ofAda.testKey(key.replace('/todos/', '/others/'))).toBe(false);
  });

  test('survives extend and push', () => {
    const { useGet, useGetList } = makeScoped();
    expect(useGet().extend({ path: '/others/:id' }).key({ id: 5 })).toBe(
      `"ada" GET ${server.origin}/others/5`,
    );
    expect(useGetList().push.key({ id: '5' })).toBe(`"ada" POST ${server.origin}/todos`);
  });

  test('is no member of the request', () => {
    expect(makeScoped().useGet().requestInit).not.toHaveProperty('scope');
  });
});

describe('a filter by an endpoint', () => {
  class Api extends RestEndpoint {
    override key(...args: readonly unknown[]): string {
      return `own ${super.key(...args)}`;
    }
    override testKey(key: string): boolean {
      return key.startsWith('own ') && super.testKey(key.slice(4));
    }
  }
  class Post extends Entity {
    id = '';
    static override readonly key = 'Post';
  }

  /** Results of two scopes and of none, for one list. */
  async function open(Class = RestEndpoint) {
    server.respond(() => [{ id: '1' }]);
    const Posts = resource({
      path: '/posts/:id',
      schema: Post,
      searchParams: {} as { tag?: string } | undefined,
      urlPrefix: server.origin,
      Endpoint: Class as typeof RestEndpoint,
    });
    const hookOf = (scope: string) => hookifyResource(Posts, () => ({ scope })).useGetList();
    const [ada, bob] = [hookOf('ada'), hookOf('bob ? "x"')];
    const controller = new Controller();
    const all = [Posts.getList, ada, bob] as const;
    for (const endpoint of all) await controller.fetch(endpoint, {});
    const staleIn = (store = controller) =>
      all.map((endpoint) => store.observe(endpoint, {}).needsLoad());
    return { controller, Posts, ada, staleIn };
  }

  test.each([
    ['a standard key', RestEndpoint],
    ['a key of its own', Api as typeof RestEndpoint],
  ])('without a scope reaches every scope, with %s', async (_, Class) => {
    for (const expire of [
      ({ controller, Posts }: Awaited<ReturnType<typeof open>>) =>
        controller.expireAll(Posts.getList),
      ({ controller, Posts }: Awaited<ReturnType<typeof open>>) =>
        void controller.invalidateAll(Posts.getList),
      ({ controller, Posts }: Awaited<ReturnType<typeof open>>) =>
        void expireWhere(controller, { endpoint: Posts.getList }),
      ({ controller, Posts }: Awaited<ReturnType<typeof open>>) =>
        void expireWhere(controller, { endpoint: Posts.getList, args: [{}] }),
    ]) {
      const world = await open(Class);
      expect(world.staleIn()).toEqual([false, false, false]);
      expire(world);
      expect(world.staleIn()).toEqual([true, true, true]);
    }
  });

  test('with a scope reaches its own scope only', async () => {
    for (const args of [undefined, [{}]]) {
      const { controller, ada, staleIn } = await open();
      void expireWhere(controller, { endpoint: ada, ...(args && { args }) });
      expect(staleIn()).toEqual([false, true, false]);
    }
    const { controller, ada, staleIn } = await open();
    controller.expireAll(ada);
    expect(staleIn()).toEqual([false, true, false]);
  });

  test('without a scope reaches every scope of hydrated state', async () => {
    const { controller, Posts, staleIn } = await open();
    const other = new Controller();
    hydrate(other, getState(controller));
    other.expireAll(Posts.getList);
    expect(staleIn(other)).toEqual([true, true, true]);
  });

  test('counts requests of every scope, or of its own', async () => {
    const { controller, Posts, ada } = await open();
    const calls = [controller.fetch(ada, {}), controller.fetch(ada, { tag: 'x' })];
    const count = (endpoint: typeof ada, args?: readonly unknown[]) =>
      countRequests(controller, { endpoint, ...(args && { args }) });
    expect([count(Posts.getList), count(Posts.getList, [{}]), count(ada, [{}])]).toEqual([2, 1, 1]);
    expect(controller.countFetching(Posts.getList)).toBe(2);
    expect(controller.countFetching(Posts.getList, {})).toBe(1);
    await Promise.all(calls);
  });

  test('resolves when the requests of all scopes have settled', async () => {
    const { controller, Posts, ada } = await open();
    const view = controller.observe(ada, {});
    view.subscribe(() => {
      if (view.needsLoad()) void view.load();
    });
    server.seen.length = 0;
    await controller.invalidateAll(Posts.getList);
    expect(server.seen).toHaveLength(1);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready' });
  });
});
