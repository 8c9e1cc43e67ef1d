import { Collection, Endpoint, Invalidate, Union, Values } from 'restitch';
import { describe, expect, it } from 'vitest';
import {
  dataOf,
  flush,
  idsOf,
  ignore,
  Item,
  listen,
  manual,
  mutation,
  openWorld,
  User,
} from '../support/world.js';

const echo = (_: unknown, body: object): object => body;

/** An empty list of items under `{}`, and a mutation that adds to it. */
function openList(optimistic: (snapshot: unknown, ...args: any[]) => unknown = echo) {
  const world = openWorld();
  const items = new Collection([Item], { name: 'items' });
  world.controller.set(items, [{}], []);
  const create = mutation('create', items.push, optimistic);
  const remove = mutation('remove', new Invalidate(Item), echo);
  const shownNow = () => world.controller.get(items, {}) ?? [];
  return { ...world, items, create, remove, shown: shownNow };
}

describe('an optimistic update', () => {
  it('is computed once where nothing older changes', () => {
    const { controller } = openWorld();
    controller.set(Item, { id: '1' }, { name: 'a' });
    let runs = 0;
    const edit = mutation('edit', Item, (snapshot, params) => {
      runs += 1;
      return { ...snapshot.get(Item, params), name: `optimistic ${runs}` };
    });
    ignore(controller.fetch(edit.endpoint, { id: '1' }));
    expect(controller.get(Item, { id: '1' })?.name).toBe('optimistic 1');
    expect(runs).toBe(1);
  });

  it('is sent before the request of a listener that it notifies', async () => {
    const { controller } = openWorld();
    controller.set(Item, { id: '1' }, { name: 'a' });
    const sent: string[] = [];
    const edit = new Endpoint(
      async (_: { id: string }, { name }: { name: string }) => {
        await Promise.resolve();
        sent.push(name);
        return { id: '1', name };
      },
      {
        schema: Item,
        sideEffect: true,
        name: 'edit',
        getOptimisticResponse: (_, { id }, { name }) => ({ id, name }),
      },
    );
    const view = controller.observeQuery(Item, { id: '1' });
    view.subscribe(() => {
      const name = dataOf(view)?.name ?? '';
      if (name !== name.trim()) ignore(controller.fetch(edit, { id: '1' }, { name: name.trim() }));
    });
    await controller.fetch(edit, { id: '1' }, { name: ' b ' });
    await flush();
    expect(sent).toEqual([' b ', 'b']);
    expect(controller.get(Item, { id: '1' })?.name).toBe('b');
  });

  it('that differs each time gives way to the response', async () => {
    const { controller, reports } = openWorld();
    controller.set(Item, { id: '1' }, { name: 'a' });
    let runs = 0;
    const edit = mutation('edit', Item, (snapshot, params) => {
      runs += 1;
      return { ...snapshot.get(Item, params), name: `optimistic ${runs}` };
    });
    const request = controller.fetch(edit.endpoint, { id: '1' });
    expect(controller.get(Item, { id: '1' })?.name).toBe('optimistic 1');
    await edit.respond({ id: '1', name: 'confirmed' });
    expect((await request).name).toBe('confirmed');
    expect(controller.get(Item, { id: '1' })?.name).toBe('confirmed');
    expect(reports).toEqual([]);
  });

  it('stacks on the pending ones before it, whatever the number', async () => {
    const { controller } = openWorld();
    controller.set(User, { id: '1' }, { name: '' });
    const append = mutation('append', User, (snapshot, params) => ({
      id: params.id,
      name: `${snapshot.get(User, params)?.name ?? ''}x`,
    }));
    const requests = Array.from({ length: 30 }, () =>
      controller.fetch(append.endpoint, { id: '1' }),
    );
    expect(controller.get(User, { id: '1' })?.name).toBe('x'.repeat(30));
    await flush();
    append.calls.forEach(({ resolve }, index) => resolve({ id: '1', name: 'x'.repeat(index + 1) }));
    await Promise.all(requests);
    expect(controller.get(User, { id: '1' })?.name).toBe('x'.repeat(30));
  });
});

describe('a temporary row', () => {
  it('becomes the row of the response at its own place among several', async () => {
    const {
      controller,
      create,
      shown: shownNow,
    } = openList(() => [{ id: 'A', name: 'a' }, { name: 'b' }]);
    const request = controller.fetch(create.endpoint, {});
    const temporary = shownNow()[1]?.id;
    await create.respond([
      { id: 'A', name: 'a' },
      { id: 'B', name: 'b' },
    ]);
    await request;
    expect(idsOf(shownNow())).toEqual(['A', 'B']);
    expect(controller.get(Item, { id: temporary })?.id).toBe('B');
  });

  it('is of its real key also in what a pending edit says of it, running again', async () => {
    const { controller, create, shown: shownNow } = openList();
    const edit = mutation('edit', Item, (snapshot, { id }) => ({
      id,
      name: `${snapshot.get(Item, { id })?.name}!`,
    }));
    const created = controller.fetch(create.endpoint, { name: 'new' });
    ignore(controller.fetch(edit.endpoint, { id: shownNow()[0]?.id }));
    expect(shownNow()).toMatchObject([{ name: 'new!' }]);
    await create.respond({ id: '7', name: 'named' });
    await created;
    expect(shownNow()).toMatchObject([{ id: '7', name: 'named!' }]);
  });

  it('leaves with the create when the response has fewer rows', async () => {
    const {
      controller,
      create,
      shown: shownNow,
      reports,
    } = openList(() => [{ name: 'a' }, { name: 'b' }]);
    const created = controller.fetch(create.endpoint, {});
    expect(shownNow()).toHaveLength(2);
    await create.respond([{ id: '7', name: 'a' }]);
    await created;
    expect(idsOf(shownNow())).toEqual(['7']);
    expect(reports).toEqual([]);
  });

  it('that keeps its key in the response stays', async () => {
    const { controller, create, shown: shownNow } = openList();
    const created = controller.fetch(create.endpoint, { name: 'new' });
    const id = shownNow()[0]?.id;
    await create.respond({ id, name: 'named' });
    await created;
    expect(shownNow()).toMatchObject([{ id, name: 'named' }]);
  });

  it('is once in every list that was written while it had no other key', async () => {
    const { controller, items, create, shown: shownNow } = openList();
    const list = (owner: string) => controller.get(items, { owner })?.map(({ name }) => name);
    const older = manual('older', User);
    for (const owner of ['folded', 'apart', 'page']) {
      controller.set(items, { owner }, [{ id: '1', name: 'one' }]);
    }
    const created = controller.fetch(create.endpoint, { name: 'new' });
    const [temporary] = shownNow();
    const one = { id: '1' };
    controller.set(items, { owner: 'folded' }, [one, temporary]);
    ignore(controller.fetch(older.endpoint));
    controller.set(items, { owner: 'apart' }, [temporary, one]);
    controller.set(items.getPage, { owner: 'page' }, [temporary]);
    await create.respond({ id: '7', name: 'new' });
    await created;
    for (const owner of ['folded', 'apart', 'page']) {
      controller.set(items.getPage, { owner }, [{ id: '7' }]);
    }
    expect(list('folded')).toEqual(['one', 'new']);
    expect(list('apart')).toEqual(['new', 'one']);
    expect(list('page')).toEqual(['one', 'new']);
  });

  it('that is written beside the row which it turns out to be is once, but under each key of a map', async () => {
    const { controller, items, create, shown: shownNow } = openList();
    const map = new Collection(new Values(Item));
    const older = manual('older', User);
    const ids = (args: object) => idsOf(controller.get(items, args));
    const keys = (args: object) =>
      Object.entries(controller.get(map, args) ?? {}).map(([key, { id }]) => key + id);
    const created = controller.fetch(create.endpoint, { name: 'new' });
    const [row] = shownNow();
    const write = (owner: string) => {
      controller.set(items, { owner }, [{ id: '7' }, row, { id: '1' }]);
      controller.set(map, { owner, map: 1 }, { a: row, b: { id: '7' }, c: row });
    };
    write('folded');
    ignore(controller.fetch(older.endpoint));
    write('apart');
    await create.respond({ id: '7', name: 'new' });
    await created;
    for (const owner of ['folded', 'apart']) {
      expect(ids({ owner })).toEqual(['7', '1']);
      expect(keys({ owner, map: 1 })).toEqual(['a7', 'b7', 'c7']);
    }
  });

  it('is once in a list that it is being moved to', async () => {
    const { controller, items, create, shown: shownNow } = openList();
    const move = mutation('move', items.move, (_, { id }, body) => ({ id, ...body }));
    const poll = manual('poll', items);
    controller.set(items, { owner: 'x' }, [{ id: '1', name: 'one' }]);
    const created = controller.fetch(create.endpoint, { name: 'new' });
    ignore(controller.fetch(move.endpoint, shownNow()[0], { owner: 'x' }));
    await create.respond({ id: '7', name: 'new' });
    await created;
    ignore(controller.fetch(poll.endpoint, { owner: 'x' }));
    await poll.respond([{ id: '7' }, { id: '1' }]);
    expect(idsOf(controller.get(items, { owner: 'x' }))).toEqual(['7', '1']);
  });

  it('is the row that another read contained, for rows that refer to it as well', async () => {
    const { controller } = openWorld();
    const users = new Collection([User]);
    const create = mutation('create', users.push, echo);
    const poll = manual('poll', User);
    controller.set(users, {}, []);
    const created = controller.fetch(create.endpoint, { name: 'optimistic' });
    const id = controller.get(users, {})?.[0]?.id ?? '';
    controller.set(User, { id: 'ann' }, { friend: id });
    const view = controller.observeQuery(User, { id: 'ann' });
    const notified = listen(view);
    expect(dataOf(view)?.friend?.name).toBe('optimistic');
    ignore(controller.fetch(poll.endpoint));
    await poll.respond({ id: '7', name: 'polled', tags: ['x'] });
    notified.count = 0;
    await create.respond({ id: '7', name: 'polled' });
    await created;
    expect(notified.count).toBe(1);
    expect(dataOf(view)?.friend).toBe(controller.get(User, { id: '7' }));
  });

  it('in a union is renamed alone, in lists that hold other rows and other values', async () => {
    const { controller } = openWorld();
    const feed = new Collection([
      new Union({ item: Item, user: User }, ({ tags }) => (tags ? 'user' : 'item')),
    ]);
    const create = mutation('create', feed.push, echo);
    const names = (owner?: string) => controller.get(feed, { owner })?.map(({ name }) => name);
    controller.set(feed, {}, [
      { id: '1', name: 'one' },
      { id: '1', name: 'ann', tags: [] },
    ]);
    const created = controller.fetch(create.endpoint, { name: 'new' });
    const row = controller.get(feed, {})?.[2];
    controller.set(feed, { owner: 'x' }, [{ id: '1', name: 'ann', tags: [] }, row]);
    await create.respond({ id: '7', name: 'new' });
    await created;
    expect(names()).toEqual(['one', 'ann', 'new']);
    controller.set(feed.getPage, { owner: 'x' }, [{ id: '7', name: 'new' }]);
    expect(names('x')).toEqual(['ann', 'new']);
  });

  it('is shown once after its list was reordered locally', async () => {
    const { controller, items, create, shown: shownNow } = openList();
    controller.set(items, [{}], [{ id: '1', name: 'one' }]);
    const request = controller.fetch(create.endpoint, { name: 'new' });
    controller.set(items, [{}], shownNow().toReversed());
    expect(shownNow().map(({ name }) => name)).toEqual(['new', 'one']);
    await create.respond({ id: '7', name: 'new' });
    await request;
    expect(idsOf(shownNow())).toEqual(['7', '1']);
  });

  it('that is deleted before its response arrives never comes back', async () => {
    const { controller, create, remove, shown: shownNow } = openList();
    const created = controller.fetch(create.endpoint, { name: 'new' });
    const removed = controller.fetch(remove.endpoint, { id: shownNow()[0]?.id });
    expect(shownNow()).toEqual([]);
    await create.respond({ id: '7', name: 'new' });
    await created;
    expect(shownNow()).toEqual([]);
    await remove.respond({ id: '7' });
    await removed;
    expect(shownNow()).toEqual([]);
    controller.set(Item, { id: '7' }, { name: 'again' });
    expect(shownNow()).toEqual([]);
  });

  it('is back under its real key when its deletion fails', async () => {
    const { controller, create, remove, shown: shownNow } = openList();
    const created = controller.fetch(create.endpoint, { name: 'new' });
    ignore(controller.fetch(remove.endpoint, { id: shownNow()[0]?.id }));
    await create.respond({ id: '7', name: 'new' });
    await created;
    expect(shownNow()).toEqual([]);
    await remove.fail(new Error('not found'));
    expect(idsOf(shownNow())).toEqual(['7']);
  });

  it('keeps a pending edit when a refetch brings the real row first', async () => {
    const { controller, items, create, shown: shownNow } = openList();
    const edit = mutation('edit', Item, (snapshot, params, body) => ({
      ...snapshot.get(Item, params),
      ...body,
    }));
    const list = manual('list', items);
    const created = controller.fetch(create.endpoint, { name: 'new' });
    ignore(controller.fetch(edit.endpoint, { id: shownNow()[0]?.id }, { name: 'edited' }));
    ignore(controller.fetch(list.endpoint, {}));
    await list.respond([{ id: '7', name: 'new' }]);
    await create.respond({ id: '7', name: 'new' });
    await created;
    expect(shownNow()).toMatchObject([{ id: '7', name: 'edited' }]);
    await edit.fail(new Error('no'));
    expect(shownNow()).toMatchObject([{ id: '7', name: 'new' }]);
  });

  it('leaves the list when its creation fails, and only then', async () => {
    const { controller, create, shown: shownNow } = openList();
    for (let index = 0; index < 20; index += 1) {
      ignore(controller.fetch(create.endpoint, { name: `n${index}` }));
    }
    expect(shownNow()).toHaveLength(20);
    await flush();
    create.calls.forEach(({ resolve, reject }, index) => {
      if (index % 2 === 0) resolve({ id: `r${index}`, name: `n${index}` });
      else reject(new Error('no'));
    });
    await flush();
    expect(idsOf(shownNow())).toEqual(Array.from({ length: 10 }, (_, index) => `r${index * 2}`));
  });
});
