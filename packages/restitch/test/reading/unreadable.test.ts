import { All, type Controller, Endpoint, Entity, Invalidate, Query } from 'restitch';
import { describe, expect, it } from 'vitest';
import { flush, Item, manual, openWorld, outcomeOf } from '../support/world.js';
import { responding, follow, unreadableCases } from './cases.js';

const params = { id: '1' };

const deleteItem = new Endpoint(async ({ id }: { id: string }) => ({ id }), {
  name: 'deleteItem',
  schema: new Invalidate(Item),
  sideEffect: true as const,
});

describe.each(unreadableCases)(
  'a response that cannot be read, where $name',
  ({ open, reason }) => {
    it('a reader has an error after at most one repeat', async () => {
      const { controller, endpoint, requests } = open();
      const view = controller.observe(endpoint, params);
      follow(view);
      await flush();
      expect(requests()).toBeLessThanOrEqual(2);
      expect(view.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'unreadable' } });
      expect(controller.getError(endpoint, params)?.message).toMatch(reason);
    });

    it('the promise of a load rejects with the error', async () => {
      const { controller, endpoint, requests } = open();
      const view = controller.observe(endpoint, params);
      expect(await outcomeOf(view.load())).toMatchObject({
        status: 'rejected',
        reason: { code: 'unreadable' },
      });
      expect(requests()).toBeLessThanOrEqual(2);
    });

    it('the error stays until a reader fetches again', async () => {
      const { controller, endpoint, requests } = open();
      const view = controller.observe(endpoint, params);
      follow(view);
      await flush();
      const [snapshot, before] = [view.getSnapshot(), requests()];
      expect(view.needsLoad(true)).toBe(false);
      expect(view.needsLoad()).toBe(false);
      await flush();
      expect(view.getSnapshot()).toBe(snapshot);
      await controller.invalidate(endpoint, params);
      expect(view.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'unreadable' } });
      expect(requests() - before).toBeLessThanOrEqual(2);
    });
  },
);

/** Refuses what is locked. */
class Guarded extends Item {
  static override validate(value: Readonly<Record<string, unknown>>): string | undefined {
    return value['isLocked'] ? 'it is locked' : undefined;
  }
}

const lock = (controller: Controller, isLocked: boolean): void =>
  controller.set(Item, params, { name: 'old', isLocked });

describe('a response that cannot be read', () => {
  it('is an error for its lifetime only: a reader that comes later asks again', async () => {
    const { controller, clock } = openWorld();
    lock(controller, true);
    const { endpoint, requests } = responding(Guarded, () => ({ id: '1', name: 'new' }));
    const view = controller.observe(endpoint, params);
    follow(view);
    await flush();
    expect(requests()).toBe(1);
    clock.now += 1_000;
    expect(view.needsLoad(true)).toBe(false);
    expect(view.needsLoad()).toBe(true);
    follow(view);
    await flush();
    expect(requests()).toBe(2);
    expect(view.getSnapshot().status).toBe('error');
  });

  it('shows without a request once something else makes it readable, and is asked for once when that ends', async () => {
    const { controller } = openWorld();
    lock(controller, true);
    const { endpoint, requests } = responding(Guarded, () => ({ id: '1', name: 'new' }));
    const view = controller.observe(endpoint, params);
    follow(view);
    await flush();
    lock(controller, false);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { id: '1' } });
    await flush();
    expect(requests()).toBe(1);
    lock(controller, true);
    await flush();
    expect(requests()).toBe(2);
    expect(view.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'unreadable' } });
  });

  it('rejects a fetch, too', async () => {
    const { controller } = openWorld();
    lock(controller, true);
    const { endpoint } = responding(Guarded, () => ({ id: '1', name: 'new' }));
    await expect(controller.fetch(endpoint, params)).rejects.toMatchObject({ code: 'unreadable' });
    await expect(controller.fetchIfStale(endpoint, params)).rejects.toMatchObject({
      code: 'unreadable',
    });
  });

  it('that a stream brings is an error without a request', () => {
    const { controller } = openWorld();
    lock(controller, true);
    const { endpoint, requests } = responding(Guarded, () => ({ id: '1', name: 'new' }));
    controller.setResponse(endpoint, params, { id: '1', name: 'new' });
    expect(controller.getError(endpoint, params)).toMatchObject({ code: 'unreadable' });
    expect(requests()).toBe(0);
  });

  it('is no error where it is what a function of the program makes of it', async () => {
    const { controller } = openWorld();
    class Seen extends Entity {
      id = '';
    }
    const none = new Query(new All(Seen), (all) => all.find(({ id }) => id === 'other'));
    const found = new Query(Seen, () => undefined);
    const text = (raw: string): string | undefined => (raw === '' ? undefined : raw);
    for (const [schema, response] of [
      [none, [{ id: '1' }]],
      [found, { id: '1' }],
      [text, ''],
    ] as const) {
      const { endpoint, requests } = responding(schema, () => response);
      const view = controller.observe(endpoint, params);
      follow(view);
      await flush();
      expect(view.getSnapshot()).toEqual({ status: 'ready', data: undefined, stale: false });
      expect(await outcomeOf(view.load())).toEqual({ status: 'fulfilled', value: undefined });
      expect(requests()).toBe(2);
    }
  });
});

describe('an empty response that the endpoint allows', () => {
  it.each([null, undefined])('is null to readers, be it %s', async (response) => {
    const { controller } = openWorld();
    const { endpoint, requests } = responding(Item, () => response, { nullable: true });
    const view = controller.observe(endpoint, params);
    follow(view);
    await flush();
    expect(view.getSnapshot()).toEqual({ status: 'ready', data: null, stale: false });
    expect(await outcomeOf(view.load())).toEqual({ status: 'fulfilled', value: null });
    expect(requests()).toBe(2);
  });
});

describe('a request that fails where readers see no data', () => {
  const soft = { errorPolicy: () => 'soft' as const, errorExpiryLength: 1_000 };
  const broken = (): never => {
    throw new Error('the server is down');
  };

  it('shows its error, soft or not, where the record was deleted', async () => {
    const { controller } = openWorld();
    const { endpoint, requests } = responding(Item, broken, soft);
    controller.setResponse(endpoint, params, { id: '1', name: 'a' });
    controller.setResponse(deleteItem, params, params);
    const view = controller.observe(endpoint, params);
    follow(view);
    await flush();
    expect(requests()).toBe(1);
    expect(view.getSnapshot()).toMatchObject({ error: { message: 'the server is down' } });
  });

  it('shows its error, soft or not, where data is invalid because it is stale', async () => {
    const { controller, clock } = openWorld();
    const { endpoint, requests } = responding(Item, broken, { ...soft, invalidIfStale: true });
    controller.setResponse(endpoint, params, { id: '1', name: 'a' });
    clock.now += 60_000;
    const view = controller.observe(endpoint, params);
    follow(view);
    await flush();
    expect(requests()).toBe(1);
    expect(view.getSnapshot()).toMatchObject({ error: { message: 'the server is down' } });
  });

  it('shows its error, soft or not, where only a part of the record is known', async () => {
    const { controller } = openWorld();
    const { endpoint, requests } = responding(Item, broken, soft);
    controller.set(Item, params, { id: '1' });
    const view = controller.observe(endpoint, params);
    follow(view);
    await flush();
    expect(requests()).toBe(1);
    expect(view.getSnapshot()).toMatchObject({ error: { message: 'the server is down' } });
  });
});

describe('data that is invalid as soon as it is stale', () => {
  it('is shown to a reader that waited for it, however slow the request was', async () => {
    const { controller, clock } = openWorld();
    const get = manual('getSlow', Item, { invalidIfStale: true, dataExpiryLength: 10 });
    const read = async (): Promise<string> => {
      const view = controller.observe(get.endpoint, params);
      if (view.getSnapshot().status === 'pending') void view.load();
      clock.now += 1_000;
      return view.getSnapshot().status;
    };
    await read();
    await get.respond({ id: '1', name: 'a' });
    // As a render that comes too late: it waits once more, and then it shows what came.
    clock.now += 1_000;
    await read();
    await get.respond({ id: '1', name: 'b' });
    clock.now += 1_000;
    expect(await read()).toBe('ready');
    expect(get.calls).toHaveLength(2);
  });

  it('is waited for again once it was shown fresh', async () => {
    const { controller, clock } = openWorld();
    const get = manual('getBrief', Item, { invalidIfStale: true, dataExpiryLength: 10 });
    const view = controller.observe(get.endpoint, params);
    for (let round = 0; round < 3; round += 1) {
      expect(view.getSnapshot().status).toBe('pending');
      const stop = follow(view);
      await get.respond({ id: '1', name: String(round) });
      expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: false });
      stop();
      clock.now += 10;
    }
  });
});

it('a mounted reader of `invalidIfStale` keeps its data when a record changes after its lifetime', async () => {
  const { controller, clock } = openWorld();
  const get = manual('getMounted', Item, { invalidIfStale: true, dataExpiryLength: 10 });
  const view = controller.observe(get.endpoint, params);
  follow(view);
  await get.respond({ id: '1', name: 'a' });
  expect(view.getSnapshot().status).toBe('ready');
  clock.now += 1_000;
  controller.set(Item, { id: '1' }, { name: 'b' });
  expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { name: 'b' } });
  expect(get.calls).toHaveLength(1);
  controller.expireAll(get.endpoint);
  expect(view.getSnapshot().status).toBe('pending');
});

describe('two readers whose responses remove data that the other one reads', () => {
  /** Each response replaces the whole record. */
  class Replaced extends Entity {
    id = '';
    static override key = 'Replaced';
    static override merge(
      _existing: Readonly<Record<string, unknown>>,
      incoming: Readonly<Record<string, unknown>>,
    ): Record<string, unknown> {
      return { ...incoming };
    }
  }
  class Left extends Replaced {
    left = '';
  }
  class Right extends Replaced {
    right = '';
  }
  const leftRow = { id: '1', left: 'l' };
  const rightRow = { id: '1', right: 'r' };

  it.each([60_000, 0])(
    'end with data or an error each, not with requests without end (kept for %i ms)',
    async (dataExpiryLength) => {
      const { controller } = openWorld();
      const left = responding(Left, () => leftRow, { dataExpiryLength });
      const right = responding(Right, () => rightRow, { dataExpiryLength });
      const views = [left, right].map(({ endpoint }) => controller.observe(endpoint, params));
      for (const view of views) follow(view);
      await flush();
      await flush();
      expect(left.requests() + right.requests()).toBeLessThanOrEqual(4);
      const states = views.map((view) => view.getSnapshot().status).sort();
      expect(states).toEqual(['error', 'ready']);
    },
  );

  it('ask once more after each response of others that is no repeat', async () => {
    const { controller } = openWorld();
    const left = responding(Left, () => leftRow);
    const view = controller.observe(left.endpoint, params);
    follow(view);
    await flush();
    for (let round = 2; round < 5; round += 1) {
      controller.setResponse(responding(Right, () => rightRow).endpoint, params, rightRow);
      await flush();
      expect(left.requests()).toBe(round);
      expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: leftRow });
    }
  });
});
