import { RestEndpoint } from 'restitch';
import { describe, expect, it } from 'vitest';
import { dataOf, ignore, Item, listen, manual, openWorld } from '../support/world.js';

const soft = { errorPolicy: () => 'soft' as const };

describe('a soft error', () => {
  it('leaves data that another endpoint brought visible', async () => {
    const { controller, clock } = openWorld();
    const { endpoint, fail } = manual('getItem', Item, soft);
    controller.set(Item, { id: '1' }, { name: 'a' });
    clock.now += 100_000;
    const view = controller.observe(endpoint, { id: '1' });
    const notified = listen(view);
    const before = view.getSnapshot();
    ignore(view.load());
    const error = new Error('500');
    await fail(error);
    expect(view.getSnapshot()).toEqual({ ...before, error });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { name: 'a' } });
    expect(notified.count).toBe(1);
  });

  it('leaves stale data stale', async () => {
    const { controller, clock } = openWorld();
    const { endpoint, fail } = manual('getItem', Item, soft);
    controller.setResponse(endpoint, { id: '1' }, { id: '1', name: 'a' });
    clock.now += 100_000;
    const view = controller.observe(endpoint, { id: '1' });
    ignore(view.load());
    await fail(new Error('500'));
    expect(view.getSnapshot()).toMatchObject({
      status: 'ready',
      data: { name: 'a' },
      stale: true,
    });
  });
});

describe('fetchIfStale', () => {
  it('refetches data that grew old under a mounted reader, also right after a soft error', async () => {
    const { controller, clock } = openWorld();
    const { endpoint, calls, respond, fail } = manual('getItem', Item, soft);
    controller.setResponse(endpoint, { id: '1' }, { id: '1', name: 'a' });
    listen(controller.observe(endpoint, { id: '1' }));
    clock.now += 100_000;
    ignore(controller.fetch(endpoint, { id: '1' }));
    await fail(new Error('500'));
    const fetched = controller.fetchIfStale(endpoint, { id: '1' });
    expect(calls).toHaveLength(2);
    await respond({ id: '1', name: 'b' });
    expect(await fetched).toMatchObject({ name: 'b' });
  });
});

describe('an error policy that throws', () => {
  it('counts as hard: it rejects for the caller, and readers throw it', async () => {
    const { controller } = openWorld();
    const { endpoint, fail } = manual('getItem', Item, {
      errorPolicy: (error: { response: Response }) =>
        error.response.status >= 500 ? 'soft' : 'hard',
    });
    const view = controller.observe(endpoint, { id: '1' });
    const request = controller.fetch(endpoint, { id: '1' });
    ignore(request);
    const failure = new TypeError('failed to fetch');
    await fail(failure);
    await expect(request).rejects.toBe(failure);
    expect(view.getSnapshot()).toMatchObject({ status: 'error', error: failure });
  });
});

describe('expireAll', () => {
  it('expires data of readers that another endpoint brought', () => {
    const { controller } = openWorld();
    const { endpoint } = manual('getItem', Item);
    controller.set(Item, { id: '1' }, { name: 'a' });
    const view = controller.observe(endpoint, { id: '1' });
    listen(view);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: false });
    controller.expireAll(endpoint);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: true });
    expect(view.needsLoad(true)).toBe(true);
  });
});

describe('a response that was requested before', () => {
  it('the data was expired shows, and does not make it fresh', async () => {
    const { controller } = openWorld();
    const { endpoint, respond, calls } = manual('getItem', Item);
    controller.setResponse(endpoint, { id: '1' }, { id: '1', name: 'old' });
    const view = controller.observe(endpoint, { id: '1' });
    ignore(controller.fetch(endpoint, { id: '1' }));
    controller.expireAll(endpoint);
    await respond({ id: '1', name: 'new' }, 0);
    expect(dataOf(view)?.name).toBe('new');
    expect([view.getSnapshot(), view.needsLoad()]).toMatchObject([{ stale: true }, true]);
    // A caller that awaits it gets a response that began after.
    expect(calls).toHaveLength(2);
    await respond({ id: '1', name: 'newer' });
    expect([view.getSnapshot(), view.needsLoad()]).toMatchObject([{ stale: false }, false]);
  });

  it('a newer one came does not replace it by its failure', async () => {
    const { controller } = openWorld();
    const { endpoint, fail } = manual('getText', undefined);
    const request = controller.fetch(endpoint);
    ignore(request);
    controller.setResponse(endpoint, 'newer');
    await fail(new Error('no'));
    expect(controller.getError(endpoint)).toBeUndefined();
    expect(controller.getResponse(endpoint)).toBe('newer');
  });
});

describe('data that another endpoint brought', () => {
  it('is as fresh as the newest response says, not the longest', () => {
    const { controller, clock } = openWorld();
    const forever = manual('forever', [Item], { dataExpiryLength: Infinity });
    const brief = manual('brief', [Item], { dataExpiryLength: 10 });
    const get = manual('getItem', Item);
    controller.setResponse(forever.endpoint, [{ id: '1', name: 'a' }]);
    clock.now += 1_000_000;
    expect(controller.observe(get.endpoint, { id: '1' }).needsLoad()).toBe(false);
    controller.setResponse(brief.endpoint, [{ id: '1', name: 'a' }]);
    clock.now += 1_000;
    expect(controller.observe(get.endpoint, { id: '1' }).needsLoad()).toBe(true);
    expect(controller.observe(forever.endpoint).needsLoad()).toBe(false);
  });

  it('is no result of a path that goes on behind the id, or has the id in its query', () => {
    const { controller } = openWorld();
    controller.set(Item, { id: '5' }, { name: 'five' });
    const getItem = new RestEndpoint({ path: '/items/:id', schema: Item });
    const getOwner = new RestEndpoint({ path: '/projects/:id/owner', schema: Item });
    expect(dataOf(controller.observe(getItem, { id: '5' }))?.name).toBe('five');
    const byQuery = new RestEndpoint({ path: '/owner?project=:id', schema: Item });
    for (const endpoint of [getOwner, byQuery]) {
      const view = controller.observe(endpoint, { id: '5' });
      expect(view.getSnapshot()).toEqual({ status: 'pending' });
      expect(view.needsLoad()).toBe(true);
    }
  });
});

describe('a result with a lifetime of 0', () => {
  it('shows, stale from the start', async () => {
    const { controller } = openWorld();
    const { endpoint, respond } = manual('getItem', Item, { dataExpiryLength: 0 });
    controller.setResponse(endpoint, { id: '1' }, { id: '1', name: 'set' });
    const request = controller.fetch(endpoint, { id: '2' });
    await respond({ id: '2', name: 'fetched' });
    await request;
    for (const id of ['1', '2']) {
      const view = controller.observe(endpoint, { id });
      expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { id }, stale: true });
      expect(view.needsLoad()).toBe(true);
    }
  });

  it.each([
    ['a value', undefined],
    ['a record', Item],
    ['a record beside plain fields', { item: Item, name: '' }],
  ])('is replaced under its mounted readers by each response: %s', async (_, schema) => {
    const { controller } = openWorld();
    const { endpoint, respond } = manual('getItem', schema, { dataExpiryLength: 0 });
    const view = controller.observe(endpoint, { id: '1' });
    const notified = listen(view);
    const response = (name: string) => ({ id: '1', name, item: { id: '1', name } });
    for (const name of ['first', 'second', 'third']) {
      const fetched = controller.fetch(endpoint, { id: '1' });
      await respond(response(name));
      expect(dataOf(view)).toEqual(await fetched);
      expect(dataOf(view)?.name).toBe(name);
    }
    expect(notified.count).toBe(3);
    expect(view.needsLoad(true)).toBe(false);
  });

  it.each([404, 500])('loses the error %i with the next response', async (status) => {
    const { controller } = openWorld();
    const { endpoint, respond, fail } = manual('getItem', undefined, { dataExpiryLength: 0 });
    const view = controller.observe(endpoint, { id: '1' });
    const stop = view.subscribe(() => {});
    const failing = async () => {
      ignore(controller.fetch(endpoint, { id: '1' }));
      await fail(Object.assign(new Error('failed'), { status }));
      expect(view.getSnapshot().status).toBe('error');
    };
    const succeeding = async (name: string) => {
      ignore(controller.fetch(endpoint, { id: '1' }));
      await respond({ name });
      expect(controller.getError(endpoint, { id: '1' })).toBeUndefined();
    };
    await failing();
    await succeeding('mounted');
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { name: 'mounted' } });
    await failing();
    stop();
    await succeeding('unread');
    expect(view.getSnapshot()).toEqual({ status: 'pending' });
  });

  it('is not stored without readers; it removes an older response', async () => {
    const { controller } = openWorld();
    const { endpoint, respond } = manual('getItem', undefined, { dataExpiryLength: 0 });
    controller.setResponse(endpoint, { id: '1' }, { name: 'older' });
    ignore(controller.fetch(endpoint, { id: '1' }));
    await respond({ name: 'newer' });
    expect(controller.getResponse(endpoint, { id: '1' })).toBeUndefined();
  });

  it('stays as it is when the response to an older request arrives', async () => {
    const { controller } = openWorld();
    const { endpoint, respond } = manual('getItem', undefined, { dataExpiryLength: 0 });
    const view = controller.observe(endpoint, { id: '1' });
    listen(view);
    ignore(controller.fetch(endpoint, { id: '1' }));
    controller.setResponse(endpoint, { id: '1' }, { name: 'newer' });
    await respond({ name: 'older' });
    expect(dataOf(view)?.name).toBe('newer');
  });
});

describe('a view', () => {
  it('loads with the endpoint that asked last, not first', async () => {
    const { controller } = openWorld();
    const seen: string[] = [];
    const base = manual('me', Item).endpoint;
    const as = (token: string) =>
      base.extend({
        fetch: async () => {
          seen.push(token);
          return { id: '1', name: token };
        },
      });
    controller.observe(as('old'));
    const user = await controller.observe(as('new')).load();
    expect(seen).toEqual(['new']);
    expect(user.name).toBe('new');
  });
});
