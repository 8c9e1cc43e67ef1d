import { All, Collection, Entity, Invalidate, Union } from 'restitch';
import { describe, expect, it } from 'vitest';
import {
  dataOf,
  idsOf,
  ignore,
  Item,
  listen,
  manual,
  mutation,
  openWorld,
} from '../support/world.js';

const all = new All(Item);
const items = new Collection([Item], { name: 'items' });

describe('All', () => {
  it('is undefined while there was never a record, and empty once all are deleted', async () => {
    const { controller } = openWorld();
    expect(controller.get(all)).toBeUndefined();
    controller.set(Item, { id: '1' }, { name: 'a' });
    expect(idsOf(controller.get(all))).toEqual(['1']);
    const remove = mutation('remove', new Invalidate(Item));
    ignore(controller.fetch(remove.endpoint, { id: '1' }));
    await remove.respond({ id: '1' });
    expect(controller.get(all)).toEqual([]);
  });

  it('becomes empty when the first write is that a record was deleted', () => {
    const { controller } = openWorld();
    const view = controller.observeQuery(all);
    const notified = listen(view);
    expect(dataOf(view)).toBeUndefined();
    controller.set(new Invalidate(Item), {}, { id: '1' });
    expect([notified.count, dataOf(view)]).toEqual([1, []]);
  });

  it('holds every record in the order in which they became known, whatever brought them', async () => {
    const { controller } = openWorld();
    const view = controller.observeQuery(all);
    const notified = listen(view);
    controller.set(Item, { id: 'b' }, {});
    const list = manual('list', items);
    ignore(controller.fetch(list.endpoint));
    await list.respond([{ id: 'c' }, { id: 'a' }, { id: 'b' }]);
    expect(idsOf(dataOf(view))).toEqual(['b', 'c', 'a']);
    expect(notified.count).toBe(2);
    expect(controller.get(new All(Item))).toBe(dataOf(view));
  });

  it('changes with its records, and keeps the identity of the others', () => {
    const { controller } = openWorld();
    for (const id of ['1', '2', '3']) controller.set(Item, { id }, { name: id });
    const view = controller.observeQuery(all);
    const notified = listen(view);
    const before = dataOf(view) ?? [];
    controller.set(Item, { id: '2' }, { name: 'changed' });
    const after = dataOf(view) ?? [];
    expect(notified.count).toBe(1);
    expect(after[1]?.name).toBe('changed');
    expect([after[0], after[2]]).toEqual([before[0], before[2]]);
    expect(after[0]).toBe(before[0]);
    controller.set(Item, { id: '2' }, { name: 'changed' });
    expect(notified.count).toBe(1);
    expect(dataOf(view)).toBe(after);
  });

  it('shows an optimistic create at once, in one place, and nothing of a failed one', async () => {
    const { controller } = openWorld();
    const create = mutation('create', items.push, (_, body: object) => body);
    const view = controller.observeQuery(all);
    listen(view);
    ignore(controller.fetch(create.endpoint, { name: 'x' }));
    expect(dataOf(view)).toMatchObject([{ name: 'x' }]);
    await create.fail(new Error('no'));
    expect(dataOf(view)).toBeUndefined();
    ignore(controller.fetch(create.endpoint, { name: 'y' }));
    controller.set(Item, { id: '7' }, { name: 'z' });
    await create.respond({ id: '9', name: 'y' });
    expect(idsOf(dataOf(view))).toEqual(['9', '7']);
  });

  it('counts a created record once when another response named it first', async () => {
    const { controller } = openWorld();
    const create = mutation('create', items.push, (_, body: object) => body);
    const view = controller.observeQuery(all);
    listen(view);
    ignore(controller.fetch(create.endpoint, { name: 'y' }));
    controller.set(Item, { id: '9' }, { name: 'y' });
    await create.respond({ id: '9', name: 'y' });
    expect(idsOf(dataOf(view))).toEqual(['9']);
  });

  it('leaves out records that are only referred to', () => {
    class Box extends Entity {
      id = '';
      item: Item | undefined = undefined;
      static override key = 'Box';
      static override schema = { item: Item };
    }
    const { controller } = openWorld();
    controller.set(Box, { id: '1' }, { item: 'unknown' });
    expect(controller.get(Box, { id: '1' })?.item).toBeUndefined();
    expect(controller.get(all)).toBeUndefined();
  });

  it('holds the records of each class of a union', () => {
    class Dog extends Entity {
      id = '';
      static override key = 'Dog';
    }
    const both = new All(new Union({ item: Item, dog: Dog }, 'type' as never));
    const { controller } = openWorld();
    const view = controller.observeQuery(both);
    listen(view);
    expect(dataOf(view)).toBeUndefined();
    controller.set(Dog, { id: 'd' }, {});
    expect(controller.get(both)).toMatchObject([{ id: 'd' }]);
    controller.set(Item, { id: 'i' }, {});
    expect(dataOf(view)?.map(({ id }: { id: string }) => id)).toEqual(['i', 'd']);
    const before = dataOf(view);
    expect(dataOf(view)).toBe(before);
  });

  it('as the schema of an endpoint stores its list and reads as all there are', async () => {
    const { controller } = openWorld();
    controller.set(Item, { id: '0' }, {});
    const get = manual('getAll', all);
    const request = controller.fetch(get.endpoint);
    await get.respond([{ id: '1' }, { id: '2' }]);
    expect(idsOf(await request)).toEqual(['0', '1', '2']);
    const view = controller.observe(get.endpoint);
    const notified = listen(view);
    controller.set(Item, { id: '3' }, {});
    expect(notified.count).toBe(1);
    expect(idsOf(dataOf(view))).toEqual(['0', '1', '2', '3']);
  });

  it('in a snapshot of an optimistic update holds records that started before it', async () => {
    const { controller } = openWorld();
    controller.set(Item, { id: '1' }, { name: 'a' });
    const count = mutation('count', Item, (snapshot) => ({
      id: 'total',
      name: String(snapshot.get(all)?.length),
    }));
    ignore(controller.fetch(count.endpoint, {}));
    // A partial optimistic update shows once there is a record, which began after it and so does not count.
    controller.set(Item, { id: 'total' }, {});
    controller.set(Item, { id: '2' }, {});
    expect(controller.get(Item, { id: 'total' })?.name).toBe('1');
    await count.respond({ id: 'total', name: 'confirmed' });
    expect(controller.get(all)).toMatchObject([{ id: '1' }, { name: 'confirmed' }, { id: '2' }]);
  });

  it('counts a created record once in a snapshot while its temporary key is known', async () => {
    const { controller } = openWorld();
    const create = mutation('create', items.push, (_, body: object) => body);
    const count = mutation('count', Item, (snapshot) => ({
      id: '9',
      name: idsOf(snapshot.get(all))?.join(),
    }));
    const older = controller.fetch(manual('older', items).endpoint);
    ignore(older);
    controller.set(Item, { id: '1' }, {});
    ignore(controller.fetch(create.endpoint, {}));
    await create.respond({ id: '9' });
    controller.set(Item, { id: '10' }, {});
    ignore(controller.fetch(count.endpoint, {}));
    expect(controller.get(Item, { id: '9' })?.name).toBe('1,9,10');
  });
});
