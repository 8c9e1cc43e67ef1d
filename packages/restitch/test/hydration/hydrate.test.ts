import { Collection, Controller, Endpoint, Entity, Invalidate, type StoreState } from 'restitch';
import { getState, hydrate, openStream } from 'restitch/state';
import { beforeEach, describe, expect, it } from 'vitest';
import { flush, ignore, idsOf, manual, mutation } from '../support/world.js';

class User extends Entity {
  id = '';
  name = '';
  email = '';
  static override key = 'User';
}

class Todo extends Entity {
  id = '';
  title = '';
  done = false;
  owner = User.fromJS({});
  static override key = 'Todo';
  static override schema = { owner: User };
}

const todos = new Collection([Todo]);
const now = 1_000_000;
const open = (reports: unknown[] = []) =>
  new Controller({ environment: { now: () => now, report: (error) => reports.push(error) } });

const list = manual('getTodos', todos);
const detail = manual('getTodo', Todo);
const getUser = manual('getUser', User);
const todo = (id: string, title: string) => ({
  id,
  title,
  done: false,
  owner: { id: 'a', name: 'Ann' },
});

/** What a server that fetched the list of todos exports, as it arrives elsewhere. */
async function exported(...titles: string[]): Promise<StoreState> {
  const server = open();
  server.setResponse(
    list.endpoint,
    {},
    titles.map((title, index) => todo(String(index + 1), title)),
  );
  return transferred(server);
}

const transferred = (controller: Controller): StoreState =>
  JSON.parse(JSON.stringify(getState(controller)));

const titles = (controller: Controller): string[] | undefined =>
  controller.getResponse(list.endpoint, {})?.map(({ title }: Todo) => title);

beforeEach(() => {
  for (const { calls } of [list, detail, getUser]) calls.length = 0;
});

describe('an empty store', () => {
  it('shows the exported state of another store, without a request', async () => {
    const controller = open();
    hydrate(controller, await exported('One', 'Two'));
    const view = controller.observe(list.endpoint, {});
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: false });
    expect(view.needsLoad()).toBe(false);
    expect(titles(controller)).toEqual(['One', 'Two']);
    const [first] = controller.getResponse(list.endpoint, {}) ?? [];
    expect(first).toBeInstanceOf(Todo);
    expect(first?.owner).toBeInstanceOf(User);
    expect(controller.get(User, 'a')).toBe(first?.owner);
    // A detail endpoint without a request finds its row, as fresh as the list.
    expect(controller.observe(detail.endpoint, { id: '2' }).needsLoad()).toBe(false);
  });

  it('exports the same again, however much was fetched meanwhile', async () => {
    const state = await exported('One');
    const controller = open();
    hydrate(controller, state);
    expect(transferred(controller)).toEqual(state);
    controller.getResponse(list.endpoint, {});
    expect(transferred(controller)).toEqual(state);
  });

  it('finds rows and lists by their schemas alone', async () => {
    const controller = open();
    hydrate(controller, await exported('One', 'Two'));
    expect(idsOf(controller.get(todos, {}))).toEqual(['1', '2']);
    expect(controller.get(Todo, '2')?.title).toBe('Two');
    expect(controller.observeQuery(User, { id: 'a' }).getSnapshot()).toMatchObject({
      data: { name: 'Ann' },
    });
  });

  it('notifies those who observe already', async () => {
    const controller = open();
    const view = controller.observe(list.endpoint, {});
    let notified = 0;
    view.subscribe(() => (notified += 1));
    hydrate(controller, await exported('One'));
    expect(notified).toBe(1);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: [{ title: 'One' }] });
  });

  it('lets a created row enter a list that no reader has read yet, and a deleted one leave it', async () => {
    const controller = open();
    hydrate(controller, await exported('One', 'Two'));
    const create = mutation('create', todos.push);
    const remove = mutation('delete', new Invalidate(Todo));
    ignore(controller.fetch(create.endpoint, {}));
    await create.respond({ id: '3', title: 'Three' });
    ignore(controller.fetch(remove.endpoint, { id: '1' }));
    await remove.respond(null);
    expect(titles(controller)).toEqual(['Two', 'Three']);
  });

  it.each([
    ['by itself', false, true],
    ['with a page that has arrived since', true, true],
    ['with a page, after the deletion', true, false],
  ])(
    'does not show a deleted row again at its old place in a list that came %s',
    async (_, isPage, isBefore) => {
      const controller = open();
      const page = isPage ? openStream(controller) : undefined;
      const state = await exported('One', 'Two');
      if (page && isBefore) page.hydrate(state);
      else if (isBefore) hydrate(controller, state);
      const remove = mutation('delete', new Invalidate(Todo));
      ignore(controller.fetch(remove.endpoint, { id: '1' }));
      await remove.respond(null);
      page?.hydrate(await exported('One', 'Two'));
      page?.close();
      controller.set(Todo, { id: '1' }, { title: 'again' });
      expect(titles(controller)).toEqual(['Two']);
    },
  );

  it('from a list without a reader lets no older response bring back a deleted row', async () => {
    const controller = open();
    hydrate(controller, await exported());
    const remove = mutation('delete', new Invalidate(Todo));
    ignore(controller.fetch(remove.endpoint, { id: '1' }));
    ignore(controller.fetch(list.endpoint, {}));
    await remove.respond(null);
    await list.respond([todo('1', 'One'), todo('2', 'Two')]);
    controller.set(Todo, { id: '1' }, { title: 'again' });
    expect(titles(controller)).toEqual(['Two']);
  });

  it('from a list without a reader hides a row that is being deleted, until that fails', async () => {
    const controller = open();
    hydrate(controller, await exported('One', 'Two'));
    const remove = mutation('delete', new Invalidate(Todo), () => ({ id: '1' }));
    const restore = mutation('restore', Todo);
    ignore(controller.fetch(remove.endpoint, { id: '1' }));
    ignore(controller.fetch(restore.endpoint, {}));
    await restore.respond(todo('1', 'again'));
    expect(controller.get(Todo, '1')).toBeUndefined();
    expect(titles(controller)).toEqual(['Two']);
    await remove.fail(new Error('no'));
    expect(titles(controller)).toEqual(['again', 'Two']);
  });

  it('keeps to a schema: an endpoint that reads its response otherwise does not use it', async () => {
    const reports: unknown[] = [];
    const controller = open(reports);
    hydrate(controller, await exported('One'));
    const plain = new Endpoint(async (_: object): Promise<unknown> => [], {
      name: 'plain',
      key: (args) => list.endpoint.key(args),
    });
    expect(controller.getResponse(plain, {})).toBeUndefined();
    expect(reports).toEqual([expect.objectContaining({ code: 'other-schema' })]);
  });

  it('takes names such as __proto__ as they are', () => {
    const server = open();
    server.set(Todo, { id: '__proto__' }, JSON.parse('{"title": "Odd", "__proto__": {"x": 1}}'));
    const controller = open();
    hydrate(controller, transferred(server));
    expect(controller.get(Todo, '__proto__')?.title).toBe('Odd');
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it('does not take what is no state, and reports state of another version', () => {
    const reports: unknown[] = [];
    const controller = open(reports);
    expect(() => hydrate(controller, 'text' as unknown as StoreState)).toThrow(/`state`/);
    hydrate(controller, { ...getState(controller), version: 1 as 2 });
    expect(reports).toEqual([expect.objectContaining({ code: 'other-state-version' })]);
  });
});

describe('known data stays', () => {
  it('values and lists, while missing fields and rows are filled in', async () => {
    const controller = open();
    controller.set(Todo, { id: '1' }, { title: 'Mine' });
    controller.setResponse(list.endpoint, {}, [{ id: '1', title: 'Mine' }]);
    hydrate(controller, await exported('One', 'Two'));
    expect(titles(controller)).toEqual(['Mine']);
    expect(controller.get(Todo, '1')?.owner.name).toBe('Ann');
    expect(controller.get(Todo, '2')?.title).toBe('Two');
  });

  it('a deleted row does not come back', async () => {
    const controller = open();
    const remove = mutation('delete', new Invalidate(Todo));
    ignore(controller.fetch(remove.endpoint, { id: '1' }));
    await remove.respond(null);
    hydrate(controller, await exported('One', 'Two'));
    expect(controller.get(Todo, '1')).toBeUndefined();
    expect(titles(controller)).toEqual(['Two']);
  });

  it('a result without a reader yet, also where it was invalidated', async () => {
    const controller = open();
    hydrate(controller, await exported('One'));
    await controller.invalidateAll(list.endpoint);
    hydrate(controller, await exported('One'));
    expect(titles(controller)).toBeUndefined();
  });

  it('an invalidated result stays invalidated, read before or not', async () => {
    const controller = open();
    const state = await exported('One');
    void controller.invalidate(list.endpoint, {});
    hydrate(controller, state);
    expect(titles(controller)).toBeUndefined();
    const other = open();
    hydrate(other, state);
    void other.invalidateAll(list.endpoint);
    expect(titles(other)).toBeUndefined();
    const third = open();
    hydrate(third, state);
    third.expireAll(list.endpoint);
    expect(titles(third)).toEqual(['One']);
    expect(third.observe(list.endpoint, {}).needsLoad()).toBe(true);
  });

  it('a response that is under way goes over it', async () => {
    const controller = open();
    ignore(controller.fetch(list.endpoint, {}));
    hydrate(controller, await exported('One'));
    expect(titles(controller)).toEqual(['One']);
    await list.respond([todo('1', 'Newer')]);
    expect(titles(controller)).toEqual(['Newer']);
  });

  it('a pending optimistic update shows over it', async () => {
    const controller = open();
    const rename = mutation('rename', Todo, () => ({ id: '1', title: 'optimistic' }));
    ignore(controller.fetch(rename.endpoint, {}));
    await flush();
    hydrate(controller, await exported('One'));
    expect(titles(controller)).toEqual(['optimistic']);
    await rename.fail(new Error('no'));
    expect(titles(controller)).toEqual(['One']);
  });
});

describe('a hydrated result that no reader has read yet', () => {
  it('is stale once a row in it has out-of-order mutations', async () => {
    const controller = open();
    hydrate(controller, await exported('One', 'Two'));
    const update = mutation('update', Todo);
    ignore(controller.fetch(update.endpoint, { id: '1' }));
    ignore(controller.fetch(update.endpoint, { id: '1' }));
    await update.respond({ id: '1', title: 'later' });
    await update.respond({ id: '1', title: 'earlier' }, 0);
    expect(titles(controller)).toEqual(['later', 'Two']);
    const view = controller.observe(list.endpoint, {});
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: true });
  });

  it.each([
    ['by itself', false, true],
    ['with a page', true, true],
    ['with a page, after the response', true, false],
  ])(
    'is stale once a 204 says that a row entered its list, which came %s',
    async (_, isPage, isBefore) => {
      const controller = open();
      const page = isPage ? openStream(controller) : undefined;
      const state = await exported('One');
      const bring = () => (page ? page.hydrate(state) : hydrate(controller, state));
      if (isBefore) bring();
      const create = mutation('create', todos.push);
      ignore(controller.fetch(create.endpoint, {}));
      await create.respond(null);
      if (!isBefore) bring();
      page?.close();
      const view = controller.observe(list.endpoint, {});
      expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: true });
    },
  );
});

describe('a class that orders its records itself', () => {
  class Versioned extends Entity {
    id = '';
    version = 0;
    static override key = 'Versioned';
    static override shouldReorder(
      _existingMeta: object,
      _incomingMeta: object,
      existing: Readonly<Record<string, unknown>>,
      incoming: Readonly<Record<string, unknown>>,
    ): boolean {
      return Number(incoming['version']) < Number(existing['version']);
    }
  }

  it.each([true, false])(
    'is asked about what was exported elsewhere (known before: %s)',
    (isKnown) => {
      const server = open();
      server.set(Versioned, { id: '1' }, { version: 5 });
      const controller = open();
      if (isKnown) controller.get(Versioned, '1');
      hydrate(controller, transferred(server));
      controller.set(Versioned, { id: '1' }, { version: 4 });
      expect(controller.get(Versioned, '1')?.version).toBe(5);
      controller.set(Versioned, { id: '1' }, { version: 6 });
      expect(controller.get(Versioned, '1')?.version).toBe(6);
    },
  );
});

describe('a page that is arriving', () => {
  it('has later parts, which replace its earlier ones', async () => {
    const controller = open();
    const stream = openStream(controller);
    stream.hydrate(await exported('One'));
    expect(titles(controller)).toEqual(['One']);
    stream.hydrate(await exported('Uno', 'Dos'));
    expect(titles(controller)).toEqual(['Uno', 'Dos']);
    stream.close();
    expect(titles(controller)).toEqual(['Uno', 'Dos']);
  });

  it('stays below everything that happened here', async () => {
    const controller = open();
    const stream = openStream(controller);
    const remove = mutation('delete', new Invalidate(Todo));
    const create = mutation('create', todos.push);
    stream.hydrate(await exported('One', 'Two'));
    controller.set(Todo, { id: '2' }, { title: 'Mine' });
    ignore(controller.fetch(remove.endpoint, { id: '1' }));
    await remove.respond(null);
    ignore(controller.fetch(create.endpoint, {}));
    await create.respond({ id: '4', title: 'Four' });
    stream.hydrate(await exported('Uno', 'Dos', 'Tres'));
    expect(titles(controller)).toEqual(['Mine', 'Tres', 'Four']);
    stream.close();
    expect(titles(controller)).toEqual(['Mine', 'Tres', 'Four']);
    expect(controller.get(Todo, '1')).toBeUndefined();
  });

  it('a list that arrives after a create was confirmed holds the created row', async () => {
    const controller = open();
    const stream = openStream(controller);
    const create = mutation('create', todos.push);
    ignore(controller.fetch(create.endpoint, {}));
    await create.respond({ id: '9', title: 'Nine' });
    stream.hydrate(await exported('One'));
    stream.close();
    expect(titles(controller)).toEqual(['One', 'Nine']);
  });

  it('an invalidation here concerns its later parts', async () => {
    const controller = open();
    const stream = openStream(controller);
    void controller.invalidateAll(list.endpoint);
    stream.hydrate(await exported('One'));
    expect(titles(controller)).toBeUndefined();
    expect(controller.get(Todo, '1')?.title).toBe('One');
  });

  it('has parts after a reset, which are ignored', async () => {
    const controller = open();
    const stream = openStream(controller);
    stream.hydrate(await exported('One'));
    controller.resetEntireStore();
    stream.hydrate(await exported('One', 'Two'));
    stream.close();
    expect(titles(controller)).toBeUndefined();
    expect(controller.get(Todo, '2')).toBeUndefined();
  });

  it('a stream that is opened afterwards only fills in', async () => {
    const controller = open();
    controller.setResponse(list.endpoint, {}, [todo('1', 'Mine')]);
    const stream = openStream(controller);
    stream.hydrate(await exported('One', 'Two'));
    stream.close();
    expect(titles(controller)).toEqual(['Mine']);
    expect(controller.get(Todo, '2')?.title).toBe('Two');
  });

  it('nothing is left of it in the store once it has arrived', async () => {
    const controller = open();
    const stream = openStream(controller);
    for (let count = 0; count < 100; count += 1) {
      controller.set(Todo, { id: '1' }, { title: `Mine ${count}` });
    }
    stream.close();
    stream.hydrate(await exported('One'));
    // Filled in now, no longer ranked below: a known field stays.
    expect(controller.get(Todo, '1')).toMatchObject({ title: 'Mine 99', owner: { name: 'Ann' } });
  });
});

describe('managers', () => {
  it('see it as an action and may leave it out', async () => {
    const seen: string[] = [];
    const controller = new Controller({
      managers: [
        {
          middleware: () => (next) => (action) => {
            seen.push(action.type);
            if (action.type !== 'hydrate') next(action);
          },
        },
      ],
    });
    hydrate(controller, await exported('One'));
    expect(seen).toEqual(['hydrate']);
    expect(controller.get(Todo, '1')).toBeUndefined();
  });
});
