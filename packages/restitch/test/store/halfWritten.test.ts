import { Collection, Invalidate, SchemaError } from 'restitch';
import { describe, expect, it } from 'vitest';
import {
  dataOf,
  Dated,
  flush,
  idsOf,
  ignore,
  Item,
  listen,
  manual,
  mutation,
  openWorld,
  outcomeOf,
  Superstitious,
} from '../support/world.js';

describe('a response of which one part is refused', () => {
  it.each(['alone', 'beside an older read'])(
    'writes nothing of the other parts: %s',
    async (when) => {
      const { controller } = openWorld();
      const older = manual('older', Dated);
      const list = manual('list', [Dated]);
      controller.set(Dated, { id: '1' }, { n: 1, at: 'monday' });
      if (when !== 'alone') ignore(controller.fetch(older.endpoint, { id: '9' }));
      const request = controller.fetch(list.endpoint);
      ignore(request);
      await list.respond([
        { id: '1', n: 2, at: 'monday' },
        { id: '2', n: 2, at: 'bad' },
      ]);
      await expect(request).rejects.toMatchObject({ code: 'deserialize-failed' });
      expect(controller.get(Dated, { id: '1' })?.n).toBe(1);
      expect(controller.get(Dated, { id: '2' })).toBeUndefined();
      if (when !== 'alone') await older.respond({ id: '9' });
      expect(controller.get(Dated, { id: '1' })?.n).toBe(1);
    },
  );

  it('takes no row out of its lists', async () => {
    const { controller } = openWorld();
    const items = new Collection([Item]);
    controller.set(items, [{}], [{ id: '1' }, { id: '2' }]);
    controller.set(Superstitious, { id: 'm' }, { n: 1 });
    const swap = mutation('swap', { gone: new Invalidate(Item), row: Superstitious });
    const request = controller.fetch(swap.endpoint);
    ignore(request);
    await swap.respond({ gone: { id: '1' }, row: { id: 'm', n: 13 } });
    await expect(request).rejects.toThrow('thirteen');
    expect(controller.get(Item, { id: '1' })?.id).toBe('1');
    expect(idsOf(controller.get(items, {}))).toEqual(['1', '2']);
    expect(controller.get(Superstitious, { id: 'm' })?.n).toBe(1);
  });

  it('takes its optimistic update back as well', async () => {
    const { controller } = openWorld();
    controller.set(Superstitious, { id: 'm' }, { n: 1 });
    const save = mutation('save', Superstitious, () => ({ id: 'm', n: 5 }));
    const request = controller.fetch(save.endpoint);
    ignore(request);
    expect(controller.get(Superstitious, { id: 'm' })?.n).toBe(5);
    await save.respond({ id: 'm', n: 13 });
    await expect(request).rejects.toThrow('thirteen');
    expect(controller.get(Superstitious, { id: 'm' })?.n).toBe(1);
  });

  it('writes nothing later either, when the reads begun before it settle', async () => {
    const { controller } = openWorld();
    controller.set(Superstitious, { id: 'm' }, { n: 1 });
    const older = manual('older', Item);
    const save = mutation('save', { item: Item, row: Superstitious });
    ignore(controller.fetch(older.endpoint, { id: '9' }));
    const request = controller.fetch(save.endpoint);
    ignore(request);
    await save.respond({ item: { id: '1', name: 'x' }, row: { id: 'm', n: 13 } });
    await expect(request).rejects.toThrow('thirteen');
    await older.respond({ id: '9' });
    expect(controller.get(Item, { id: '9' })?.id).toBe('9');
    expect(controller.get(Item, { id: '1' })).toBeUndefined();
    expect(controller.get(Superstitious, { id: 'm' })?.n).toBe(1);
  });

  it('takes nothing along of what it would have put in its place', async () => {
    const { controller } = openWorld();
    controller.set(Superstitious, { id: 'm' }, { n: 1 });
    // The older mutation decides whether the newer one lies above the read, which is therefore kept apart.
    const older = mutation('older', Superstitious);
    const newer = mutation('newer', Superstitious);
    const read = manual('read', Superstitious);
    const request = controller.fetch(older.endpoint, { id: 'm' });
    ignore(request);
    ignore(controller.fetch(newer.endpoint, { id: 'm' }));
    await newer.respond({ id: 'm', n: 2 });
    ignore(controller.fetch(read.endpoint, { id: 'm' }));
    await read.respond({ id: 'm', n: 3 });
    await older.respond({ id: 'm', n: 13 });
    await expect(request).rejects.toThrow('thirteen');
    expect(controller.get(Superstitious, { id: 'm' })?.n).toBe(3);
  });

  it('is an error for its own readers and for no other', async () => {
    const { controller } = openWorld();
    const one = manual('one', Dated);
    const all = manual('all', [Dated]);
    controller.setResponse(all.endpoint, [
      { id: '1', at: 'monday' },
      { id: '2', at: 'monday' },
    ]);
    const view = controller.observe(one.endpoint, { id: '1' });
    const others = controller.observe(all.endpoint);
    const notified = listen(others);
    const before = others.getSnapshot();
    const request = controller.fetch(one.endpoint, { id: '1' });
    ignore(request);
    await one.respond({ id: '1', at: 'bad' });
    await expect(request).rejects.toBeInstanceOf(SchemaError);
    expect(view.getSnapshot()).toMatchObject({
      status: 'error',
      error: { code: 'deserialize-failed' },
    });
    expect(others.getSnapshot()).toBe(before);
    expect(notified.count).toBe(0);
  });

  it('is refused by setResponse as well, and the readers of other endpoints keep their data', () => {
    const { controller } = openWorld();
    const one = manual('one', Dated);
    const all = manual('all', [Dated]);
    controller.setResponse(all.endpoint, [{ id: '1', at: 'monday' }]);
    const view = controller.observe(all.endpoint);
    expect(() => controller.setResponse(one.endpoint, { id: '1' }, { id: '1', at: 'bad' })).toThrow(
      SchemaError,
    );
    expect(dataOf(view)).toMatchObject([{ id: '1', at: 'monday' }]);
    expect(view.getSnapshot().status).toBe('ready');
  });

  it('that names two lists by the same arguments is refused whole', () => {
    const { controller } = openWorld();
    const { endpoint } = manual('boards', {
      open: new Collection([Item]),
      closed: new Collection([Item]),
    });
    expect(() =>
      controller.setResponse(endpoint, { open: [{ id: '1' }], closed: [{ id: '2' }] }),
    ).toThrow(expect.objectContaining({ code: 'ambiguous-lists' }));
    expect(controller.get(Item, { id: '1' })).toBeUndefined();
  });
});

describe('an optimistic update of which one part is refused', () => {
  it('shows nothing of its other parts', async () => {
    const { controller } = openWorld();
    controller.set(Item, { id: '1' }, { name: 'a' });
    controller.set(Superstitious, { id: 'm' }, { n: 1 });
    const save = mutation('save', { item: Item, row: Superstitious }, () => ({
      item: { id: '1', name: 'optimistic' },
      row: { id: 'm', n: 13 },
    }));
    ignore(controller.fetch(save.endpoint));
    expect(controller.get(Item, { id: '1' })?.name).toBe('a');
    expect(controller.get(Superstitious, { id: 'm' })?.n).toBe(1);
    await save.respond({ item: { id: '1', name: 'saved' }, row: { id: 'm', n: 2 } });
    expect(controller.get(Item, { id: '1' })?.name).toBe('saved');
    expect(controller.get(Superstitious, { id: 'm' })?.n).toBe(2);
  });
});

describe('a filter that throws', () => {
  const openLists = () => {
    const world = openWorld();
    const items = new Collection([Item], {
      createCollectionFilter: () => (args) => {
        if (args['bad']) throw new Error('filter');
        return true;
      },
    });
    return { ...world, items };
  };

  it('matches nothing, and the created row enters the other lists', async () => {
    const { controller, reports, items } = openLists();
    controller.set(items, [{ good: '1' }], []);
    controller.set(items, [{ bad: '1' }], []);
    const create = mutation('create', items.push);
    const request = controller.fetch(create.endpoint, {});
    await create.respond({ id: '7', name: 'n' });
    expect((await request).name).toBe('n');
    expect(idsOf(controller.get(items, { good: '1' }))).toEqual(['7']);
    expect(controller.get(items, { bad: '1' })).toEqual([]);
    expect(reports).toEqual([
      expect.objectContaining({
        message: 'create: createCollectionFilter threw: filter',
        cause: new Error('filter'),
      }),
    ]);
  });

  it('does not fail the read of a list that is born while a create is pending', async () => {
    const { controller, items } = openLists();
    const create = mutation('create', items.push, (_, body: object) => body);
    const list = manual('list', items);
    ignore(controller.fetch(create.endpoint, { name: 'n' }));
    const request = controller.fetch(list.endpoint, { bad: '1' });
    await list.respond([{ id: '1' }]);
    expect(idsOf(await request)).toEqual(['1']);
  });
});

describe('a response of any depth or size', () => {
  it('is stored and compared where a plain field is nested 20 000 deep', async () => {
    const { controller } = openWorld();
    const nest = (leaf: number): unknown => {
      let value: unknown = leaf;
      for (let depth = 0; depth < 10_000; depth += 1) value = { list: [value] };
      return value;
    };
    const leafOf = (nested: unknown): unknown => {
      let value = nested;
      while (typeof value === 'object') value = Object(value).list[0];
      return value;
    };
    const list = manual('list', [Item]);
    for (const name of ['first', 'second']) {
      const request = controller.fetch(list.endpoint);
      ignore(request);
      await list.respond([
        { id: '1', name },
        { id: '2', name, nested: nest(name.length) },
      ]);
      expect(await outcomeOf(request)).toMatchObject({ status: 'fulfilled' });
      expect(controller.get(Item, { id: '1' })?.name).toBe(name);
      const second = controller.get(Item, { id: '2' });
      expect(second?.name).toBe(name);
      expect(leafOf(Object(second).nested)).toBe(name.length);
    }
    controller.set(Item, { id: '2' }, { nested: nest(7) } as object);
    expect(leafOf(Object(controller.get(Item, { id: '2' })).nested)).toBe(7);
  });

  it('deletes 150 000 rows in one response beside an older read', { tags: 'scale' }, async () => {
    const { controller } = openWorld();
    const older = manual('older', Item);
    ignore(controller.fetch(older.endpoint, { id: 'older' }));
    controller.set(Item, { id: '149999' }, { name: 'last' });
    const remove = mutation('remove', [new Invalidate(Item)]);
    const request = controller.fetch(remove.endpoint);
    await remove.respond(Array.from({ length: 150_000 }, (_, index) => ({ id: String(index) })));
    await request;
    await flush();
    expect(controller.get(Item, { id: '149999' })).toBeUndefined();
  });
});
