import {
  byCursor,
  Collection,
  Controller,
  Endpoint,
  Entity,
  infinite,
  type Manager,
  resource,
  RestEndpoint,
} from 'restitch';
import { type Fixture, mockFixtures } from 'restitch/testing/fixtures';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Clock } from '../support/clock.js';

class User extends Entity {
  id = '';
  name = '';
  born: Date | undefined = undefined;
  static override readonly schema = { born: Date };
}

// Nothing listens there: a request that reached the network would fail otherwise than expected.
const Users = resource({
  urlPrefix: 'http://127.0.0.1:9',
  path: '/users/:id',
  schema: User,
  optimistic: true,
});
const ada = { id: '1', name: 'Ada' };
const url = (path: string): string => `http://127.0.0.1:9${path}`;

const globalFetch = globalThis.fetch;
const sent = vi.fn(globalFetch);
beforeEach(() => {
  sent.mockClear();
  globalThis.fetch = sent;
});
afterEach(() => {
  expect(globalThis.fetch).toBe(sent);
  globalThis.fetch = globalFetch;
  expect(sent).not.toHaveBeenCalled();
});

/** A controller on a clock moved by hand. */
function mocked(
  fixtures: readonly Fixture[],
  managers: readonly Manager[] = [],
): { readonly controller: Controller; readonly clock: Clock } {
  const clock = new Clock();
  const { environment } = clock;
  const all = [...managers, mockFixtures(fixtures)];
  return { clock, controller: new Controller({ managers: all, environment }) };
}

describe('a fixture that is set beforehand', () => {
  it('is in the store before the first read, normalized', () => {
    const { controller } = mocked([
      { endpoint: Users.getList, response: [ada], args: [] },
      { endpoint: Users.get, args: [{ id: 2 }], response: { id: 2, born: '1906-12-09' } },
    ]);
    const [first] = controller.getResponse(Users.getList) ?? [];
    expect(first).toBeInstanceOf(User);
    expect(controller.getResponse(Users.get, { id: '1' })).toBe(first);
    expect(controller.get(User, { id: '2' })?.born).toEqual(new Date('1906-12-09'));
  });

  it('is fresh: nothing is asked for as long as it lives', async () => {
    const actions: string[] = [];
    const log: Manager = {
      middleware: () => (next) => (action) => {
        actions.push(action.type);
        next(action);
      },
    };
    const { controller, clock } = mocked(
      [{ endpoint: Users.get, args: [{ id: '1' }], response: ada }],
      [log],
    );
    expect(await controller.fetchIfStale(Users.get, { id: '1' })).toEqual(User.fromJS(ada));
    expect(actions).not.toContain('fetch');
    clock.now += 60_000;
    expect(await controller.fetchIfStale(Users.get, { id: '1' })).toEqual(User.fromJS(ada));
    expect(actions).toContain('fetch');
  });

  it('may be an error', () => {
    const error = new Error('gone');
    const { controller } = mocked([{ endpoint: Users.get, args: [{ id: '1' }], error }]);
    expect(controller.getError(Users.get, { id: '1' })).toBe(error);
  });

  it('that its schema refuses is an error, as from a server', () => {
    const { controller } = mocked([
      { endpoint: Users.get, args: [{ id: '1' }], response: { name: 'nobody' } },
    ]);
    expect(controller.getError(Users.get, { id: '1' })).toMatchObject({
      code: 'missing-primary-key',
    });
  });

  it('belongs to the test: the store neither freezes nor keeps it', async () => {
    const responses = ['1', '2'].map((id) => ({ id, tags: ['a'] }));
    const { controller } = mocked([
      { endpoint: Users.get, args: [{ id: '1' }], response: responses[0] },
      { endpoint: Users.get, args: [{ id: '2' }], response: () => responses[1] },
    ]);
    await controller.fetch(Users.get, { id: '2' });
    for (const { tags } of responses) tags.push('b');
    for (const id of ['1', '2']) {
      expect(controller.get(User, { id })).toMatchObject({ tags: ['a'] });
    }
  });
});

describe('a fixture that is requested', () => {
  it('is found by the key, however the arguments are written', async () => {
    const { controller, clock } = mocked([
      { endpoint: Users.get, args: [{ id: 1 }], response: ada, delay: 0 },
    ]);
    const fetching = controller.fetch(Users.get.extend({ pollFrequency: 5 }), { id: '1' });
    await clock.pass(0);
    expect(await fetching).toEqual(User.fromJS(ada));
  });

  it('may be computed from the arguments, once for each request', async () => {
    const names = new Map([['1', 'Ada']]);
    const { controller } = mocked([
      {
        endpoint: Users.get,
        response: ({ id }: { id: string }) => ({ id, name: names.get(id) }),
      },
      {
        endpoint: Users.partialUpdate,
        response: async ({ id }: { id: string }, body: { name: string }) => {
          names.set(id, body.name);
          return { id, ...body };
        },
      },
    ]);
    expect(controller.getResponse(Users.get, { id: '1' })).toBeUndefined();
    expect((await controller.fetch(Users.get, { id: '1' })).name).toBe('Ada');
    await controller.fetch(Users.partialUpdate, { id: '1' }, { name: 'Grace' });
    expect((await controller.fetch(Users.get, { id: '1' })).name).toBe('Grace');
  });

  it('is what a function throws, where it throws', async () => {
    const { controller } = mocked([
      {
        endpoint: Users.get,
        response: () => {
          throw new RangeError('no such user');
        },
      },
    ]);
    await expect(controller.fetch(Users.get, { id: '1' })).rejects.toThrow('no such user');
    expect(controller.getError(Users.get, { id: '1' })).toBeInstanceOf(RangeError);
  });

  it('responds to a mutation with its own body only', async () => {
    const { controller } = mocked([
      { endpoint: Users.getList.push, args: [{ name: 'Ada', id: '' }], response: ada },
      { endpoint: Users.getList.push, args: [{ id: '', name: 'Grace' }], error: new Error('full') },
    ]);
    const push = (name: string): Promise<User> =>
      controller.fetch(Users.getList.push, { name, id: '' });
    expect(await push('Ada')).toEqual(User.fromJS(ada));
    await expect(push('Grace')).rejects.toThrow('full');
    await expect(push('Alan')).rejects.toMatchObject({ code: 'no-fixture' });
  });

  it('is that of the last fixture that matches', async () => {
    const { controller } = mocked([
      { endpoint: Users.get, response: ({ id }: { id: string }) => ({ id, name: 'anybody' }) },
      { endpoint: Users.get, args: [{ id: '1' }], response: ada, delay: 0 },
      { endpoint: Users.get, args: [{ id: '1' }], response: { id: '1', name: 'Grace' } },
    ]);
    expect((await controller.fetch(Users.get, { id: '1' })).name).toBe('Grace');
    expect((await controller.fetch(Users.get, { id: '2' })).name).toBe('anybody');
  });

  it('arrives after its delay, as it was when it was asked for', async () => {
    let name = 'Ada';
    const { controller, clock } = mocked([
      { endpoint: Users.get, response: () => ({ id: '1', name }), delay: 500 },
    ]);
    const respond = vi.fn();
    void controller.fetch(Users.get, { id: '1' }).then(respond);
    name = 'Grace';
    await clock.pass(499);
    expect(respond).not.toHaveBeenCalled();
    await clock.pass(1);
    expect(respond).toHaveBeenCalledWith(User.fromJS(ada));
  });

  it('never arrives after an infinite delay', async () => {
    const { controller, clock } = mocked([
      { endpoint: Users.get, args: [{ id: '1' }], response: ada, delay: Infinity },
    ]);
    const respond = vi.fn();
    const fetching = controller.fetch(Users.get, { id: '1' });
    fetching.then(respond, respond);
    await clock.pass(1_000_000);
    expect([clock.timers, respond.mock.calls]).toEqual([0, []]);
    controller.dispose();
    await expect(fetching).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is given up when its request is aborted: no timer stays', async () => {
    const { controller, clock } = mocked([
      { endpoint: Users.get, args: [{ id: '1' }], error: new Error('late'), delay: 500 },
    ]);
    const abort = new AbortController();
    const fetching = controller.fetch(Users.get.extend({ signal: abort.signal }), { id: '1' });
    await clock.pass(100);
    expect(clock.timers).toBe(1);
    abort.abort();
    await expect(fetching).rejects.toMatchObject({ name: 'AbortError' });
    expect(clock.timers).toBe(0);
  });

  it('is given up when its request is aborted before the delay begins: no timer stays', async () => {
    const abort = new AbortController();
    const response = (): typeof ada => {
      abort.abort();
      return ada;
    };
    const { controller, clock } = mocked([{ endpoint: Users.get, response, delay: 500 }]);
    const get = Users.get.extend({ signal: abort.signal });
    for (let count = 0; count < 2; count += 1) {
      await expect(controller.fetch(get, { id: '1' })).rejects.toMatchObject({
        name: 'AbortError',
      });
      expect(clock.timers).toBe(0);
    }
  });

  it('shows its optimistic update first, and takes it back when it fails', async () => {
    const { controller, clock } = mocked([
      { endpoint: Users.get, args: [{ id: '1' }], response: ada },
      { endpoint: Users.partialUpdate, error: new Error('refused'), delay: 100 },
    ]);
    const name = (): string | undefined => controller.getResponse(Users.get, { id: '1' })?.name;
    const renaming = controller.fetch(Users.partialUpdate, { id: '1' }, { name: 'Grace' });
    renaming.catch(() => {});
    expect(name()).toBe('Grace');
    await clock.pass(100);
    await expect(renaming).rejects.toThrow('refused');
    expect(name()).toBe('Ada');
  });

  it('matches endpoints made from functions too, in the order of the requests’ starts', async () => {
    let count = 0;
    const getCount = new Endpoint(async function getCount(_: { page: number }): Promise<number> {
      throw new Error('called');
    });
    const { controller, clock } = mocked([
      { endpoint: getCount, response: () => (count += 1), delay: 10 },
    ]);
    const fetching = controller.fetch(getCount, { page: 1 });
    await clock.pass(10);
    expect(await fetching).toBe(1);
    expect(controller.getResponse(getCount, { page: 1 })).toBe(1);
  });
});

describe('a fixture without arguments', () => {
  class Post extends Entity {
    id = '';
    title = '';
    static override key = 'FixturePost';
  }
  const Posts = resource({
    urlPrefix: 'http://127.0.0.1:9',
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as { author?: string },
    paginationField: 'cursor',
  });
  const { getList, partialUpdate } = Posts;
  const body = { title: 'a' };
  const response = { id: '9', title: 'a' };

  it('for getPage does not match getList', async () => {
    const { controller } = mocked([
      { endpoint: getList.getPage, response: [{ id: '2' }] },
      { endpoint: Posts.get, response },
    ]);
    await expect(controller.fetch(getList)).rejects.toMatchObject({ code: 'no-fixture' });
    expect(await controller.fetch(getList.getPage, { cursor: '2' })).toMatchObject([{ id: '2' }]);
  });

  it('for a list matches its further pages, but no page of another list', async () => {
    const { controller } = mocked([
      {
        endpoint: getList,
        response: ({ cursor = '1' }: { cursor?: string } = {}) => [{ id: cursor }],
      },
    ]);
    expect(await controller.fetch(getList)).toMatchObject([{ id: '1' }]);
    expect(await controller.fetch(getList.getPage, { cursor: '2' })).toMatchObject([{ id: '2' }]);
    const refused = { code: 'no-fixture' };
    await expect(controller.fetch(getList.push, {}, body)).rejects.toMatchObject(refused);
    const others = mocked([{ endpoint: Users.getList, response: [] }]).controller;
    await expect(others.fetch(getList.getPage, { cursor: '2' })).rejects.toMatchObject(refused);
  });

  it('for a list matches each page of an infinite list', async () => {
    const Pages = resource({
      urlPrefix: 'http://127.0.0.1:9',
      path: '/posts/:id',
      schema: Post,
      pagination: byCursor({ param: 'cursor', next: 'next' }),
    }).extend('getList', {
      schema: { results: new Collection([Post]), next: null as string | null },
    });
    const { controller } = mocked([
      {
        endpoint: Pages.getList,
        response: (params?: { cursor?: string }) =>
          params?.cursor
            ? { results: [{ id: '2' }], next: null }
            : { results: [{ id: '1' }], next: 'c' },
      },
    ]);
    const view = infinite(controller, Pages.getList);
    const stop = view.subscribe(() => {});
    await view.load();
    await view.loadNext();
    expect(view.getSnapshot()).toMatchObject({ data: { items: [{ id: '1' }, { id: '2' }] } });
    stop();
  });

  it('matches its own endpoint, a list or one of its pages, in whatever order', async () => {
    const fixtures: readonly Fixture[] = [
      { endpoint: getList, response: [{ id: '1' }] },
      { endpoint: getList.getPage, response: [{ id: '2' }] },
    ];
    for (const known of [fixtures, fixtures.toReversed()]) {
      const { controller } = mocked(known);
      await controller.fetch(getList, { author: 'ada' });
      await controller.fetch(getList.getPage, { author: 'ada', cursor: '2' });
      expect(controller.getResponse(getList, { author: 'ada' })?.map(({ id }) => id)).toEqual([
        '1',
        '2',
      ]);
    }
  });

  it('for one edit of a list matches no other one that shares its key', async () => {
    const { controller } = mocked([
      { endpoint: getList.push, response },
      { endpoint: partialUpdate, response },
    ]);
    const refused = { code: 'no-fixture' };
    expect(await controller.fetch(getList.push, {}, body)).toMatchObject(response);
    await expect(controller.fetch(getList.unshift, {}, body)).rejects.toMatchObject(refused);
    expect(await controller.fetch(partialUpdate, { id: '9' }, body)).toMatchObject(response);
    await expect(controller.fetch(getList.move, { id: '9' }, body)).rejects.toMatchObject(refused);
  });

  it('with arguments distinguishes the edits as well', async () => {
    const { controller } = mocked([{ endpoint: getList.push, args: [{}, body], response }]);
    await expect(controller.fetch(getList.unshift, {}, body)).rejects.toMatchObject({
      code: 'no-fixture',
    });
    expect(await controller.fetch(getList.push, {}, body)).toMatchObject(response);
  });

  it('matches an endpoint that was extended', async () => {
    const { controller } = mocked([{ endpoint: getList.getPage, response: [{ id: '2' }] }]);
    const page = getList.getPage.extend({ dataExpiryLength: 5 });
    expect(await controller.fetch(page, { cursor: '2' })).toMatchObject([{ id: '2' }]);
  });
});

describe('a request that no fixture matches', () => {
  const fixtures: readonly Fixture[] = [
    { endpoint: Users.get, args: [{ id: '1' }], response: ada },
    { endpoint: Users.getList.push, args: [{ name: 'Ada' }], response: ada },
    { endpoint: Users.delete, response: null },
  ];

  it('fails with an error that names its key and lists the fixtures', async () => {
    const { controller } = mocked(fixtures);
    const fetching = controller.fetch(Users.getList.push, { name: 'Grace' });
    await expect(fetching).rejects.toMatchObject({
      name: 'RestitchError',
      code: 'no-fixture',
      message: [
        `POST ${url('/users')}: no fixture matches this request with the arguments [{"name":"Grace"}]. Known fixtures:`,
        `- GET ${url('/users/1')}`,
        `- POST ${url('/users')} with [{"name":"Ada"}]`,
        `- ${Users.delete.name}, with any arguments`,
      ].join('\n'),
    });
    await expect(mocked([]).controller.fetch(Users.getList)).rejects.toThrow(
      /Known fixtures: none/,
    );
  });

  it('is an error to readers as well, also where an error would leave them their data', async () => {
    const { controller } = mocked([]);
    const getUser = Users.get.extend({ errorPolicy: () => 'soft' });
    controller.setResponse(getUser, { id: '1' }, ada);
    await expect(controller.fetch(getUser, { id: '1' })).rejects.toMatchObject({
      code: 'no-fixture',
    });
    expect(controller.getError(getUser, { id: '1' })).toMatchObject({ code: 'no-fixture' });
  });

  it('is not retried', async () => {
    const { controller } = mocked([]);
    const getUser = Users.get.extend({ retry: 3 });
    await expect(controller.fetch(getUser, { id: '1' })).rejects.toMatchObject({
      code: 'no-fixture',
    });
  });
});

describe('a list of fixtures', () => {
  it('matches again after the store was emptied', async () => {
    const { controller } = mocked([{ endpoint: Users.get, args: [{ id: '1' }], response: ada }]);
    expect(controller.getResponse(Users.get, { id: '1' })?.name).toBe('Ada');
    controller.resetEntireStore();
    expect(controller.getResponse(Users.get, { id: '1' })).toBeUndefined();
    expect((await controller.fetch(Users.get, { id: '1' })).name).toBe('Ada');
  });

  it('may be shared by several controllers, which share nothing else', async () => {
    const fixtures = mockFixtures([
      { endpoint: Users.get, args: [{ id: '1' }], response: ada },
      { endpoint: Users.partialUpdate, response: ({ id }, body) => ({ id, ...body }) },
    ]);
    const [one, two] = [0, 1].map(() => new Controller({ managers: [fixtures] }));
    await one?.fetch(Users.partialUpdate, { id: '1' }, { name: 'Grace' });
    const names = [one, two].map((each) => each?.getResponse(Users.get, { id: '1' })?.name);
    expect(names).toEqual(['Grace', 'Ada']);
  });

  it.each([
    ['an endpoint', { args: [], response: 1 }, TypeError, '`endpoint`'],
    ['a list of arguments', { endpoint: Users.get, args: 5, response: 1 }, TypeError, '`args`'],
    ['a response', { endpoint: Users.get, args: [{ id: 1 }] }, TypeError, '`response` or `error`'],
    [
      'one response',
      { endpoint: Users.get, response: 1, error: new Error('both') },
      TypeError,
      '`response` or `error`',
    ],
    ['a time', { endpoint: Users.get, response: 1, delay: -1 }, RangeError, '`delay`'],
  ])('must give %s', (_, fixture, Kind, words) => {
    // The cast: what callers without types may hand over.
    const make = (): Manager => mockFixtures([fixture as unknown as Fixture]);
    expect(make).toThrow(Kind);
    expect(make).toThrow(words);
    expect(make).toThrow('fixtures[0]');
  });
});

describe('a manager', () => {
  it('may respond to a request itself, by handing the fetch action on with a `fetch`', async () => {
    const endpoint = new RestEndpoint({ urlPrefix: 'http://127.0.0.1:9', path: '/offline/:id' });
    const seen: unknown[] = [];
    const offline: Manager = {
      middleware: () => (next) => (action) => {
        if (action.type !== 'fetch') return next(action);
        next({
          ...action,
          fetch(...args) {
            seen.push(this.name, typeof this.signal, args);
            return { from: 'a queue' };
          },
        });
      },
    };
    const controller = new Controller({ managers: [offline] });
    expect(await controller.fetch(endpoint, { id: '1' })).toEqual({ from: 'a queue' });
    expect(seen).toEqual([endpoint.name, 'function', [{ id: '1' }]]);
  });
});
