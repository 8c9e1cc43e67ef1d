/** Which lists a record enters, where it is put, and which lists are one. */
import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  resource,
  RestEndpoint,
  Union,
  Values,
} from 'restitch';
import { describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Todo extends Entity {
  id = '';
  title = '';
  userId: string | number = '';
  done = false;
  static override key = 'Todo';
}

const server = await serverOfFile();

/** An endpoint for each list asked for, and a create that responds with what it is given. */
function openLists<C extends Collection<(typeof Todo)[]>>(
  collection: C,
  schema: unknown = collection,
) {
  const controller = new Controller();
  const getList = new Endpoint(async (_: object): Promise<unknown> => [], {
    name: 'getList',
    schema,
  });
  const seed = (args: object, ...ids: string[]) =>
    controller.set(
      collection,
      args,
      ids.map((id) => ({ id })),
    );
  const edit = (by: unknown, ...args: readonly unknown[]): Promise<unknown> => {
    const response = args.at(-1);
    const endpoint = new Endpoint(async (..._: readonly unknown[]) => response, {
      name: 'edit',
      schema: by,
      sideEffect: true,
    });
    return controller.fetch(endpoint, ...args);
  };
  // Whatever arguments the collection declares.
  const anyList: Collection<(typeof Todo)[]> = collection as never;
  const ids = (args: object) => controller.get(anyList, args)?.map(({ id }) => id);
  return { controller, getList, seed, edit, ids };
}

describe('an argument that lets the server choose', () => {
  const todos = new Collection([Todo]);

  it('from several values: a moved or created record that has one stays, or enters', async () => {
    const { seed, edit, ids } = openLists(todos);
    seed({ userId: ['1', 2] }, 'a');
    seed({ userId: ['3', '4'] }, 'b');
    await edit(todos.move, { id: 'a' }, { id: 'a', userId: 2 });
    await edit(todos.push, { id: 'c', userId: '3' });
    expect([ids({ userId: ['1', 2] }), ids({ userId: ['3', '4'] })]).toEqual([['a'], ['b', 'c']]);
    await edit(todos.move, { id: 'a' }, { id: 'a', userId: '4' });
    expect([ids({ userId: ['1', 2] }), ids({ userId: ['3', '4'] })]).toEqual([[], ['b', 'c', 'a']]);
  });

  it.each([
    [[true, false], true],
    [['true', 'false'], true],
    [[true, 'a'], 'a'],
    [[1, true], 1],
    [[null, 'a'], 'a'],
    [[undefined, 'a'], 'a'],
    [['null', 'a'], 'null'],
    [['"', '['], '"'],
    [['"', '['], '['],
    [['a,b', 'c'], 'a,b'],
    [[10n, 11n], 10],
    [[new Date(5), new Date(6)], new Date(6).toISOString()],
  ])('from the values %s: a record with %s enters the list', async (userId, value) => {
    const { seed, edit, ids } = openLists(todos);
    const list = { userId: userId as string[] };
    seed(list);
    await edit(todos.push, { id: 'a', userId: value });
    await edit(todos.push, { id: 'b', userId: 'another' });
    expect(ids(list)).toEqual(['a']);
  });

  it('from booleans or their texts, which have the same URL', () => {
    const { seed, ids } = openLists(todos);
    seed({ userId: [true, false] }, 'a');
    expect(ids({ userId: ['true', 'false'] })).toEqual(['a']);
  });

  it.each(['undefined', 'null', 'NaN', '[]', '{}', ['undefined', 'x']])(
    'that no field has, such as the search text %j, is matched by no record',
    async (q) => {
      const { seed, edit, ids } = openLists(todos);
      seed({ q });
      await edit(todos.push, { id: 'a', title: 'printer' });
      await edit(todos.move, { id: 'a' }, { id: 'a', userId: 2 });
      expect(ids({ q })).toEqual([]);
    },
  );

  it('from several values says nothing of a record that has several itself', async () => {
    const { seed, edit, ids } = openLists(todos);
    seed({ labels: ['bug', 'ui'] }, 'a');
    await edit(todos.move, { id: 'a' }, { id: 'a', labels: ['bug'] });
    await edit(todos.push, { id: 'b', labels: ['bug'] });
    expect(ids({ labels: ['bug', 'ui'] })).toEqual(['a']);
  });

  it('that is empty may be no filter: no record leaves its list, and only an equal one enters', async () => {
    const { seed, edit, ids } = openLists(todos);
    seed({ userId: '' }, 'a');
    await edit(todos.move, { id: 'a' }, { id: 'a', userId: '2' });
    await edit(todos.push, { id: 'b', userId: '2' });
    await edit(todos.push, { id: 'c', userId: '' });
    expect(ids({ userId: '' })).toEqual(['a', 'c']);
  });
});

describe('argsKey', () => {
  it('chooses the identity of a list, and how its members are matched', async () => {
    const todos = new Collection([Todo], {
      argsKey: ({ userId }: { userId: string; trace?: string }) => ({ userId }),
    });
    const { seed, edit, ids } = openLists(todos);
    seed({ userId: '1', trace: 'x' }, 'a');
    expect(ids({ userId: '1', trace: 'y' })).toEqual(['a']);
    await edit(todos.push, { id: 'b', userId: 1 });
    expect(ids({ userId: '1' })).toEqual(['a', 'b']);
  });
});

describe('nonFilterArgumentKeys', () => {
  it.each([
    ['an array', ['sort']],
    ['a pattern', /^so/g],
    ['a function', (key: string) => key === 'sort'],
  ] as const)('as %s names arguments that do not decide membership', async (_, names) => {
    const todos = new Collection([Todo], { nonFilterArgumentKeys: names });
    const { seed, edit, ids } = openLists(todos);
    seed({ userId: '1', sort: 'a' }, 'a');
    seed({ userId: '1', sort: 'b' }, 'a');
    seed({ userId: '2', sort: 'b' }, 'a');
    await edit(todos.push, { id: 'b', userId: '1' });
    expect(ids({ userId: '1', sort: 'a' })).toEqual(['a', 'b']);
    expect(ids({ userId: '1', sort: 'b' })).toEqual(['a', 'b']);
    expect(ids({ userId: '2', sort: 'b' })).toEqual(['a']);
  });
});

describe('a created member is matched', () => {
  it('by any item of a field that is an array', async () => {
    const todos = new Collection([Todo]);
    const { seed, edit, ids } = openLists(todos);
    seed({ tag: 'a' });
    seed({ tag: 'c' });
    await edit(todos.push, { id: '1', tag: ['a', 'b'] });
    expect(ids({ tag: 'a' })).toEqual(['1']);
    expect(ids({ tag: 'c' })).toEqual([]);
  });

  it('by the arguments where the record says nothing or null', async () => {
    const todos = new Collection([Todo]);
    const { seed, edit, ids } = openLists(todos);
    seed({ userId: '1' });
    await edit(todos.push, { userId: 1 }, { id: 'a', userId: null });
    await edit(todos.push, { userId: 1 }, { id: 'b' });
    await edit(todos.push, undefined, 'text', null, 5, { id: 'c' });
    expect(ids({ userId: '1' })).toEqual(['a', 'b']);
  });

  it.each([null, 2])('by the field in the response, not in the body: %j', async (userId) => {
    const controller = new Controller();
    const getList = new RestEndpoint({
      path: '/todos',
      schema: new Collection([Todo]),
      searchParams: {} as { userId?: string },
    });
    controller.set(getList.schema, { userId: '1' }, []);
    const push = getList.push.extend({ fetch: async () => ({ id: 'a', userId }) });
    await controller.fetch(push, { userId: '1' });
    expect(controller.get(getList.schema, { userId: '1' })).toEqual([]);
  });

  it('by the field of a form of that name, and by none where the form lacks it', async () => {
    const todos = new Collection([Todo]);
    const { seed, edit, ids } = openLists(todos);
    seed({ userId: '1' });
    for (const fields of [
      { title: '1', userId: '2' },
      { title: '1' },
      { title: '', userId: '1' },
    ]) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      await edit(todos.push, form, { id: JSON.stringify(fields) });
    }
    expect(ids({ userId: '1' })).toEqual(['{"title":"","userId":"1"}']);
  });

  it('by no form where the host has none, or none that can be read', async () => {
    const todos = new Collection([Todo]);
    class Unreadable {}
    for (const host of [undefined, Unreadable]) {
      const { seed, edit, ids } = openLists(todos);
      seed({ userId: '1' });
      vi.stubGlobal('FormData', host);
      await edit(todos.push, new Unreadable(), { id: 'a', userId: '1' });
      await edit(todos.push, new Unreadable(), { id: 'b' });
      vi.unstubAllGlobals();
      expect(ids({ userId: '1' })).toEqual(['a']);
    }
  });

  it('as createCollectionFilter says of arguments that decide', () => {
    const todos = new Collection([Todo], { nonFilterArgumentKeys: ['sort'] });
    const matches = todos.createCollectionFilter({ userId: 1 });
    expect(matches({ userId: '1', sort: 'a' }, {})).toBe(true);
    expect(matches({ userId: '2', sort: 'a' }, {})).toBe(false);
    expect(matches({ team: '1' }, {})).toBe(false);
  });
});

describe('a removed member', () => {
  it('leaves the lists that the call names, and is updated', async () => {
    const todos = new Collection([Todo]);
    const { controller, seed, edit, ids } = openLists(todos);
    seed({ userId: '1' }, 'a', 'b');
    seed({ userId: '2' }, 'a');
    await edit(todos.remove, { userId: '1' }, { id: 'a', title: 'gone' });
    expect([ids({ userId: '1' }), ids({ userId: '2' })]).toEqual([['b'], ['a']]);
    expect(controller.get(Todo, { id: 'a' })?.title).toBe('gone');
  });
});

describe('a moved member', () => {
  it('stays in lists of which neither it nor the call says anything, and leaves those that it contradicts', async () => {
    const todos = new Collection([Todo]);
    const { seed, edit, ids } = openLists(todos);
    seed({ team: 'x' }, 'a');
    seed({ userId: '1', team: 'x' }, 'a');
    await edit(todos.move, { id: 'a' }, { id: 'a', userId: '2' });
    expect(ids({ team: 'x' })).toEqual(['a']);
    expect(ids({ userId: '1', team: 'x' })).toEqual([]);
  });
});

describe('a further page', () => {
  it.each([[undefined], [null], ['x'], [{ userId: '1' }]])(
    'is of the list of the same arguments where none says which page: %j',
    async (argument) => {
      const todos = new Collection([Todo]);
      const controller = new Controller();
      const of = (name: string, schema: unknown, id: string) =>
        new Endpoint(async (_: unknown): Promise<unknown> => [{ id }], { name, schema });
      const getList = of('getList', todos, 'a');
      await controller.fetch(getList, argument);
      await controller.fetch(of('getPage', todos.getPage, 'b'), argument);
      await controller.fetch(of('getCursor', todos.paginated('cursor'), 'c'), argument);
      expect(controller.getResponse(getList, argument)).toMatchObject([
        { id: 'a' },
        { id: 'b' },
        { id: 'c' },
      ]);
    },
  );
});

it.each([[undefined], [null], ['text'], [Todo]])(
  'a schema without a list has no edits: %o',
  (schema) => {
    const { push, remove, getPage } = new RestEndpoint({
      path: '/todos',
      schema,
    } as never) as Record<string, any>;
    expect([push, remove, getPage]).toEqual([undefined, undefined, undefined]);
  },
);

describe('createCollectionFilter', () => {
  it('decides by the arguments of the create and the record of the response', async () => {
    const todos = new Collection([Todo], {
      createCollectionFilter:
        ({ userId }: { userId: string }) =>
        (list, record) =>
          list['userId'] === userId && (list['open'] !== 'true' || record['done'] === false),
    });
    const { seed, edit, ids } = openLists(todos);
    seed({ userId: '1', open: true });
    seed({ userId: '1' });
    seed({ userId: '2' });
    await edit(todos.push, { userId: '1' }, { id: 'a', done: true });
    await edit(todos.push, { userId: '1' }, { id: 'b', done: false });
    expect(ids({ userId: '1', open: true })).toEqual(['b']);
    expect(ids({ userId: '1' })).toEqual(['a', 'b']);
    expect(ids({ userId: '2' })).toEqual([]);
  });

  it('that throws says no for that list, and the create goes on', async () => {
    const todos = new Collection([Todo], {
      createCollectionFilter: () => (list) => {
        if (list['userId'] === '2') throw new Error('no');
        return true;
      },
    });
    const report = vi.fn();
    const controller = new Controller({ environment: { report } });
    controller.set(todos, { userId: 1 }, []);
    controller.set(todos, { userId: 2 }, []);
    controller.set(todos.push, {}, { id: 'a' });
    expect(controller.get(todos, { userId: 1 })).toHaveLength(1);
    expect(controller.get(todos, { userId: 2 })).toHaveLength(0);
    expect(report).toHaveBeenCalledOnce();
  });
});

describe('a subclass of Collection', () => {
  class Sorted<S extends readonly unknown[]> extends Collection<S> {
    override nonFilterArgumentKeys(key: string): boolean {
      return key === 'sort';
    }
    override argsKey(args: { userId?: string; trace?: string }): object {
      const { trace: _, ...rest } = args;
      return rest;
    }
  }

  it('overrides list identity and filters', async () => {
    const todos = new Sorted([Todo]);
    const { seed, edit, ids } = openLists(todos);
    seed({ userId: '1', sort: 'a', trace: 'x' });
    await edit(todos.push, { id: 'a', userId: 1 });
    expect(ids({ userId: '1', sort: 'a' })).toEqual(['a']);
  });

  it('overrides the filter, and may ask the one of its parent', async () => {
    class Open<S extends readonly unknown[]> extends Collection<S> {
      override createCollectionFilter(...args: unknown[]) {
        const usual = super.createCollectionFilter(...args);
        return (list: Record<string, string>, record: Record<string, unknown>) =>
          record['done'] !== true && usual(list, record);
      }
    }
    const todos = new Open([Todo]);
    const { seed, edit, ids } = openLists(todos);
    seed({ userId: '1' });
    await edit(todos.push, { id: 'a', userId: '1', done: true });
    await edit(todos.push, { id: 'b', userId: '1', done: false });
    await edit(todos.push, { id: 'c', userId: '2', done: false });
    expect(ids({ userId: '1' })).toEqual(['b']);
  });

  it('is what resource() uses for its list', async () => {
    const Todos = resource({
      urlPrefix: server.origin,
      path: '/todos/:id',
      schema: Todo,
      searchParams: {} as { userId?: string; sort?: string },
      Collection: Sorted,
    });
    const controller = new Controller();
    server.respond(({ method }) => (method === 'POST' ? { id: 'b', userId: '1' } : [{ id: 'a' }]));
    await controller.fetch(Todos.getList, { userId: '1', sort: 'x' });
    await controller.fetch(Todos.getList.push, { userId: '1', title: 'b' });
    const current = controller.getResponse(Todos.getList, { userId: '1', sort: 'x' });
    expect(current?.map(({ id }) => id)).toEqual(['a', 'b']);
  });
});

describe('addWith', () => {
  const todos = new Collection([Todo]);

  it('puts a member where the function wants it', async () => {
    const { seed, edit, ids } = openLists(todos);
    seed({}, 'a', 'c');
    const sorted = todos.addWith((existing, incoming) => [...existing, ...incoming].sort());
    await edit(sorted, { id: 'b' });
    expect(ids({})).toEqual(['a', 'b', 'c']);
  });

  it('with a filter of its own decides which lists it enters', async () => {
    const { seed, edit, ids } = openLists(todos);
    seed({ userId: '1' });
    seed({ userId: '2' });
    const everywhere = todos.addWith(
      (existing, incoming) => [...incoming, ...existing],
      () => () => true,
    );
    await edit(everywhere, { id: 'a', userId: '1' });
    await edit(everywhere, { id: 'b', userId: '1' });
    expect(ids({ userId: '1' })).toEqual(['b', 'a']);
    expect(ids({ userId: '2' })).toEqual(['b', 'a']);
  });

  it('is not asked about a member that is there, and can neither double nor invent one', async () => {
    const { seed, edit, ids } = openLists(todos);
    seed({}, 'a');
    const merge = vi.fn((existing: readonly string[], incoming: readonly string[]) => [
      ...incoming,
      ...existing,
      ...existing,
      'nobody',
    ]);
    await edit(todos.addWith(merge), { id: 'a' });
    expect(merge).not.toHaveBeenCalled();
    await edit(todos.addWith(merge), { id: 'b' });
    expect(ids({})).toEqual(['b', 'a']);
  });

  it('leaves the list as it is when its function throws, or gives no array', async () => {
    const report = vi.fn();
    const controller = new Controller({ environment: { report } });
    controller.set(todos, {}, [{ id: 'a' }]);
    const wrong = todos.addWith(() => undefined as never);
    controller.set(wrong, {}, { id: 'b', title: 'kept' });
    expect(controller.get(todos, {})).toHaveLength(1);
    expect(controller.get(Todo, { id: 'b' })?.title).toBe('kept');
    expect(report.mock.calls[0]?.[0]).toMatchObject({
      code: 'callback-failed',
      cause: expect.any(TypeError),
    });
  });

  it('keeps members of a union that match no class', async () => {
    const feed = new Collection([new Union({ todo: Todo }, 'type' as never)]);
    const controller = new Controller({ environment: { report: () => undefined } });
    const unknown = (title: string) => ({ type: 'unknown', id: title, title });
    controller.set(feed, {}, [
      unknown('x'),
      { type: 'todo', id: 'b', title: 'b' },
      unknown('y'),
      { type: 'todo', id: 'a', title: 'a' },
      unknown('z'),
    ] as never);
    const titles = () => controller.get(feed, {})?.map((item) => Object(item).title);
    const seen: string[][] = [];
    const sorted = feed.addWith((existing, incoming) => {
      seen.push([...existing]);
      return [...existing, ...incoming].sort();
    });
    controller.set(sorted, {}, { type: 'todo', id: 'c', title: 'c' } as never);
    expect(titles()).toEqual(['x', 'a', 'z', 'b', 'y', 'c']);
    expect(seen[0]).toHaveLength(2);
  });

  it('is the schema of a push by an endpoint, visible at once', async () => {
    const Todos = resource({
      urlPrefix: server.origin,
      path: '/todos/:id',
      schema: Todo,
      optimistic: true,
    }).extend((base) => ({
      pushSecond: base.getList.push.extend({
        schema: base.getList.schema.addWith(([first = [], ...rest], added) =>
          [first, added, rest].flat(),
        ),
      }),
    }));
    const controller = new Controller();
    controller.setResponse(Todos.getList, [{ id: 'a' }, { id: 'c' }]);
    server.respond(() => ({ id: 'b', title: 'new' }));
    const shownNow = () =>
      controller.getResponse(Todos.getList)?.map(({ title, id }) => title || id);
    const created = controller.fetch(Todos.pushSecond, { title: 'new' });
    expect(shownNow()).toEqual(['a', 'new', 'c']);
    await created;
    expect(shownNow()).toEqual(['a', 'new', 'c']);
  });
});

describe('moveWith', () => {
  it('takes a member out of its old list and puts it where the function wants it in the new one', async () => {
    const todos = new Collection([Todo]);
    const { seed, edit, ids } = openLists(todos);
    seed({ userId: '1' }, 'a', 'b');
    seed({ userId: '2' }, 'c');
    const toStart = todos.moveWith((existing, incoming) => [...incoming, ...existing]);
    await edit(toStart, { id: 'a' }, { id: 'a', userId: 2 });
    expect(ids({ userId: '1' })).toEqual(['b']);
    expect(ids({ userId: '2' })).toEqual(['a', 'c']);
  });
});

describe('several members at once', () => {
  const todos = new Collection([Todo]);
  it('keep their order at either end, and each goes where it belongs', async () => {
    const { seed, edit, ids } = openLists(todos);
    seed({}, 'x');
    seed({ userId: '1' }, 'x');
    const both = [
      { id: 'a', userId: '1' },
      { id: 'b', userId: '2' },
    ];
    await edit(todos.push, both);
    await edit(
      todos.unshift,
      both.map(({ id, userId }) => ({ id: `${id}2`, userId })),
    );
    expect(ids({})).toEqual(['a2', 'b2', 'x', 'a', 'b']);
    expect(ids({ userId: '1' })).toEqual(['a2', 'x', 'a']);
  });
});

describe('a form', () => {
  it('is matched by its fields, and shows them until the response arrives', async () => {
    const Todos = resource({
      urlPrefix: server.origin,
      path: '/todos/:id',
      schema: Todo,
      searchParams: {} as { userId?: string },
      optimistic: true,
    });
    const controller = new Controller();
    controller.setResponse(Todos.getList, { userId: '1' }, []);
    controller.setResponse(Todos.getList, { userId: '2' }, []);
    server.respond(() => ({ id: 'a' }));
    const form = new FormData();
    form.set('userId', '1');
    form.set('title', 'from a form');
    const titles = () =>
      controller.getResponse(Todos.getList, { userId: '1' })?.map(({ title }) => title);
    const created = controller.fetch(Todos.getList.push, form);
    expect(titles()).toEqual(['from a form']);
    await created;
    expect(controller.getResponse(Todos.getList, { userId: '1' })?.[0]?.id).toBe('a');
    expect(controller.getResponse(Todos.getList, { userId: '2' })).toEqual([]);
    expect(server.seen.at(-1)?.headers['content-type']).toContain('multipart/form-data');
  });
});

describe('a list inside a wrapping object', () => {
  it('is the list that creates, pages and deletions change', async () => {
    const getTodos = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/todos',
      schema: { results: new Collection([Todo]), count: 0 },
    });
    const controller = new Controller();
    server.respond(({ method }) =>
      method === 'POST' ? { id: 'b' } : { results: [{ id: 'a' }], count: 1 },
    );
    await controller.fetch(getTodos);
    await controller.fetch(getTodos.push, { title: 'x' });
    server.respond(() => ({ id: 'c' }));
    await controller.fetch(getTodos.unshift, { title: 'y' });
    const current = controller.getResponse(getTodos);
    expect(current?.results.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
    expect(current?.count).toBe(1);
  });
});

describe('a list nested in a record', () => {
  const todosOfUser = new Collection([Todo], {
    nestKey: (user: { id: string }) => ({ userId: user.id }),
  });
  class User extends Entity {
    id = '';
    todos: Todo[] = [];
    static override key = 'User';
    static override schema = { todos: todosOfUser };
  }
  const Todos = resource({
    path: '/todos/:id',
    schema: Todo,
    searchParams: {} as { userId?: string | number },
  }).extend('getList', { schema: todosOfUser });
  const Users = resource({ path: '/users/:id', schema: User });

  it('is the same as the top-level list of the same arguments, where one Collection is both', () => {
    const controller = new Controller();
    controller.setResponse(Users.get, { id: '1' }, { id: '1', todos: [{ id: 'a', userId: 1 }] });
    controller.setResponse(Todos.getList, { userId: 1 }, [{ id: 'a' }, { id: 'b' }]);
    const user = controller.getResponse(Users.get, { id: '1' });
    expect(user?.todos).toHaveLength(2);
    expect(user?.todos).toBe(controller.getResponse(Todos.getList, { userId: '1' }));
    controller.set(Todos.getList.schema.push, {}, { id: 'c', userId: 1 });
    expect(controller.getResponse(Users.get, { id: '1' })?.todos).toHaveLength(3);
    expect(controller.getResponse(Users.get, { id: '1' })?.todos).toBe(
      controller.getResponse(Todos.getList, { userId: 1 }),
    );
  });

  it('without `nestKey` is distinguished from those of other fields by its field, whatever holds it there', () => {
    const list = new Collection([Todo]);
    class Board extends Entity {
      id = '';
      mine: Record<string, Todo[]> = {};
      ours: Record<string, Todo[]> = {};
      all: { readonly list?: Todo[] } = {};
      some: { readonly list?: Todo[] }[] = [];
      static override key = 'Board';
      static override schema = {
        mine: new Values(list),
        ours: new Values(list),
        all: { list },
        some: [{ list }],
      };
    }
    const controller = new Controller();
    const set = (board: object): void => controller.set(Board, { id: '1' }, board);
    const shownNow = () => {
      const { mine, ours, all, some } = controller.get(Board, { id: '1' }) ?? new Board();
      const ids = (todos: readonly Todo[] | undefined) => todos?.map(({ id }) => id).join();
      const every = some.map((one) => ids(one.list));
      return [ids(mine['open']), ids(ours['open']), ids(all.list), every];
    };
    set({
      mine: { open: [{ id: 'a' }] },
      ours: { open: [{ id: 'b' }], done: [] },
      all: { list: [{ id: 'c' }] },
      some: [{ list: [{ id: 'd' }] }, { list: [{ id: 'e' }] }],
    });
    expect(shownNow()).toEqual(['a', 'b', 'c', ['d', 'e']]);
    set({ ours: { open: [{ id: 'x' }] } });
    set({ some: [{ list: [{ id: 'y' }] }] });
    expect(shownNow()).toEqual(['a', 'x', 'c', ['y']]);
  });

  it('without `nestKey` is its own, and creates do not change it', () => {
    class Team extends Entity {
      id = '';
      todos: Todo[] = [];
      static override key = 'Team';
      static override schema = { todos: new Collection([Todo]) };
    }
    const controller = new Controller();
    const Teams = resource({ path: '/teams/:id', schema: Team });
    controller.setResponse(Teams.get, { id: '1' }, { id: '1', todos: [{ id: 'a' }] });
    controller.set(Todos.getList.schema.push, {}, { id: 'c' });
    expect(controller.getResponse(Teams.get, { id: '1' })?.todos).toHaveLength(1);
  });
});

describe('two lists of the same members and arguments', () => {
  class User extends Entity {
    id = '';
    static override key = 'Person';
  }
  const users = new Collection([User]);
  const follow = (path: string, name?: string) =>
    new RestEndpoint({
      urlPrefix: server.origin,
      path,
      schema: name === undefined ? users : new Collection([User], { name }),
    });

  it('are one where their arguments say the same, in whatever order and as numbers or text', () => {
    const controller = new Controller();
    const todos = new Collection([Todo]);
    const at = new Date(0);
    controller.set(todos, { ids: [1, 2], where: { from: 1, to: [2], at } }, [{ id: 'a' }]);
    const same = { where: { at: at.toISOString(), to: ['2'], from: '1' }, ids: ['1', '2'] };
    expect(controller.get(todos, same)?.map(({ id }) => id)).toEqual(['a']);
    expect(controller.get(todos, { ...same, ids: ['2', '1'] })).toBeUndefined();
    expect(controller.get(todos, { ...same, where: {} })).toBeUndefined();
  });

  it('are distinguished by `name`, for reads and for creates', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const controller = new Controller();
    const followers = follow('/users/:id/followers', 'followers');
    const following = follow('/users/:id/following', 'following');
    server.respond(({ url, method }) =>
      method === 'POST' ? { id: '9' } : [{ id: url.endsWith('followers') ? '2' : '3' }],
    );
    await controller.fetch(followers, { id: '1' });
    await controller.fetch(following, { id: '1' });
    await controller.fetch(followers.push, { id: '1' }, {});
    const ids = (endpoint: typeof followers) =>
      controller.getResponse(endpoint, { id: '1' })?.map(({ id }) => id);
    expect(ids(following)).toEqual(['3']);
    expect(ids(followers)).toEqual(['2']);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it('that come from two paths are two, though one Collection is the schema of both', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const controller = new Controller();
    const all = follow('/people');
    const recent = follow('/people/recent');
    server.respond(({ url, method }) =>
      method === 'POST' ? { id: '9' } : [{ id: url.endsWith('recent') ? '2' : '1' }],
    );
    await controller.fetch(all);
    await controller.fetch(recent);
    await controller.fetch(recent.push, {});
    const ids = (endpoint: typeof all) => controller.getResponse(endpoint)?.map(({ id }) => id);
    expect(ids(all)).toEqual(['1']);
    expect(ids(recent)).toEqual(['2', '9']);
    expect(controller.get(recent.schema)?.map(({ id }) => id)).toEqual(['2', '9']);
    expect(() => controller.get(users)).toThrow(
      expect.objectContaining({
        code: 'ambiguous-list',
        message: expect.stringMatching(/\/people, .*\/people\/recent.*`schema`/),
      }),
    );
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it('that come from two paths are one where both have a name', async () => {
    const controller = new Controller();
    const [staff, recent] = [follow('/staff', 'staff'), follow('/staff/recent', 'staff')];
    server.respond(() => [{ id: '2' }]);
    await controller.fetch(staff);
    await controller.fetch(recent);
    server.respond(() => ({ id: '9' }));
    await controller.fetch(staff.push, {});
    for (const endpoint of [staff, recent])
      expect(controller.getResponse(endpoint)?.map(({ id }) => id)).toEqual(['2', '9']);
  });
});

describe('a list with several values of an argument, of which a record has only some', () => {
  class Task extends Entity {
    id = '';
    tags: readonly string[] = [];
    static override key = 'Task';
  }
  const Tasks = resource({
    urlPrefix: server.origin,
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { tags?: readonly string[] },
    body: {} as { tags: readonly string[] },
  });
  const args = { tags: ['ui', 'api'] };

  it.each([
    ['both', (tags: readonly string[]) => args.tags.every((tag) => tags.includes(tag))],
    ['one', (tags: readonly string[]) => args.tags.some((tag) => tags.includes(tag))],
  ])('is fetched again where the server wants %s', async (_, matches) => {
    const rows = [
      { id: '1', tags: ['api', 'ui'] },
      { id: '2', tags: ['ui'] },
    ];
    let reads = 0;
    server.respond(({ method, url, body }) => {
      if (method === 'GET') {
        reads += 1;
        return rows.filter(({ tags }) => matches(tags));
      }
      const sent = JSON.parse(body) as { tags: string[] };
      const [, id] = /^\/tasks\/(.+)$/.exec(url) ?? [];
      const row = rows.find((one) => one.id === id) ?? { id: '9', ...sent };
      if (id === undefined) rows.push(row);
      return Object.assign(row, sent);
    });
    const controller = new Controller();
    const view = controller.observe(Tasks.getList, args);
    view.subscribe(() => {
      if (view.needsLoad(true)) void view.load();
    });
    await view.load();
    const ids = () => controller.getResponse(Tasks.getList, args)?.map(({ id }) => id);
    const expected = () => rows.filter(({ tags }) => matches(tags)).map(({ id }) => id);
    const settled = () => expect.poll(() => view.fetchStatus).toBe('idle');
    await controller.fetch(Tasks.getList.move, { id: '1' }, { tags: ['ui', 'x'] });
    await settled();
    expect(ids()).toEqual(expected());
    await controller.fetch(Tasks.getList.push, { tags: ['api'] });
    await settled();
    expect(ids()).toEqual(expected());
    expect(reads).toBe(3);
    await controller.fetch(Tasks.getList.push, { tags: ['x'] });
    expect([view.fetchStatus, ids()]).toEqual(['idle', expected()]);
  });
});

describe('a plain array of records', () => {
  it('loses deleted members, and gains no created ones: that is what a Collection is for', () => {
    const getTodos = new RestEndpoint({ path: '/todos', schema: [Todo] });
    const Todos = resource({ path: '/todos/:id', schema: Todo });
    const controller = new Controller();
    controller.setResponse(getTodos, [{ id: 'a' }, { id: 'b' }]);
    controller.set(Todos.getList.schema.push, {}, { id: 'c' });
    controller.set(Todos.delete.schema, { id: 'a' }, { id: 'a' });
    expect(controller.getResponse(getTodos)?.map(({ id }) => id)).toEqual(['b']);
  });
});

describe('local edits', () => {
  const todos = new Collection([Todo]);
  it.each([
    ['push', todos.push, { id: 'c' }, ['a', 'b', 'c']],
    ['unshift', todos.unshift, { id: 'c' }, ['c', 'a', 'b']],
    ['remove', todos.remove, { id: 'a' }, ['b']],
    ['getPage', todos.getPage, [{ id: 'b' }, { id: 'c' }], ['a', 'b', 'c']],
    ['move', todos.move, { id: 'a', userId: '2' }, ['b']],
  ] as const)(
    'by the schema of a %s change lists without a request',
    (_, schema, value, expected) => {
      const { controller, seed, ids } = openLists(todos);
      seed({ userId: '1' }, 'a', 'b');
      controller.set(schema, { userId: '1' }, value);
      expect(ids({ userId: '1' })).toEqual(expected);
    },
  );
});
