/** Mutations that the server ran in another order than they were sent: what they changed is fetched again. */
import { Collection, Controller, Endpoint, Entity, Invalidate, RestEndpoint } from 'restitch';
import { describe, expect, it } from 'vitest';
import { flush } from '../support/world.js';

class Line extends Entity {
  id = '';
  orderId = '';
  static override key = 'Line';
}

const lines = new Collection([Line], {
  name: 'lines',
  nestKey: ({ id }: { id: string }) => ({ orderId: id }),
});

class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}

class Order extends Entity {
  id = '';
  name = '';
  note = '';
  status = '';
  lines: Line[] = [];
  static override key = 'Order';
  static override schema: Record<string, unknown> = { lines };
}

class Post extends Entity {
  id = '';
  author: User | undefined = undefined;
  static override key = 'Post';
  static override schema: Record<string, unknown> = { author: User };
}

interface Sent {
  readonly respond: (value: unknown) => Promise<void>;
}

/** A controller whose requests get their responses by hand. */
function open() {
  const sent: Sent[] = [];
  const serve = (): Promise<never> =>
    new Promise((resolve) => {
      sent.push({
        respond: async (value) => {
          // No type checks the response of a server.
          resolve(value as never);
          await flush();
        },
      });
    });
  const controller = new Controller({ environment: { now: () => 1_000_000 } });
  /** A mutation; its last argument is the body. */
  const mutate = (schema: unknown, ...args: readonly unknown[]): Sent => {
    const endpoint = new Endpoint((..._: unknown[]) => serve(), {
      name: 'mutation',
      sideEffect: true,
      schema,
    });
    void controller.fetch(endpoint, ...args).catch(() => {});
    const request = sent.at(-1);
    if (!request) throw new Error('nothing was sent');
    return request;
  };
  const read = <S>(name: string, schema: S) =>
    new Endpoint((_: object) => serve(), { name, schema });
  return { controller, sent, mutate, read };
}

const order = {
  id: '1',
  name: 'a',
  note: 'a',
  status: 'open',
  lines: [{ id: 'l1' }, { id: 'l2' }],
};

describe('a response that takes back the change of an overlapping mutation', () => {
  it.each<[string, (world: ReturnType<typeof open>) => Promise<void>]>([
    [
      'a field',
      async ({ mutate }) => {
        const name = mutate(Order, { id: '1' }, { name: 'b' });
        const note = mutate(Order, { id: '1' }, { note: 'b' });
        await name.respond({ ...order, name: 'b' });
        await note.respond({ ...order, note: 'b' });
      },
    ],
    [
      'a row that was added to a list of the record',
      async ({ mutate }) => {
        const create = mutate(lines.push, { orderId: '1' }, { id: 'l3' });
        const note = mutate(Order, { id: '1' }, { note: 'b' });
        await create.respond({ id: 'l3', orderId: '1' });
        await note.respond({ ...order, note: 'b' });
      },
    ],
    [
      'a row that was deleted',
      async ({ mutate }) => {
        const remove = mutate(new Invalidate(Line), { id: 'l1' });
        const note = mutate(Order, { id: '1' }, { note: 'b' });
        await remove.respond({ id: 'l1' });
        await note.respond({ ...order, note: 'b' });
      },
    ],
  ])('%s: is fetched again', async (_, run) => {
    const world = open();
    const get = world.read('order', Order);
    const view = world.controller.observe(get, { id: '1' });
    view.subscribe(() => {});
    void view.load();
    await world.sent[0]?.respond(order);
    expect(view.needsLoad()).toBe(false);
    await run(world);
    expect(view.needsLoad()).toBe(true);
  });

  it('is none where both say the same, or the later one was asked to say otherwise', async () => {
    const { controller, sent, mutate, read } = open();
    const view = controller.observe(read('order', Order), { id: '1' });
    view.subscribe(() => {});
    void view.load();
    await sent[0]?.respond(order);
    const first = mutate(Order, { id: '1' }, { name: 'b' });
    const second = mutate(Order, { id: '1' }, { name: 'c' });
    const third = mutate(Order, { id: '1' }, { note: 'b' });
    await first.respond({ ...order, name: 'b' });
    await second.respond({ ...order, name: 'c' });
    await third.respond({ ...order, name: 'c', note: 'b' });
    expect(view.needsLoad()).toBe(false);
  });

  it('is settled once it was fetched again, though an older request gets its response later', async () => {
    const { controller, sent, mutate, read } = open();
    const get = read('order', Order);
    const view = controller.observe(get, { id: '1' });
    view.subscribe(() => {});
    void view.load();
    await sent[0]?.respond(order);
    void controller.fetch(get, { id: '1' });
    const older = sent.at(-1);
    const name = mutate(Order, { id: '1' }, { name: 'b' });
    const note = mutate(Order, { id: '1' }, { note: 'b' });
    await name.respond({ ...order, name: 'b' });
    await note.respond({ ...order, note: 'b' });
    expect(view.needsLoad()).toBe(true);
    void controller.fetch(get, { id: '1' });
    await sent.at(-1)?.respond({ ...order, name: 'b', note: 'b' });
    expect(view.needsLoad()).toBe(false);
    await older?.respond(order);
    expect(sent).toHaveLength(5);
    expect(view.needsLoad()).toBe(false);
  });

  it('is hidden also for a record that is embedded in a created one', async () => {
    const { controller, sent, mutate, read } = open();
    const view = controller.observe(read('user', User), { id: '7' });
    view.subscribe(() => {});
    void view.load();
    await sent[0]?.respond({ id: '7', name: 'Ada' });
    const rename = mutate(User, { id: '7' }, { name: 'Ada L.' });
    const create = mutate(Post, {}, { title: 'Hi' });
    await rename.respond({ id: '7', name: 'Ada L.' });
    await create.respond({ id: '1', author: { id: '7', name: 'Ada' } });
    expect(view.needsLoad()).toBe(true);
  });
});

describe('two mutations whose responses arrive in the other order', () => {
  it('expire the lists that the row entered and left', async () => {
    const { controller, mutate } = open();
    const list = new RestEndpoint({
      path: '/orders',
      searchParams: {} as { status: string },
      schema: new Collection([Order]),
    });
    controller.setResponse(list, { status: 'open' }, [order]);
    controller.setResponse(list, { status: 'done' }, []);
    const views = ['open', 'done'].map((status) => {
      const view = controller.observe(list, { status });
      view.subscribe(() => {});
      view.getSnapshot();
      return view;
    });
    expect(views.map((view) => view.needsLoad())).toEqual([false, false]);
    const stays = mutate(list.schema.move, { id: '1' }, { status: 'open' });
    const moves = mutate(list.schema.move, { id: '1' }, { status: 'done' });
    await moves.respond({ ...order, status: 'done' });
    await stays.respond({ ...order, status: 'open' });
    expect(views.map((view) => view.needsLoad())).toEqual([true, true]);
  });

  it('expire a list that was requested before their responses arrived', async () => {
    const { controller, sent, mutate, read } = open();
    const name = mutate(Order, { id: '1' }, { name: 'b' });
    const note = mutate(Order, { id: '1' }, { note: 'b' });
    const view = controller.observe(read('orders', new Collection([Order])), {});
    view.subscribe(() => {});
    void view.load();
    await note.respond({ ...order, note: 'b' });
    await name.respond({ ...order, name: 'b', note: 'b' });
    await sent[2]?.respond([{ ...order, note: 'b' }]);
    expect(view.getSnapshot().status).toBe('ready');
    expect(view.needsLoad()).toBe(true);
  });
});
