/** `expireWhere` and `invalidateWhere`: results are selected by what they contain, or by their endpoint. */
import {
  type Action,
  Collection,
  Controller,
  countRequests,
  type ReadEndpoint,
  Entity,
  expireWhere,
  type Filter,
  invalidateWhere,
  type Manager,
  resource,
  RestEndpoint,
  Union,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class User extends Entity {
  id = '';
  name = '';
  static override readonly key = 'User';
}

class Issue extends Entity {
  id = '';
  author: User | undefined = undefined;
  static override readonly key = 'Issue';
  static override schema = { author: User };
}

const server = await serverOfFile();
beforeEach(() => {
  const user = (id: string) => ({ id, name: `user ${id}` });
  server.respond(({ url }, response) => {
    if (url === '/users?team=empty') return [];
    if (url.startsWith('/users?')) return [user('1'), user('5')];
    if (url === '/users') return { data: [user('1'), user('2')], total: 2 };
    if (url === '/issues') return [{ id: 'a', author: user('5') }, { id: 'b' }];
    if (url === '/users/404') return void response.writeHead(404).end();
    if (url.startsWith('/issues/')) return { id: url.slice(8), author: user('1') };
    return user(url.slice(7));
  });
});

function open(managers: readonly Manager[] = []) {
  const urlPrefix = server.origin ?? '';
  const Users = resource({
    urlPrefix,
    path: '/users/:id',
    schema: User,
    searchParams: {} as { team?: string } | undefined,
  });
  const getTotal = Users.getList.extend({ schema: { data: new Collection([User]), total: 0 } });
  const Issues = resource({ urlPrefix, path: '/issues/:id', schema: Issue });
  const controller = new Controller({ managers, environment: { report: () => {} } });
  const stops: (() => void)[] = [];
  /** Mounts a reader that loads whenever it has to, as a component does. */
  const read = async (endpoint: ReadEndpoint, ...args: unknown[]): Promise<void> => {
    const view = controller.observe(endpoint, ...args);
    const load = () => void (view.needsLoad(true) && view.load().catch(() => {}));
    stops.push(view.subscribe(load));
    await view.load().catch(() => {});
  };
  const all = async (): Promise<void> => {
    await read(Users.getList, { team: 'x' });
    await read(Users.getList, { team: 'empty' });
    await read(getTotal);
    await read(Issues.getList);
    await read(Issues.get, { id: 'z' });
    await read(Users.get, { id: '404' });
    take();
  };
  const take = () =>
    server.seen
      .splice(0)
      .map(({ method, url }) => `${method} ${url}`)
      .sort() ?? [];
  take();
  return { controller, Users, Issues, getTotal, read, all, take };
}

const cases: [string, (world: ReturnType<typeof open>) => Filter, string[]][] = [
  [
    'a record: everything that contains it, also in a relation',
    () => ({ entity: User, pk: '5' }),
    ['GET /issues', 'GET /users?team=x'],
  ],
  [
    'a record that could not be read: its error',
    () => ({ entity: User, pk: 404 }),
    ['GET /users/404'],
  ],
  [
    'a class: everything that contains a record of it, empty lists and errors too',
    () => ({ entity: User }),
    [
      'GET /issues',
      'GET /issues/z',
      'GET /users',
      'GET /users/404',
      'GET /users?team=empty',
      'GET /users?team=x',
    ],
  ],
  ['another class', () => ({ entity: Issue }), ['GET /issues', 'GET /issues/z']],
  ['an endpoint', ({ Issues }) => ({ endpoint: Issues.get }), ['GET /issues/z']],
  [
    'an endpoint with arguments',
    ({ Users }) => ({ endpoint: Users.getList, args: [{ team: 'empty' }] }),
    ['GET /users?team=empty'],
  ],
  ['a path', () => ({ path: '/issues' }), ['GET /issues', 'GET /issues/z']],
  [
    'a function',
    () => ({
      match: ({ key, endpoint }) => key.includes('team') && endpoint.name === 'User.getList',
    }),
    ['GET /users?team=empty', 'GET /users?team=x'],
  ],
  ['two conditions', () => ({ entity: User, pk: '5', path: '/users' }), ['GET /users?team=x']],
  ['mutations, which have no results', () => ({ sideEffect: true }), []],
];

describe('expireWhere refetches data with readers, and nothing else, for', () => {
  it.each(cases)('%s', async (_, filterOf, expected) => {
    const world = open();
    await world.all();
    await expireWhere(world.controller, filterOf(world));
    expect(world.take()).toEqual(expected);
  });
});

describe('expireWhere', () => {
  it('keeps the data of readers meanwhile; invalidateWhere hides it', async () => {
    const { controller, Users, all, take } = open();
    await all();
    const data = () => controller.getResponse(Users.getList, { team: 'x' })?.length;
    const expired = expireWhere(controller, { entity: User, pk: '5' });
    expect(data()).toBe(2);
    await expired;
    take();
    const invalidated = invalidateWhere(controller, { entity: User, pk: '5' });
    expect(data()).toBeUndefined();
    await invalidated;
    expect(data()).toBe(2);
    expect(take()).toEqual(['GET /issues', 'GET /users?team=x']);
  });

  it('only marks results without readers, whether or not they were ever read', async () => {
    const { controller, Users, Issues, take } = open();
    await controller.fetch(Users.getList, { team: 'x' });
    await controller.fetch(Issues.get, { id: 'z' });
    await controller.fetch(Issues.getList);
    take();
    await expireWhere(controller, { entity: User, pk: '5' });
    expect(take()).toEqual([]);
    await controller.fetchIfStale(Issues.get, { id: 'z' });
    expect(take()).toEqual([]);
    await controller.fetchIfStale(Issues.getList);
    await controller.fetchIfStale(Users.getList, { team: 'x' });
    expect(take()).toEqual(['GET /issues', 'GET /users?team=x']);
  });

  it('makes a detail stale that is read from a list', async () => {
    const { controller, Users, take } = open();
    await controller.fetch(Users.getList, { team: 'x' });
    await controller.fetchIfStale(Users.get, { id: '5' });
    take();
    await expireWhere(controller, { entity: User, pk: '5' });
    await controller.fetchIfStale(Users.get, { id: '1' });
    await controller.fetchIfStale(Users.get, { id: '5' });
    expect(take()).toEqual(['GET /users/5']);
    await controller.fetchIfStale(Users.get, { id: '5' });
    expect(take()).toEqual([]);
  });

  it('repeats a request in flight, whose response may lack the change', async () => {
    const { controller, Users, all, take } = open();
    await all();
    const older = controller.fetch(Users.getList, { team: 'x' });
    await expireWhere(controller, { entity: User, pk: '5' });
    await older;
    expect(take()).toEqual(['GET /issues', 'GET /users?team=x', 'GET /users?team=x']);
  });

  it('is an action that managers see', async () => {
    const seen: Action[] = [];
    const log: Manager = {
      middleware: () => (next) => (action) => {
        seen.push(action);
        next(action);
      },
    };
    const { controller } = open([log]);
    const filter = { entity: User };
    await expireWhere(controller, filter);
    await invalidateWhere(controller, filter);
    expect(seen).toMatchObject([
      { type: 'expireWhere', filter },
      { type: 'invalidateWhere', filter },
    ]);
  });

  it('marks hydrated results without a reader', async () => {
    const { controller, Users, Issues, take } = open();
    await controller.fetch(Users.getList, { team: 'x' });
    await controller.fetch(Issues.getList);
    const state = getState(controller);
    const next = open();
    hydrate(next.controller, state);
    take();
    await expireWhere(next.controller, { path: '/issues' });
    await next.controller.fetchIfStale(next.Users.getList, { team: 'x' });
    expect(take()).toEqual([]);
    await next.controller.fetchIfStale(next.Issues.getList);
    expect(take()).toEqual(['GET /issues']);
    const last = open();
    hydrate(last.controller, state);
    await expireWhere(last.controller, { entity: User, pk: '5' });
    await last.controller.fetchIfStale(last.Users.getList, { team: 'x' });
    expect(take()).toEqual(['GET /users?team=x']);
  });

  it('refuses an `entity` that is no class, as countRequests does', async () => {
    const { controller } = open();
    const filter: Filter = { entity: new Union({ user: User }, () => 'user') as never };
    await expect(async () => invalidateWhere(controller, filter)).rejects.toThrow(/entity class/);
    void controller.fetch(new RestEndpoint({ path: '/never', send: () => new Promise(() => {}) }));
    expect(() => countRequests(controller, filter)).toThrow(/entity class/);
  });
});

it('refuses a filter that would select too much', () => {
  const { controller } = open();
  const filters: readonly (readonly [Filter, string])[] = [
    [{}, 'the filter'],
    [{ pk: '5' }, 'the filter'],
    [{ args: [] }, 'the filter'],
    // The types forbid undefined members; a class of a circular import is undefined all the same.
    [Object.assign<Filter, object>({}, { entity: undefined }), '`entity`'],
    [Object.assign<Filter, object>({ entity: User }, { pk: undefined }), '`pk`'],
  ];
  for (const [filter, what] of filters) {
    const error = expect.objectContaining({
      name: 'TypeError',
      code: 'filter-empty',
      message: expect.stringContaining(what) as string,
    }) as unknown;
    for (const select of [expireWhere, invalidateWhere, countRequests])
      expect(() => void select(controller, filter)).toThrow(error as Error);
  }
  expect(countRequests(controller)).toBe(0);
  expect(countRequests(controller, { sideEffect: true })).toBe(0);
});
