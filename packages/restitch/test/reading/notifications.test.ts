import { Entity } from 'restitch';
import { describe, expect, it } from 'vitest';
import {
  Dated,
  dataOf,
  flush,
  ignore,
  Item,
  listen,
  manual,
  mutation,
  openWorld,
  User,
} from '../support/world.js';

describe('a listener is notified', () => {
  it('although its endpoint was read between the write and the end of the batch', () => {
    const { controller } = openWorld();
    const { endpoint } = manual('getItem', Item);
    controller.setResponse(endpoint, { id: '1' }, { id: '1', name: 'a' });
    const notified = listen(controller.observe(endpoint, { id: '1' }));
    controller.batch(() => {
      controller.set(Item, { id: '1' }, { name: 'b' });
      expect(controller.getResponse(endpoint, { id: '1' })?.name).toBe('b');
    });
    expect(notified.count).toBe(1);
  });

  it('although its query was read between the write and the end of the batch', () => {
    const { controller } = openWorld();
    controller.set(Item, { id: '1' }, { name: 'a' });
    const view = controller.observeQuery(Item, { id: '1' });
    const notified = listen(view);
    controller.batch(() => {
      controller.set(Item, { id: '1' }, { name: 'b' });
      expect(dataOf(view)?.name).toBe('b');
    });
    expect(notified.count).toBe(1);
  });

  it('although the listener of another view read its view first', () => {
    const { controller } = openWorld();
    const one = manual('getItem', Item);
    const all = manual('getItems', [Item]);
    controller.setResponse(all.endpoint, [{ id: '1', name: 'a' }]);
    controller.setResponse(one.endpoint, { id: '1' }, { id: '1', name: 'a' });
    const views = [
      controller.observe(one.endpoint, { id: '1' }),
      controller.observe(all.endpoint),
    ] as const;
    const notified = [0, 0];
    views.forEach((view, index) => {
      view.subscribe(() => {
        notified[index] = (notified[index] ?? 0) + 1;
        for (const other of views) other.getSnapshot();
      });
    });
    controller.set(Item, { id: '1' }, { name: 'b' });
    expect(notified).toEqual([1, 1]);
  });

  it('when an equal response turns stale data fresh', async () => {
    const { controller, clock } = openWorld();
    const { endpoint, respond } = manual('getItem', Item);
    controller.setResponse(endpoint, { id: '1' }, { id: '1', name: 'a' });
    clock.now += 100_000;
    const view = controller.observe(endpoint, { id: '1' });
    const notified = listen(view);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: true });
    void view.load();
    await respond({ id: '1', name: 'a' });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: false });
    expect(notified.count).toBe(1);
  });

  it('after a write whose record cannot be constructed, and can read again once it can', () => {
    let broken = false;
    class Fragile extends Entity {
      id = '';
      name = '';
      static override key = 'Fragile';
      constructor() {
        super();
        if (broken) throw new Error('broken');
      }
    }
    const { controller, reports } = openWorld();
    controller.set(Fragile, { id: '1' }, { name: 'a' });
    const view = controller.observeQuery(Fragile, { id: '1' });
    const notified = listen(view);
    broken = true;
    controller.set(Fragile, { id: '1' }, { name: 'b' });
    expect(notified.count).toBe(1);
    expect(reports).toEqual([expect.objectContaining({ message: 'broken' })]);
    broken = false;
    controller.set(Fragile, { id: '1' }, { name: 'c' });
    expect(dataOf(view)?.name).toBe('c');
  });

  it('when good data follows a write that was refused, and only then', () => {
    const { controller } = openWorld();
    controller.set(Dated, { id: '1' }, { at: 'monday' });
    const view = controller.observeQuery(Dated, { id: '1' });
    const notified = listen(view);
    expect(() => controller.set(Dated, { id: '1' }, { at: 'bad' })).toThrow(/`at` of Dated '1'/);
    expect(notified.count).toBe(0);
    controller.set(Dated, { id: '1' }, { at: 'tuesday' });
    expect(notified.count).toBe(1);
    expect(dataOf(view)?.at).toBe('tuesday');
  });

  it('after writes by listeners, until every listener has the last value', () => {
    const { controller, reports } = openWorld();
    controller.set(Item, { id: '1' }, { name: '0' });
    const view = controller.observeQuery(Item, { id: '1' });
    let count = 0;
    const seen: unknown[] = [];
    view.subscribe(() => {
      count += 1;
      if (count < 4) controller.set(Item, { id: '1' }, { name: `from listener ${count}` });
    });
    view.subscribe(() => seen.push(dataOf(view)?.name));
    controller.set(Item, { id: '1' }, { name: 'start' });
    expect(count).toBe(4);
    expect(seen.at(-1)).toBe('from listener 3');
    expect(reports).toEqual([]);
  });
});

describe('a listener is not notified', () => {
  it('once a listener before it in the same round has unsubscribed it', () => {
    const { controller } = openWorld();
    controller.set(Item, { id: '1' }, { name: 'a' });
    const view = controller.observeQuery(Item, { id: '1' });
    let stop = () => {};
    let early = 0;
    view.subscribe(() => {
      early += 1;
      stop();
    });
    let late = 0;
    stop = view.subscribe(() => {
      late += 1;
    });
    controller.set(Item, { id: '1' }, { name: 'b' });
    expect({ early, late }).toEqual({ early: 1, late: 0 });
  });
});

describe('notifications go on', () => {
  it('after an optimistic update that differs each time it is computed', async () => {
    const { controller } = openWorld();
    controller.set(Item, { id: '1' }, { name: 'a' });
    controller.set(Item, { id: '2' }, { name: 'a' });
    let runs = 0;
    const edit = mutation('edit', Item, (snapshot, params) => {
      runs += 1;
      return { ...snapshot.get(Item, params), name: `optimistic ${runs}` };
    });
    const notified = listen(controller.observeQuery(Item, { id: '2' }));
    const request = controller.fetch(edit.endpoint, { id: '1' });
    controller.set(Item, { id: '2' }, { name: 'b' });
    expect(notified.count).toBe(1);
    await edit.respond({ id: '1', name: 'confirmed' });
    expect((await request).name).toBe('confirmed');
    controller.set(Item, { id: '2' }, { name: 'c' });
    expect(notified.count).toBe(2);
  });

  it('after a manager threw on the refetch of a row with out-of-order mutations', async () => {
    let refuses = false;
    const { controller } = openWorld({
      managers: [
        {
          middleware: () => (next) => (action) => {
            if (refuses && action.type === 'fetch') throw new Error('offline');
            next(action);
          },
        },
      ],
    });
    const get = manual('getUser', User);
    const edit = mutation('editUser', User);
    controller.setResponse(get.endpoint, { id: '1' }, { id: '1', name: 'a' });
    const user = listen(controller.observe(get.endpoint, { id: '1' }));
    const first = controller.fetch(edit.endpoint, { id: '1' });
    const second = controller.fetch(edit.endpoint, { id: '1' });
    ignore(controller.fetch(get.endpoint, { id: '1' }));
    await flush();
    refuses = true;
    await edit.respond({ id: '1', name: 'second' }, 1);
    await edit.respond({ id: '1', name: 'first' }, 0);
    await Promise.all([first, second]);
    refuses = false;
    user.count = 0;
    controller.set(User, { id: '1' }, { name: 'local' });
    expect(user.count).toBe(1);
    const item = listen(controller.observeQuery(Item, { id: '2' }));
    controller.set(Item, { id: '2' }, { name: 'b' });
    expect(item.count).toBe(1);
  });

  it('after a manager threw on the error of an optimistic update that was computed again', async () => {
    const { controller, reports } = openWorld({
      managers: [
        {
          middleware: () => (next) => (action) => {
            if (action.type === 'setError') throw new Error('no errors');
            next(action);
          },
        },
      ],
    });
    const older = manual('getUser', User);
    const edit = mutation('edit', Item, (snapshot) => {
      if (snapshot.get(User, { id: 'u' })?.name === 'b') throw new Error('no update');
      return { id: '1', name: 'optimistic' };
    });
    controller.set(Item, { id: '1' }, { name: 'a' });
    const view = controller.observeQuery(Item, { id: '1' });
    const user = controller.observeQuery(User, { id: 'u' });
    const notified = [listen(view), listen(user)];
    ignore(controller.fetch(older.endpoint, { id: 'u' }));
    const request = controller.fetch(edit.endpoint);
    expect(dataOf(view)?.name).toBe('optimistic');
    await older.respond({ id: 'u', name: 'b' });
    expect(reports).toEqual([
      expect.objectContaining({ message: 'edit: getOptimisticResponse threw: no update' }),
      new Error('no errors'),
    ]);
    expect(dataOf(user)?.name).toBe('b');
    await edit.respond({ id: '1', name: 'confirmed' });
    expect((await request).name).toBe('confirmed');
    expect(dataOf(view)?.name).toBe('confirmed');
    expect(notified.map(({ count }) => count)).toEqual([2, 1]);
  });

  it('after a manager threw inside a batch', () => {
    const { controller } = openWorld({
      managers: [
        {
          middleware: () => (next) => (action) => {
            next(action);
            if (action.type === 'set' && (action.value as Item).name === 'b') {
              throw new Error('no b');
            }
          },
        },
      ],
    });
    const notified = listen(controller.observeQuery(Item, { id: '1' }));
    expect(() => controller.batch(() => controller.set(Item, { id: '1' }, { name: 'b' }))).toThrow(
      'no b',
    );
    expect(notified.count).toBe(1);
    controller.set(Item, { id: '1' }, { name: 'c' });
    expect(notified.count).toBe(2);
  });
});

describe('a view that was opened before the store was reset', () => {
  it('shows the data that is loaded through it afterwards', async () => {
    const { controller } = openWorld();
    const { endpoint, respond } = manual('getItem', Item);
    const view = controller.observe(endpoint, { id: '1' });
    controller.resetEntireStore();
    const notified = listen(view);
    const loaded = view.load();
    await respond({ id: '1', name: 'a' });
    expect((await loaded).name).toBe('a');
    expect(notified.count).toBe(1);
    expect(dataOf(view)?.name).toBe('a');
    expect(view.getSnapshot().status).toBe('ready');
    expect(controller.observe(endpoint, { id: '1' }).getSnapshot()).toEqual(view.getSnapshot());
  });

  it('is notified of direct writes afterwards', () => {
    const { controller } = openWorld();
    const { endpoint } = manual('getItem', Item);
    const view = controller.observe(endpoint, { id: '1' });
    controller.resetEntireStore();
    const notified = listen(view);
    controller.setResponse(endpoint, { id: '1' }, { id: '1', name: 'a' });
    expect(notified.count).toBe(1);
    expect(dataOf(view)?.name).toBe('a');
  });

  it('is pending again when its own listener resets the store', async () => {
    const { controller, reports } = openWorld();
    const { endpoint, respond } = manual('getItem', Item);
    const view = controller.observe(endpoint, { id: '1' });
    const seen: string[] = [];
    view.subscribe(() => {
      seen.push(view.getSnapshot().status);
      if (seen.length === 1) controller.resetEntireStore();
    });
    ignore(controller.fetch(endpoint, { id: '1' }));
    await respond({ id: '1', name: 'a' });
    expect(seen).toEqual(['ready', 'pending']);
    expect(view.getSnapshot()).toEqual({ status: 'pending' });
    expect(controller.get(Item, { id: '1' })).toBeUndefined();
    expect(reports).toEqual([]);
  });
});

it('a listener is not notified of an equal response where a library extends every object', () => {
  const { controller } = openWorld();
  const { endpoint } = manual('getItem', Item);
  const respond = () => ({ id: '1', name: 'a', size: { width: 1 } });
  controller.setResponse(endpoint, { id: '1' }, respond());
  const notified = listen(controller.observe(endpoint, { id: '1' }));
  Object.defineProperty(Object.prototype, 'extended', {
    value: () => {},
    enumerable: true,
    configurable: true,
  });
  try {
    controller.setResponse(endpoint, { id: '1' }, respond());
  } finally {
    delete (Object.prototype as { extended?: unknown }).extended;
  }
  expect(notified.count).toBe(0);
});
