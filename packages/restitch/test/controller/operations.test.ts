/** What each method of the controller promises when it is called by itself. */
import { Collection, Controller, Endpoint, Entity, Invalidate } from 'restitch';
import { describe, expect, it } from 'vitest';
import {
  flush,
  ignore,
  Item,
  listen,
  manual,
  mutation,
  openWorld,
  outcomeOf,
} from '../support/world.js';

describe('fetch', () => {
  it('resolves to the raw value where there is no schema, and rejects with the very error', async () => {
    const { controller } = openWorld();
    const value = { plain: true };
    const mistake = new Error('down');
    const get = new Endpoint(async () => value, { name: 'getPlain' });
    const fail = new Endpoint(() => Promise.reject(mistake), { name: 'getFailing' });
    expect(await controller.fetch(get)).toBe(value);
    await expect(controller.fetch(fail)).rejects.toBe(mistake);
  });

  it('resolves to the stored instance, in which a newer change shows', async () => {
    const { controller } = openWorld();
    const get = manual('getItem', Item);
    const edit = mutation('edit', Item, () => ({ id: '1', name: 'optimistic' }));
    const request = controller.fetch(get.endpoint, { id: '1' });
    ignore(controller.fetch(edit.endpoint, { id: '1' }));
    await get.respond({ id: '1', name: 'response' });
    const item = await request;
    expect(item).toBeInstanceOf(Item);
    expect(item).toBe(controller.get(Item, { id: '1' }));
    expect(item.name).toBe('optimistic');
  });

  it('stores the response, which calling the endpoint directly does not', async () => {
    const { controller } = openWorld();
    const get = new Endpoint(async () => ({ id: '1', name: 'a' }), {
      name: 'getOne',
      schema: Item,
    });
    await get();
    expect(controller.get(Item, { id: '1' })).toBeUndefined();
    await controller.fetch(get);
    expect(controller.get(Item, { id: '1' })?.name).toBe('a');
  });

  it('sends one request for callers of one key, and one for each mutation', async () => {
    const { controller } = openWorld();
    const get = manual('getItem', Item);
    const edit = mutation('edit', Item);
    for (let count = 0; count < 3; count += 1) {
      ignore(controller.fetch(get.endpoint, { id: '1' }));
      ignore(controller.fetch(edit.endpoint, { id: '1' }));
    }
    await flush();
    expect([get.calls.length, edit.calls.length]).toEqual([1, 3]);
  });

  it('resolves a deletion to the instance that the server returned, where the store did not know it', async () => {
    const { controller } = openWorld();
    const remove = mutation('remove', new Invalidate(Item));
    const whole = controller.fetch(remove.endpoint, { id: '1' });
    await remove.respond({ id: '1', name: 'gone' });
    expect(await whole).toBeInstanceOf(Item);
    expect(await whole).toMatchObject({ id: '1', name: 'gone' });
    const key = controller.fetch(remove.endpoint, { id: '2' });
    await remove.respond({ id: '2' });
    expect(await key).toBeUndefined();
  });

  it('aborted by one caller goes on for another of the same key', async () => {
    const { controller } = openWorld();
    const { endpoint, calls, respond } = manual('getItem', Item);
    const mine = new AbortController();
    const first = controller.fetch(endpoint.extend({ signal: mine.signal }), { id: '1' });
    const second = controller.fetch(endpoint, { id: '1' });
    mine.abort();
    expect(await outcomeOf(first)).toMatchObject({ reason: { name: 'AbortError' } });
    await respond({ id: '1', name: 'a' });
    expect((await second).name).toBe('a');
    expect(calls).toHaveLength(1);
  });
});

describe('fetchIfStale', () => {
  it('returns fresh data without a request, and refetches stale data', async () => {
    const { controller, clock } = openWorld();
    const { endpoint, calls, respond } = manual('getItem', Item);
    controller.setResponse(endpoint, { id: '1' }, { id: '1', name: 'a' });
    expect((await controller.fetchIfStale(endpoint, { id: '1' })).name).toBe('a');
    expect(calls).toHaveLength(0);
    clock.now += 100_000;
    const request = controller.fetchIfStale(endpoint, { id: '1' });
    await respond({ id: '1', name: 'b' });
    expect((await request).name).toBe('b');
  });
});

describe('fetchIfStale after a refetch that failed softly', () => {
  it('refetches at once: the stored data is still stale', async () => {
    const { controller, clock } = openWorld();
    const soft = { errorPolicy: () => 'soft' as const };
    const { endpoint, calls, respond, fail } = manual('getItem', Item, soft);
    controller.setResponse(endpoint, { id: '1' }, { id: '1', name: 'old' });
    clock.now += 100_000;
    ignore(controller.fetch(endpoint, { id: '1' }));
    await fail(new Error('down'));
    expect(controller.observe(endpoint, { id: '1' }).needsLoad()).toBe(false);
    const request = controller.fetchIfStale(endpoint, { id: '1' });
    await flush();
    expect(calls).toHaveLength(2);
    await respond({ id: '1', name: 'new' });
    expect((await request).name).toBe('new');
  });
});

describe('invalidate', () => {
  it.each([
    ['with a schema', Item],
    ['without one', undefined],
  ])('makes a result %s missing, and only that one', (_, schema) => {
    const { controller } = openWorld();
    const { endpoint } = manual('getItem', schema);
    for (const id of ['1', '2']) controller.setResponse(endpoint, { id }, { id, name: id });
    const views = ['1', '2'].map((id) => controller.observe(endpoint, { id }));
    const statuses = (): string[] => views.map((view) => view.getSnapshot().status);
    void controller.invalidate(endpoint, null);
    expect(statuses()).toEqual(['ready', 'ready']);
    void controller.invalidate(endpoint, { id: '1' });
    expect(statuses()).toEqual(['pending', 'ready']);
    expect(views[0]?.needsLoad()).toBe(true);
    expect(controller.getResponse(endpoint, { id: '1' })).toBeUndefined();
  });

  it('clears errors too, as invalidateAll does', () => {
    const { controller } = openWorld();
    const { endpoint } = manual('getItem', Item);
    for (const id of ['1', '2']) controller.setError(endpoint, { id }, new Error('down'));
    const errors = () => ['1', '2'].map((id) => controller.getError(endpoint, { id })?.message);
    void controller.invalidate(endpoint, { id: '1' });
    expect(errors()).toEqual([undefined, 'down']);
    void controller.invalidateAll(endpoint);
    expect(errors()).toEqual([undefined, undefined]);
  });
});

describe('invalidateAll and expireAll', () => {
  it('apply to every result of their endpoint and to no other, binary ones included', () => {
    const { controller } = openWorld();
    const one = manual('getFile', undefined);
    const other = manual('getOther', undefined);
    for (const id of ['1', '2']) {
      controller.setResponse(one.endpoint, { id }, new Blob([id]));
      controller.setResponse(other.endpoint, { id }, new Blob([id]));
    }
    const shownNow = () =>
      [one, other].flatMap(({ endpoint }) =>
        ['1', '2'].map((id) => {
          const snapshot = controller.observe(endpoint, { id }).getSnapshot();
          return snapshot.status === 'ready' && snapshot.stale ? 'stale' : snapshot.status;
        }),
      );
    controller.expireAll(one.endpoint);
    expect(shownNow()).toEqual(['stale', 'stale', 'ready', 'ready']);
    expect(controller.getResponse(one.endpoint, { id: '1' })).toBeInstanceOf(Blob);
    void controller.invalidateAll(one.endpoint);
    expect(shownNow()).toEqual(['pending', 'pending', 'ready', 'ready']);
  });
});

describe('resetEntireStore', () => {
  it('aborts requests in flight, rejects for their callers, and ignores responses and failures that arrive afterwards', async () => {
    const { controller } = openWorld();
    controller.set(Item, { id: '2' }, { name: 'old' });
    // It does not listen to its signal: its response comes all the same.
    const ends: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = [];
    const deaf = (name: string, options: object) =>
      new Endpoint(
        (_: object) => new Promise((resolve, reject) => ends.push({ resolve, reject })),
        {
          name,
          schema: Item,
          ...options,
        },
      );
    const read = controller.fetch(deaf('read', {}), { id: '1' });
    const optimistically = {
      sideEffect: true,
      getOptimisticResponse: () => ({ id: '2', name: 'optimistic' }),
    };
    const failing = controller.fetch(deaf('failing', optimistically), { id: '2' });
    const writing = controller.fetch(deaf('writing', optimistically), { id: '2' });
    expect(controller.get(Item, { id: '2' })?.name).toBe('optimistic');
    controller.resetEntireStore();
    expect(controller.get(Item, { id: '2' })).toBeUndefined();
    const outcomes = await Promise.all([read, failing, writing].map(outcomeOf));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    controller.set(Item, { id: '2' }, { name: 'new' });
    ends[0]?.resolve({ id: '1', name: 'late' });
    ends[1]?.reject(new Error('late'));
    ends[2]?.resolve({ id: '2', name: 'late' });
    await flush();
    expect(controller.get(Item, { id: '1' })).toBeUndefined();
    expect(controller.get(Item, { id: '2' })?.name).toBe('new');
  });
});

describe('setResponse, setError and set', () => {
  it('copies a value without a schema, so that changing it does not change the store', () => {
    const controller = new Controller();
    const settings = new Endpoint(async () => ({ theme: { dark: true }, tabs: ['a'] }));
    const own = { theme: { dark: true }, tabs: ['a'] };
    controller.setResponse(settings, own);
    own.theme.dark = false;
    own.tabs.push('b');
    const kept = { theme: { dark: true }, tabs: ['a'] };
    expect(controller.getResponse(settings)).toEqual(kept);
    // What is no plain data stays what it is.
    const file = new Endpoint(async () => new Blob(['a']));
    const blob = new Blob(['b']);
    controller.setResponse(file, blob);
    expect(controller.getResponse(file)).toBe(blob);
    expect(Object.isFrozen(own)).toBe(false);
  });

  it('refuses to set null and undefined, which would do nothing', () => {
    class Row extends Entity {
      id = '';
    }
    const rows = new Collection([Row]);
    const controller = new Controller();
    controller.set(Row, { id: '3' }, { id: '3' });
    for (const nothing of [null, undefined]) {
      expect(() => controller.set(Row, { id: '3' }, nothing as never)).toThrow(
        `controller.set(Row): ${nothing} is no value`,
      );
      expect(() => controller.set(rows, {}, nothing as never)).toThrow(TypeError);
    }
    expect(controller.get(Row, { id: '3' })).toBeDefined();
    controller.set(new Invalidate(Row), { id: '3' }, { id: '3' });
    expect(controller.get(Row, { id: '3' })).toBeUndefined();
  });

  it('store as if fetched: a response, an error, one record', () => {
    const { controller } = openWorld();
    const { endpoint, calls } = manual('getItem', Item);
    const view = controller.observe(endpoint, { id: '1' });
    const notified = listen(view);
    const mistake = new Error('down');
    controller.setError(endpoint, { id: '1' }, mistake);
    expect(view.getSnapshot()).toMatchObject({ status: 'error', error: mistake });
    expect(controller.getError(endpoint, { id: '1' })).toBe(mistake);
    controller.setResponse(endpoint, { id: '1' }, { id: '1', name: 'a' });
    expect(view.getSnapshot()).toMatchObject({
      status: 'ready',
      stale: false,
      data: { name: 'a' },
    });
    expect(controller.getError(endpoint, { id: '1' })).toBeUndefined();
    controller.set(Item, { id: '1' }, { name: 'b' });
    expect(controller.getResponse(endpoint, { id: '1' })?.name).toBe('b');
    expect([notified.count, calls.length]).toEqual([3, 0]);
  });
});
