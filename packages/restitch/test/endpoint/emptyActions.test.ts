/** An empty response (204) to an action below a record: the store does not know what changed, so readers fetch again. */
import {
  Controller,
  type EndpointInterface,
  Entity,
  resource,
  RestEndpoint,
  Union,
} from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

class Order extends Entity {
  static override key = 'Order';
  id = '';
  status = '';
  type = 'order';
}

const Orders = resource({ urlPrefix: server.origin, path: '/orders/:id', schema: Order });

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
    expect(reads.toSorted()).toEqual(['/orders', '/orders/1']);
    expect(views.map((view) => view.needsLoad(true))).toEqual([false, false]);
  });

  it('resolves to the stored record, and to null without one', async () => {
    const { controller } = await open();
    expect(await controller.fetch(ship, { id: '1' })).toBeInstanceOf(Order);
    expect(await controller.fetch(ship, { id: '2' })).toBe(null);
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

it('makes readers of the record in an envelope fetch again', async () => {
  const { controller } = await open();
  const ship = new RestEndpoint({ ...action, schema: { data: Order } });
  await controller.fetch(ship, { id: '1' });
  await expect.poll(() => controller.get(Order, { id: '1' })?.status).toBe('shipped');
});
