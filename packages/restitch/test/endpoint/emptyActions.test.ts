/** An empty response (204) to an action below a record: the store does not know what changed, so readers fetch again. */
import {
  Collection,
  Controller,
  type EndpointInterface,
  Entity,
  resource,
  RestEndpoint,
  type Snapshot,
  Union,
} from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { flush, ignore, manual, mutation } from '../support/world.js';

const server = await serverOfFile();

class Order extends Entity {
  static override key = 'Order';
  id = '';
  status = '';
  type = 'order';
}

const options = { urlPrefix: server.origin, path: '/orders/:id', schema: Order } as const;
const Orders = resource(options);
const Optimistic = resource({ ...options, optimistic: true });

const action = {
  urlPrefix: server.origin,
  path: '/orders/:id/ship',
  method: 'POST',
  body: undefined,
} as const;

const actions: Record<string, EndpointInterface> = {
  'an endpoint of the class': new RestEndpoint({ ...action, schema: Order }),
  'an endpoint of a union': new RestEndpoint({
    ...action,
    schema: new Union({ order: Order }, 'type'),
  }),
  'a move': new RestEndpoint({ ...action, schema: Orders.getList.schema.move }),
  'an extended partialUpdate': Orders.partialUpdate.extend(action),
  'an extended move': Orders.getList.move.extend(action),
  'an extended optimistic partialUpdate': Optimistic.partialUpdate.extend(action),
  'an extended optimistic move': Optimistic.getList.move.extend(action),
};

let reads: string[];
let shipped: boolean;
beforeEach(() => {
  reads = [];
  shipped = false;
  server.respond(({ method, url }, response) => {
    if (method === 'POST') {
      shipped = true;
      response.writeHead(204).end();
      return undefined;
    }
    reads.push(url ?? '');
    const order = { id: '1', status: shipped ? 'shipped' : 'open', type: 'order' };
    return url === '/orders' ? [order] : order;
  });
});

async function open() {
  const controller = new Controller();
  const views = [
    controller.observe(Orders.get, { id: '1' }),
    controller.observe(Orders.getList),
  ] as const;
  for (const view of views) {
    await view.load();
    view.subscribe(() => {
      if (view.needsLoad(true)) void view.load();
    });
  }
  reads = [];
  return { controller, views };
}

describe.each(Object.entries(actions))('%s', (_, ship) => {
  it('makes readers of the record fetch again', async () => {
    const { controller, views } = await open();
    await controller.fetch(ship, { id: '1' });
    await expect.poll(() => controller.get(Order, { id: '1' })?.status).toBe('shipped');
    await expect.poll(() => controller.countFetching()).toBe(0);
    expect(reads.toSorted()).toEqual(['/orders', '/orders/1']);
    expect(views.map((view) => view.needsLoad(true))).toEqual([false, false]);
  });

  it('resolves to the stored record, and to null without one', async () => {
    const { controller } = await open();
    expect(await controller.fetch(ship, { id: '1' })).toBeInstanceOf(Order);
    expect(await controller.fetch(ship, { id: '2' })).toBe(null);
  });

  it('makes readers fetch again where its optimistic function declined', async () => {
    const { controller, views } = await open();
    const declining = ship.extend({
      getOptimisticResponse(snapshot: Snapshot) {
        if (snapshot.get(Order, { id: '9' }) === undefined) throw snapshot.abort;
        return { id: '1', status: 'shipped', type: 'order' };
      },
    });
    await controller.fetch(declining, { id: '1' });
    await expect.poll(() => controller.get(Order, { id: '1' })?.status).toBe('shipped');
    expect(views.map((view) => view.needsLoad(true))).toEqual([false, false]);
  });

  it('confirms a prediction, and nothing is fetched again', async () => {
    const { controller } = await open();
    const predicted = ship.extend({
      getOptimisticResponse: () => ({ id: '1', status: 'shipped', type: 'order' }),
    });
    expect(await controller.fetch(predicted, { id: '1' })).toMatchObject({ status: 'shipped' });
    expect(controller.get(Order, { id: '1' })).toMatchObject({ status: 'shipped' });
    expect(controller.observe(Orders.getList).needsLoad(true)).toBe(false);
    expect(reads).toEqual([]);
  });
});

it('a move makes the lists that the record may join fetch again', async () => {
  const controller = new Controller();
  const Filtered = resource({ ...options, searchParams: {} as { status: string } });
  const shippedOrders = controller.observe(Filtered.getList, { status: 'shipped' });
  controller.setResponse(Filtered.getList, { status: 'shipped' }, []);
  controller.setResponse(Filtered.get, { id: '1' }, { id: '1', status: 'open', type: 'order' });
  expect(shippedOrders.needsLoad(true)).toBe(false);
  const ship = new RestEndpoint({ ...action, schema: Filtered.getList.schema.move });
  await controller.fetch(ship, { id: '1' });
  expect(shippedOrders.needsLoad(true)).toBe(true);
});

it('makes readers of the record in an envelope fetch again', async () => {
  const { controller } = await open();
  const ship = new RestEndpoint({ ...action, schema: { data: Order } });
  await controller.fetch(ship, { id: '1' });
  await expect.poll(() => controller.get(Order, { id: '1' })?.status).toBe('shipped');
});

describe('requests that overlap an action', () => {
  function start(schema: unknown = Order) {
    const controller = new Controller();
    const get = manual('get', Order);
    const getList = manual('getList', [Order]);
    const ship = mutation('ship', schema);
    const reads = (read: typeof get | typeof getList, args: object) => {
      const view = controller.observe(read.endpoint, args);
      view.subscribe(() => {
        if (view.needsLoad(true)) ignore(view.load());
      });
      ignore(view.load());
    };
    return { controller, get, getList, ship, reads };
  }
  const order = (status: string) => ({ id: '1', status, type: 'order' });

  it.each([
    [false, Order],
    [true, Order],
    [false, { data: Order }],
    [true, { data: Order }],
  ])(
    'an earlier edit that ends later is not the last word, optimistic: %j, schema: %o',
    async (isOptimistic, schema) => {
      const { controller, get, ship, reads } = start(schema);
      const edit = mutation('edit', Order, isOptimistic ? () => order('packed') : undefined);
      reads(get, { id: '1' });
      await get.respond(order('open'));
      ignore(controller.fetch(edit.endpoint, { id: '1' }));
      ignore(controller.fetch(ship.endpoint, { id: '1' }));
      await ship.respond(null);
      await get.respond(order('shipped'));
      await edit.respond(order('packed'));
      expect(get.calls).toHaveLength(3);
      await get.respond(order('shipped'));
      expect(controller.get(Order, { id: '1' })?.status).toBe('shipped');
    },
  );

  it.each([false, true])(
    'an earlier read that ends later is repeated, the record being stored: %j',
    async (isStored) => {
      const { controller, getList, ship, reads } = start();
      if (isStored) controller.set(Order, { id: '1' }, order('open'));
      reads(getList, {});
      ignore(controller.fetch(ship.endpoint, { id: '1' }));
      await ship.respond(null);
      await getList.respond([order('open')], 0);
      expect(getList.calls).toHaveLength(2);
      await getList.respond([order('shipped')]);
      expect(controller.get(Order, { id: '1' })?.status).toBe('shipped');
    },
  );

  it('two earlier reads of an expired list that end later are repeated once', async () => {
    const { controller, getList, ship, reads } = start();
    reads(getList, {});
    controller.expireAll(getList.endpoint);
    ignore(controller.observe(getList.endpoint, {}).refetch());
    await flush();
    ignore(controller.fetch(ship.endpoint, { id: '1' }));
    await ship.respond(null);
    const { length } = getList.calls;
    for (let index = 0; index < length; index += 1) await getList.respond([order('open')], index);
    expect(getList.calls).toHaveLength(length + 1);
    await getList.respond([order('shipped')]);
    expect(controller.get(Order, { id: '1' })?.status).toBe('shipped');
    expect(getList.calls).toHaveLength(length + 1);
  });

  it('an earlier edit that ends later, after a read of the record that was not stored', async () => {
    const { controller, get, ship, reads } = start();
    const edit = mutation('edit', Order);
    ignore(controller.fetch(edit.endpoint, { id: '1' }));
    ignore(controller.fetch(ship.endpoint, { id: '1' }));
    await ship.respond(null);
    reads(get, { id: '1' });
    await get.respond(order('shipped'));
    await edit.respond(order('packed'));
    expect(get.calls).toHaveLength(2);
    await get.respond(order('shipped'));
    expect(controller.get(Order, { id: '1' })?.status).toBe('shipped');
  });

  it('a declined function that depends on an earlier edit that ends later', async () => {
    const { controller, get, reads } = start();
    const pack = mutation('pack', Order, () => order('packed'));
    const ship = mutation('ship', Order, (snapshot) => {
      if (snapshot.get(Order, { id: '1' })?.status === 'packed') throw snapshot.abort;
      return order('shipped');
    });
    reads(get, { id: '1' });
    await get.respond(order('open'));
    ignore(controller.fetch(pack.endpoint, { id: '1' }));
    ignore(controller.fetch(ship.endpoint, { id: '1' }));
    await ship.respond(null);
    await get.respond(order('shipped'));
    await pack.respond(order('packed'));
    await get.respond(order('shipped'));
    expect(controller.get(Order, { id: '1' })?.status).toBe('shipped');
  });

  it('a function that finds its response invalidated, and a read that overlaps', async () => {
    const { controller, get, reads } = start();
    const ship = mutation('ship', Order, (snapshot) => {
      const known = snapshot.getResponse(get.endpoint, { id: '1' }) as Order | undefined;
      return { id: '1', ...(known && { status: 'shipped' }) };
    });
    reads(get, { id: '1' });
    await get.respond(order('open'));
    void controller.invalidate(get.endpoint, { id: '1' });
    await flush();
    ignore(controller.fetch(ship.endpoint, { id: '1' }));
    await get.respond(order('open'));
    await ship.respond(null);
    await get.respond(order('shipped'));
    expect(controller.get(Order, { id: '1' })?.status).toBe('shipped');
    expect(get.calls).toHaveLength(3);
  });

  it('a predicted move of a record that is not stored fetches the lists again', async () => {
    const controller = new Controller();
    const orders = new Collection([Order], { name: 'moved orders' });
    const getList = manual('getList', orders);
    controller.setResponse(getList.endpoint, { status: 'shipped' }, []);
    const view = controller.observe(getList.endpoint, { status: 'shipped' });
    view.getSnapshot();
    const move = mutation('move', orders.move, () => order('shipped'));
    ignore(controller.fetch(move.endpoint, { id: '1' }));
    await move.respond(null);
    expect(view.needsLoad(true)).toBe(true);
  });

  it('a record of an earlier read is not fresh for readers that come later', async () => {
    const { controller, get, getList, ship } = start();
    controller.set(Order, { id: '1' }, order('open'));
    ignore(controller.fetch(getList.endpoint, {}));
    ignore(controller.fetch(ship.endpoint, { id: '1' }));
    await ship.respond(null);
    await getList.respond([order('open')]);
    expect(controller.observe(get.endpoint, { id: '1' }).needsLoad()).toBe(true);
  });
});
