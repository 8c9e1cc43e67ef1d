/** Identity 2: which list a response belongs to. */
import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  hookifyResource,
  Query,
  type ReadEndpoint,
  resource,
  RestEndpoint,
  type RestArgs,
  type RestGenerics,
  Values,
} from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class User extends Entity {
  id = '';
  declare from?: string;
}

const server = await serverOfFile();
let controller: Controller;
beforeEach(() => {
  controller = new Controller();
  server.seen.length = 0;
  // Each list holds one row that is called as its URL.
  server.respond(({ method, url, body }) =>
    method === 'GET' ? [{ id: url }] : { id: 'new', ...(JSON.parse(body || '{}') as object) },
  );
});

const users = new Collection([User]);
const at = <P extends string>(path: P, schema: unknown = users) =>
  new RestEndpoint({ urlPrefix: server.origin, path, schema: schema as typeof users });
const ids = (rows: unknown) => (rows as readonly User[] | undefined)?.map(({ id }) => id);

describe('identity 2.1: a list is one of its home', () => {
  it('two paths of one class and one Collection are two lists, each with a request', async () => {
    const [all, banned] = [at('/users'), at('/users/banned')];
    expect(ids(await controller.fetch(all))).toEqual(['/users']);
    expect(controller.observe(banned).needsLoad()).toBe(true);
    expect(ids(await controller.fetch(banned))).toEqual(['/users/banned']);
    expect(ids(controller.getResponse(all))).toEqual(['/users']);
  });

  it('a mutation that extends the reading endpoint of a path belongs to the list of that path', async () => {
    const [all, banned] = [at('/users'), at('/users/banned')];
    await controller.fetch(all);
    await controller.fetch(banned);
    const replace = all.extend({ path: '/users/replace', method: 'POST', body: undefined });
    controller.setResponse(replace, [{ id: 'new' }]);
    expect(ids(controller.getResponse(all))).toEqual(['new']);
    expect(ids(controller.getResponse(banned))).toEqual(['/users/banned']);
  });

  it('an endpoint from `bind` reads the list of its endpoint, also with a custom `url`', async () => {
    class Translated<O extends RestGenerics = any> extends RestEndpoint<O> {
      override url(...args: RestArgs<O>): string {
        return `${super.url(...args)}?lang=en`;
      }
    }
    const group = new Translated({
      urlPrefix: server.origin,
      path: '/groups/:group',
      schema: users,
    });
    await controller.fetch(group, { group: '1' });
    // The cast: the type of `Function.prototype.bind` returns a plain function.
    const bound = group.bind(undefined, { group: '1' }) as unknown as ReadEndpoint;
    expect(controller.observe(bound).needsLoad()).toBe(false);
    await controller.fetch(group.push, { group: '1' }, {});
    expect(ids(controller.getResponse(bound))).toEqual(['/groups/1?lang=en', 'new']);
  });

  it.each([
    ['parents', '/users/:id/followers', '/users/:id/following'],
    ['queries in the template', '/search?kind=a', '/other?kind=a'],
  ])('%s distinguish lists', async (_, one, other) => {
    const first: RestEndpoint = at(one);
    const second: RestEndpoint = at(other);

    await controller.fetch(first, { id: '1' });
    await controller.fetch(second, { id: '1' });
    expect(ids(controller.getResponse(first, { id: '1' }))).not.toEqual(
      ids(controller.getResponse(second, { id: '1' })),
    );
  });

  it('GET and a read by another method are two lists, in an envelope too', async () => {
    const lists = new Collection([User]);
    for (const schema of [lists, { results: lists, total: '' }]) {
      controller = new Controller();
      server.respond(({ method }) => {
        const rows = [{ id: method }];
        return schema === lists ? rows : { results: rows, total: method };
      });
      const read = (options: object) =>
        at('/users', schema).extend({
          sideEffect: undefined,
          body: {},
          ...options,
        }) as unknown as RestEndpoint;
      const reads = ['POST', 'QUERY', 'PUT'].map((method) => read({ method }));
      const got = await controller.fetch(at('/users', schema));
      for (const other of reads) {
        expect(controller.observe(other, {}).needsLoad()).toBe(true);
        const own: unknown = await controller.fetch(other, {});
        expect(JSON.stringify(own)).toContain(other.method);
      }
      expect(controller.getResponse(at('/users', schema))).toEqual(got);
      expect(JSON.stringify(controller.getResponse(read({ method: 'POST' }), {}))).toContain(
        'POST',
      );
    }
  });

  class Active<O extends RestGenerics = any> extends RestEndpoint<O> {
    override url(...args: RestArgs<O>): string {
      return `${super.url(...args)}?active=${this.isActive}`;
    }
    get isActive(): boolean {
      return true;
    }
  }
  class Inactive<O extends RestGenerics = any> extends Active<O> {
    override get isActive(): boolean {
      return false;
    }
  }
  const base = () => at('/users');
  const team = (): RestEndpoint => at('/teams/:id/users');

  it.each<[string, () => [RestEndpoint, RestEndpoint]]>([
    ['of a path', () => [at('/users?active=true'), at('/users?active=false')]],
    [
      'beside a placeholder',
      () => [at('/users?active=true{&id=:id}'), at('/users?active=false{&id=:id}')],
    ],
    [
      'of an own `url`',
      () => [
        base().extend({ url: () => `${server.origin}/users?active=true` }),
        base().extend({ url: () => `${server.origin}/users?active=false` }),
      ],
    ],
    [
      'of an own `url` of a path with parameters',
      () => [
        team().extend({
          url: ({ id }: { id: string }) => `${server.origin}/teams/${id}/users?a=1`,
        }),
        team().extend({
          url: ({ id }: { id: string }) => `${server.origin}/teams/${id}/users?a=2`,
        }),
      ],
    ],
    [
      'of the `url` of a class',
      () => [
        new Active({ urlPrefix: server.origin, path: '/users', schema: users }),
        new Inactive({ urlPrefix: server.origin, path: '/users', schema: users }),
      ],
    ],
    [
      'of an own `searchToString`',
      () => [
        base().extend({ searchToString: () => 'active=true' }),
        base().extend({ searchToString: () => 'active=false' }),
      ],
    ],
  ])('the constants in the query %s distinguish lists', async (_, open) => {
    const [one, other] = open();
    const first = ids(await controller.fetch(one, { id: '1' }));
    const second = ids(await controller.fetch(other, { id: '1' }));
    expect(first).not.toEqual(second);
    expect(ids(controller.getResponse(one, { id: '1' }))).toEqual(first);
    expect(ids(controller.getResponse(other, { id: '1' }))).toEqual(second);
  });

  it('the same constants in another order are one list, and creates change it', async () => {
    const [one, other] = [at('/users?a=1&b=2'), at('/users?b=2&a=1')];
    await controller.fetch(one);
    await controller.fetch(other.push, { from: 'x' });
    expect(ids(controller.getResponse(one))).toEqual(['/users?a=1&b=2', 'new']);
  });

  it('a `url` whose query changes with each call, and a `key` that leaves it out, are one list', async () => {
    let count = 0;
    const signed = base().extend({
      url: () => `${server.origin}/users?signature=${(count += 1)}`,
      key: () => 'signed users',
    });
    await controller.fetch(signed);
    await controller.fetch(signed.push, { from: 'x' });
    expect(ids(controller.getResponse(signed))).toHaveLength(2);
  });

  it('one name makes one list, whatever the method', async () => {
    const named = new Collection([User], { name: 'named users' });
    const byPost = at('/users', named).extend({ method: 'POST', sideEffect: undefined });
    await controller.fetch(at('/users', named));
    expect(ids(controller.get(byPost.schema))).toEqual(['/users']);
  });

  it('prefixes, tenants and scopes distinguish lists', async () => {
    const of = (urlPrefix: string) =>
      new RestEndpoint({ urlPrefix: server.origin + urlPrefix, path: '/users', schema: users });
    class Tenanted extends RestEndpoint {
      declare readonly tenant: string;
      override urlPrefix = server.origin;
      override url(...args: readonly unknown[]): string {
        return `${super.url(...args)}?tenant=${this.tenant}`;
      }
    }
    const tenant = (name: string) =>
      new Tenanted({ path: '/users', schema: users, tenant: name } as never) as RestEndpoint;
    let scope = 'ada';
    const Users = resource({ urlPrefix: server.origin, path: '/users/:id', schema: User });
    const { useGetList } = hookifyResource(Users, () => ({ headers: { user: scope }, scope }));
    const ada = useGetList();
    scope = 'bob';
    const bob = useGetList();
    server.respond(({ url, headers }) => [{ id: [headers['user'], url].join('') }]);
    const lists = [of('/admin'), of('/public'), tenant('a'), tenant('b'), ada, bob];
    for (const list of lists) await controller.fetch(list as RestEndpoint);
    expect(lists.map((list) => ids(controller.getResponse(list as RestEndpoint)))).toEqual([
      ['/admin/users'],
      ['/public/users'],
      ['/users?tenant=a'],
      ['/users?tenant=b'],
      ['ada/users'],
      ['bob/users'],
    ]);
    await controller.fetch(bob.push, [{ from: 'bob' }]);
    expect(ids(controller.getResponse(ada))).toEqual(['ada/users']);
  });

  it('default search parameters and the body of a read identify it', async () => {
    const open = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/users',
      searchParams: { banned: false } as { banned?: boolean },
      schema: users,
    });
    const banned: RestEndpoint = open.extend({ searchParams: { banned: true } });
    await controller.fetch(open);
    await controller.fetch(banned);
    expect(ids(controller.getResponse(open))).toEqual(['/users?banned=false']);
    expect(ids(controller.getResponse(banned))).toEqual(['/users?banned=true']);

    const search = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/teams/:team/search',
      method: 'POST',
      sideEffect: false,
      body: {} as { q: string },
      schema: users,
    });
    server.respond(({ body }) => [{ id: body }]);
    await controller.fetch(search, { team: '1' }, { q: 'a' });
    await controller.fetch(search, { team: '1' }, { q: 'b' });
    expect(ids(controller.getResponse(search, { team: '1' }, { q: 'a' }))).toEqual(['{"q":"a"}']);
  });

  it('arguments in other places distinguish lists, though together they say the same', async () => {
    const search = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/search',
      method: 'POST',
      sideEffect: undefined,
      searchParams: {} as { a?: string; b?: string },
      body: {} as { a?: string; b?: string },
      schema: users,
    });
    const call = new Endpoint(
      async (...args: [{ a?: string; b?: string }, { a?: string; b?: string }]) => [
        { id: JSON.stringify(args) },
      ],
      { schema: new Collection([User]) },
    );
    server.respond(({ url, body }) => [{ id: `${url} ${body}` }]);
    const calls = [
      [{ a: '1' }, { b: '2' }],
      [{ a: '1', b: '2' }, {}],
      [{}, { a: '1', b: '2' }],
      [{ b: '2' }, { a: '1' }],
    ] as const;
    for (const endpoint of [search, call]) {
      const said: unknown[] = [];
      for (const args of calls) said.push(ids(await controller.fetch(endpoint, ...args)));
      expect(calls.map((args) => ids(controller.getResponse(endpoint, ...args)))).toEqual(said);
      expect(new Set(said.map(String)).size).toBe(4);
    }
  });

  it('a create enters a list whose body it matches, also by the rule of that list', async () => {
    const wanted: unknown[] = [];
    const own = new Collection([User], {
      createCollectionFilter:
        () =>
        (listArgs, { from }) =>
          wanted.push(listArgs) > 0 && listArgs['from'] === from,
    });
    for (const [path, schema] of [
      ['/search', users],
      ['/own', own],
    ] as const) {
      const search = new RestEndpoint({
        urlPrefix: server.origin,
        path,
        method: 'POST',
        sideEffect: undefined,
        searchParams: {} as { team?: string },
        body: {} as { from: string },
        schema,
      });
      const create = new RestEndpoint({
        urlPrefix: server.origin,
        path: '/users',
        method: 'POST',
        body: {} as { from: string; team: string },
        schema: search.schema.push,
      });
      server.respond(() => []);
      await controller.fetch(search, { team: '1' }, { from: 'here' });
      server.respond(() => ({ id: 'new', from: 'here' }));
      await controller.fetch(create, { from: 'here', team: '1' });
      expect(ids(controller.getResponse(search, { team: '1' }, { from: 'here' }))).toEqual(['new']);
    }
    expect(wanted).toEqual([{ from: 'here', team: '1' }]);
  });

  it('further arguments of a function distinguish lists', async () => {
    const find = new Endpoint(async (team: string, sort: string) => [{ id: team + sort }], {
      schema: users,
    });
    await controller.fetch(find, 'a', '1');
    await controller.fetch(find, 'a', '2');
    expect(ids(controller.getResponse(find, 'a', '1'))).toEqual(['a1']);
  });
});

describe('identity 2.2: an endpoint binds the Collection in its schema', () => {
  it('in extend, whose push edits that list only', async () => {
    const Users = resource({ urlPrefix: server.origin, path: '/users/:id', schema: User });
    const banned = Users.getList.extend({ path: '/users/banned' });
    await controller.fetch(Users.getList);
    await controller.fetch(banned);
    await controller.fetch(banned.push, { from: 'x' });
    expect(ids(controller.getResponse(Users.getList))).toEqual(['/users']);
    expect(ids(controller.getResponse(banned))).toEqual(['/users/banned', 'new']);
  });

  it('several objects deep, with extenders, pages and page fields', async () => {
    const list = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/users',
      searchParams: {} as { page?: number },
      paginationField: 'page',
      schema: { data: { results: new Collection([User]), count: 0 }, meta: { next: 0 }, total: 0 },
    });
    const respond = (id: string, next: number, total: number) =>
      server.respond(() => ({ data: { results: [{ id }], count: total }, meta: { next }, total }));
    respond('1', 2, 10);
    await controller.fetch(list);
    respond('2', 3, 11);
    await controller.fetch(list.getPage, { page: 2 });
    const current = controller.getResponse(list);
    expect(ids(current?.data.results)).toEqual(['1', '2']);
    expect([current?.data.count, current?.total]).toEqual([11, 11]);
    server.respond(() => ({ id: 'new' }));
    await controller.fetch(list.push as unknown as RestEndpoint, {});
    expect(ids(controller.getResponse(list)?.data.results)).toEqual(['1', '2', 'new']);
  });

  it('as a class field too, and in a Query, a Values, an array', async () => {
    class Listing extends RestEndpoint {
      override urlPrefix = server.origin;
      override schema = users;
    }
    const one: RestEndpoint = new Listing({ path: '/a' });
    const other: RestEndpoint = new Listing({ path: '/b' });
    const first = new Query(users, (rows: User[]) => rows.map(({ id }) => id));
    const queries = ['/c', '/d'].map((path) => at(path, first));
    const maps = ['/e', '/f'].map((path) => at(path, { all: new Values(users) }));
    for (const list of [one, other, ...queries]) await controller.fetch(list as RestEndpoint);
    server.respond(({ url }) => ({ all: { x: [{ id: url }] } }));
    for (const list of maps) await controller.fetch(list);
    expect(ids(controller.getResponse(one))).toEqual(['/a']);
    expect(queries.map((query) => controller.getResponse(query))).toEqual([['/c'], ['/d']]);
    expect(maps.map((map) => controller.getResponse(map))).toMatchObject([
      { all: { x: [{ id: '/e' }] } },
      { all: { x: [{ id: '/f' }] } },
    ]);
  });
});

describe('identity 2.3: an edit keeps the home that it was taken from', () => {
  it('in an endpoint at another path', async () => {
    const Users = resource({ urlPrefix: server.origin, path: '/users/:id', schema: User });
    await controller.fetch(Users.getList);
    const add = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/users/import',
      method: 'POST',
      schema: Users.getList.schema.push,
    });
    await controller.fetch(add, {});
    expect(ids(controller.getResponse(Users.getList))).toEqual(['/users', 'new']);
  });
});

describe('identity 2.4: sharing is explicit', () => {
  it('by a name, wherever the Collection stands', async () => {
    const named = () => new Collection([User], { name: 'users' });
    const [one, other] = [at('/users', named()), at('/people', named())];
    await controller.fetch(one);
    expect(ids(controller.getResponse(other))).toEqual(['/users']);
  });

  it('by a nestKey, wherever that object stands, and by no other one', async () => {
    const nestKey = ({ id }: { id: string }) => ({ team: id });
    const members = new Collection([User], { nestKey });
    class Team extends Entity {
      id = '';
      members: User[] = [];
      static override schema = { members };
    }
    const getMembers = new RestEndpoint({
      path: '/members',
      searchParams: {} as { team: string },
      schema: members,
    });
    const getOther = getMembers.extend({ schema: new Collection([User], { nestKey }) });
    controller.set(Team, { id: 't' }, { members: [{ id: '1' }] });
    expect(ids(controller.getResponse(getMembers, { team: 't' }))).toEqual(['1']);
    expect(controller.getResponse(getOther, { team: 't' })).toBeUndefined();
  });

  it('a function endpoint shares by its name; else it is its own home, which extend keeps', async () => {
    const make = (id: string, name?: string) =>
      new Endpoint(async () => [{ id }], { schema: users, ...(name && { name }) });
    const [one, other] = [make('1'), make('2')];
    await controller.fetch(one);
    expect(controller.get(other.schema)).toBeUndefined();
    expect(ids(controller.get(one.extend({ dataExpiryLength: 5 }).schema))).toEqual(['1']);
    await controller.fetch(make('3', 'team'));
    expect(ids(controller.get(make('4', 'team').schema))).toEqual(['3']);
  });
});

describe('identity 2.5: list options of a resource', () => {
  class Pinned extends Collection<[typeof User]> {
    override createCollectionFilter() {
      return () => true;
    }
  }

  it('hold for the Collection of an envelope, unless it sets its own', async () => {
    const Users = resource({
      urlPrefix: server.origin,
      path: '/users/:id',
      schema: User,
      searchParams: {} as { sort?: string },
      nonFilterArgumentKeys: ['sort'],
      Collection: Pinned as never,
    });
    const list = Users.getList.extend({ schema: { items: new Collection([User]) } });
    const own = Users.getList.extend({
      path: '/own',
      schema: { items: new Collection([User], { nonFilterArgumentKeys: [] }) },
    });
    server.respond(({ method, url }) =>
      method === 'GET' ? { items: [{ id: url }] } : { id: 'new' },
    );
    await controller.fetch(list, { sort: 'a' });
    await controller.fetch(list.push, {});
    expect(ids(controller.getResponse(list, { sort: 'a' })?.items)).toEqual([
      '/users?sort=a',
      'new',
    ]);
    expect((own.schema.items as Collection).options.nonFilterArgumentKeys).toEqual([]);
    expect(list.schema.items).toBeInstanceOf(Pinned);
  });
});

describe('identity 2.7: a Collection used by itself', () => {
  it('stands for its only home', async () => {
    const todos = new Collection([User]);
    const getTodos = at('/todos', todos);
    await controller.fetch(getTodos);
    expect(ids(controller.get(todos))).toEqual(['/todos']);
    controller.set(todos.push, {}, { id: '2' });
    expect(ids(controller.getResponse(getTodos))).toEqual(['/todos', '2']);
  });

  it('with several homes is an error that names them', async () => {
    const todos = new Collection([User]);
    at('/todos', todos);
    at('/archive', todos);
    const error = expect.objectContaining({
      code: 'ambiguous-list',
      message: expect.stringMatching(/\/todos, .*\/archive/) as string,
    }) as object;
    for (const use of [
      () => controller.get(todos),
      () => controller.set(todos, {}, []),
      () => controller.set(todos.push, {}, { id: '1' }),
      () =>
        controller.observeQuery(new Query(todos, (rows: unknown[]) => rows.length)).getSnapshot(),
    ]) {
      expect(use).toThrow(error);
    }
  });
});

describe('identity 2.8: deletes and changes of a row change every list that holds it, creates those of their home', () => {
  it('in each home', async () => {
    server.respond(({ method }) => (method === 'GET' ? [{ id: '1' }, { id: '2' }] : { id: '3' }));
    const Users = resource({ urlPrefix: server.origin, path: '/users/:id', schema: User });
    const banned = Users.getList.extend({ path: '/users/banned' });
    await controller.fetch(Users.getList);
    await controller.fetch(banned);
    await controller.fetch(Users.delete, { id: '1' });
    controller.set(User, { id: '2' }, { from: 'changed' });
    await controller.fetch(Users.getList.push, {});
    expect(controller.getResponse(banned)).toMatchObject([{ id: '2', from: 'changed' }]);
    expect(ids(controller.getResponse(Users.getList))).toEqual(['2', '3']);
  });
});

describe('identity 2.2: a class that assigns its schema in the constructor', () => {
  it('binds it, also in what extend makes, and options go over it', async () => {
    class Assigning extends RestEndpoint {
      declare schema: typeof users;
      constructor(options: object) {
        super(options as never);
        this.schema = users;
      }
    }
    const one: RestEndpoint = new Assigning({ urlPrefix: server.origin, path: '/one' });
    const other = one.extend({ path: '/other' }) as RestEndpoint;
    const map = one.extend({ path: '/map', schema: new Collection(new Values(User)) });
    for (const list of [one, other]) await controller.fetch(list);
    expect([one, other].map((list) => ids(controller.getResponse(list)))).toEqual([
      ['/one'],
      ['/other'],
    ]);
    expect(((map as RestEndpoint).schema as Collection).schema).toBeInstanceOf(Values);
  });
});

describe('identity 2.7: a Collection used by itself, while endpoints are still being declared', () => {
  it('stays the list that it was when it was first used: a request under way is not lost', async () => {
    const todos = new Collection([User]);
    const getTodos = at('/todos', todos);
    await controller.fetch(getTodos);
    const add = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/add',
      method: 'POST',
      schema: todos.push,
    });
    const adding = controller.fetch(add, {});
    await controller.fetch(at('/lazy', todos));
    await adding;
    expect(ids(controller.getResponse(getTodos))).toEqual(['/todos', 'new']);
  });
});
