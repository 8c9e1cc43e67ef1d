import { Controller } from 'restitch';
import { describe, expect, it } from 'vitest';
import { dataOf, flush, ignore, Item, manual, mutation, outcomeOf } from '../support/world.js';

/** A list that a reader loads, and a mutation that the server adds to it. */
function world() {
  const list = manual('getItems', [Item]);
  const create = mutation('createItem', undefined);
  const controller = new Controller();
  const view = controller.observe(list.endpoint);
  const names = (): unknown => dataOf(view)?.map(({ name }: Item) => name);
  return { list, create, controller, view, names };
}

const old = [{ id: '1', name: 'old' }];
const both = [...old, { id: '2', name: 'new' }];

describe('controller.fetch while a read is under way', () => {
  it('joins it while no mutation was settled since it began', async () => {
    const { list, create, controller } = world();
    const save = controller.fetch(create.endpoint);
    const first = controller.fetch(list.endpoint);
    const second = controller.fetch(list.endpoint);
    expect(list.calls).toHaveLength(1);
    await list.respond(old);
    expect(await second).toBe(await first);
    await create.respond(null);
    await save;
  });

  it.each<['confirmed' | 'failed' | 'aborted']>([['confirmed'], ['failed'], ['aborted']])(
    'sends its own when a mutation was %s since it began',
    async (end) => {
      const { list, create, controller, names } = world();
      const stop = new AbortController();
      const save = outcomeOf(controller.fetch(create.endpoint.extend({ signal: stop.signal })));
      const first = controller.fetch(list.endpoint);
      if (end === 'confirmed') await create.respond(null);
      if (end === 'failed') await create.fail(new Error('no'));
      if (end === 'aborted') stop.abort();
      await save;
      const second = controller.fetch(list.endpoint);
      const third = controller.fetch(list.endpoint);
      expect(list.calls).toHaveLength(2);
      await list.respond(both, 1);
      expect(names()).toEqual(['old', 'new']);
      expect(await third).toBe(await second);
      await list.respond(old, 0);
      expect(names()).toEqual(['old', 'new']);
      expect(await first).toHaveLength(1);
    },
  );

  it('sends its own from a caller that is notified of the mutation, and from an observer of it', async () => {
    const { list, create, controller, view } = world();
    void view.load();
    let observed = 0;
    view.subscribe(() => {});
    controller.observe(list.endpoint).subscribe(() => {});
    controller.observeQuery(Item, { id: '9' }).subscribe(() => {
      if ((observed += 1) === 1) ignore(controller.fetch(list.endpoint));
    });
    const make = mutation('makeItem', Item);
    const saved = controller.fetch(make.endpoint, { id: '9' });
    await make.respond({ id: '9', name: 'nine' });
    await saved;
    expect(list.calls).toHaveLength(2);
    ignore(controller.fetch(create.endpoint));
    await create.respond(null);
    ignore(controller.fetch(list.endpoint));
    expect(list.calls).toHaveLength(3);
  });

  it('leaves readers with the request that they joined, and with the newer one', async () => {
    const { list, create, controller, view, names } = world();
    const loaded = view.load();
    ignore(controller.fetch(create.endpoint));
    await create.respond(null);
    expect(view.load()).toBe(loaded);
    const fetched = controller.fetch(list.endpoint);
    await list.respond(old, 0);
    expect(await loaded).toHaveLength(1);
    expect(names()).toEqual(['old']);
    await list.respond(both, 1);
    expect(await fetched).toHaveLength(2);
    expect(names()).toEqual(['old', 'new']);
  });

  it('shows readers no error of the older request while the newer one is under way', async () => {
    const { list, create, controller, view, names } = world();
    const loaded = view.load();
    ignore(controller.fetch(create.endpoint));
    await create.respond(null);
    ignore(controller.fetch(list.endpoint));
    await list.fail(new Error('too late'), 0);
    expect(await outcomeOf(loaded)).toMatchObject({ status: 'rejected' });
    expect(view.getSnapshot().status).toBe('pending');
    await list.respond(both, 1);
    expect(names()).toEqual(['old', 'new']);
  });

  it('is not aborted by its caller while a reader of the older request waits', async () => {
    const { list, create, controller, view, names } = world();
    void view.load();
    ignore(controller.fetch(create.endpoint));
    await create.respond(null);
    const stop = new AbortController();
    const fetched = controller.fetch(list.endpoint.extend({ signal: stop.signal }));
    stop.abort();
    expect(await outcomeOf(fetched)).toMatchObject({ status: 'rejected' });
    await list.fail(new Error('too late'), 0);
    await list.respond(both, 1);
    expect(names()).toEqual(['old', 'new']);
  });

  it('is aborted with the older request by a reset, and both reject', async () => {
    const { list, create, controller, view } = world();
    const loaded = view.load();
    ignore(controller.fetch(create.endpoint));
    await create.respond(null);
    const fetched = controller.fetch(list.endpoint);
    controller.resetEntireStore();
    for (const promise of [loaded, fetched]) {
      expect(await outcomeOf(promise)).toMatchObject({ reason: { name: 'AbortError' } });
    }
    expect(list.calls.map(({ signal }) => signal?.aborted)).toEqual([true, true]);
  });

  it('has its like in the refetch of a view, while load joins', async () => {
    const { list, create, controller, view } = world();
    const loaded = view.load();
    expect(view.refetch()).toBe(loaded);
    ignore(controller.fetch(create.endpoint));
    await create.respond(null);
    expect(view.load()).toBe(loaded);
    const again = view.refetch();
    expect(list.calls).toHaveLength(2);
    expect(view.load()).toBe(again);
    await list.respond(both, 1);
    expect(await again).toHaveLength(2);
  });

  it('joins again after the newer request began', async () => {
    const { list, create, controller } = world();
    ignore(controller.fetch(list.endpoint));
    ignore(controller.fetch(create.endpoint));
    await create.respond(null);
    for (let count = 0; count < 3; count += 1) ignore(controller.fetch(list.endpoint));
    expect(list.calls).toHaveLength(2);
    await flush();
  });
});
