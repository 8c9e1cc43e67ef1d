import {
  Controller,
  type FailAction,
  type Manager,
  type ReceiveAction,
  SchemaError,
  type SuccessListener,
} from 'restitch';
import { describe, expect, it, vi } from 'vitest';
import { flush, Item, listen, manual, mutation, openWorld } from '../support/world.js';
import { collectUnhandled } from '../support/unhandled.js';

/** Lets a task pass, after which a promise counts as not handled. */
const task = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

const unhandled = collectUnhandled();

describe('onError of a controller', () => {
  it('is called with every failure and its action, after readers were notified', async () => {
    const order: string[] = [];
    const failures: [Error, FailAction][] = [];
    const { controller, reports } = openWorld({
      onError: (...failure) => {
        order.push('onError');
        failures.push(failure);
      },
    });
    const list = manual('getItems', [Item]);
    const save = mutation('save', undefined);
    const view = controller.observe(list.endpoint);
    view.subscribe(() => order.push('reader'));
    void view.load();
    await list.fail(new Error('list'));
    void controller.fetch(save.endpoint, { id: '1' });
    await save.fail(new Error('save'));
    void controller.fetch(save.endpoint, { id: '2' });
    await save.respond(undefined);
    expect(
      failures.map(([error, { type, endpoint, args, aborted }]) => [
        error.message,
        type,
        endpoint.name,
        args,
        aborted,
      ]),
    ).toEqual([
      ['list', 'fail', 'getItems', [], undefined],
      ['save', 'fail', 'save', [{ id: '1' }], undefined],
    ]);
    expect(failures[0]?.[1].error).toBe(failures[0]?.[0]);
    expect(order).toEqual(['reader', 'onError', 'onError']);
    await task();
    expect([reports, unhandled]).toEqual([[], []]);
  });

  it('is not called for aborted requests; the action says whether a reset or the callers ended them', async () => {
    const notified: unknown[] = [];
    const log: Manager = {
      middleware: () => (next) => (action) => {
        next(action);
        if (action.type === 'fail') notified.push([action.error.name, action.aborted]);
      },
    };
    const onError = vi.fn();
    const { controller } = openWorld({ onError, managers: [log] });
    const { endpoint, calls } = manual('getItem', Item);
    const stop = new AbortController();
    void controller.fetch(endpoint.extend({ signal: stop.signal }), { id: '1' });
    void controller.fetch(endpoint, { id: '2' });
    stop.abort();
    await flush();
    controller.resetEntireStore();
    await flush();
    expect(calls).toHaveLength(2);
    expect(notified).toEqual([
      ['AbortError', 'withdrawn'],
      ['AbortError', 'reset'],
    ]);
    expect(onError).not.toHaveBeenCalled();
    expect(unhandled).toEqual([]);
  });

  it('reports its own exceptions, and readers are still notified', async () => {
    const mistake = new Error('mistake');
    const { controller, reports } = openWorld({
      onError: () => {
        throw mistake;
      },
    });
    const { endpoint, fail } = manual('getItem', Item);
    const fetched = controller.fetch(endpoint, { id: '1' });
    const error = new Error('no');
    await Promise.all([expect(fetched).rejects.toBe(error), fail(error)]);
    expect(reports).toEqual([mistake]);
  });

  it('can be joined for a while by watchErrors', async () => {
    const { controller } = openWorld();
    const { endpoint, fail } = manual('getItem', Item);
    const listener = vi.fn();
    const stop = controller.watchErrors(listener);
    void controller.fetch(endpoint, { id: '1' });
    await fail(new Error('no'));
    stop();
    controller.fetch(endpoint, { id: '1' }).catch(() => {});
    await fail(new Error('no'));
    expect(listener).toHaveBeenCalledTimes(1);
  });
});

describe('onSuccess of a controller', () => {
  it('is called once per request, after readers and callers, with the response and its action', async () => {
    const order: string[] = [];
    const successes: [unknown, ReceiveAction][] = [];
    const onSuccess: SuccessListener = (...success) => {
      order.push('onSuccess');
      successes.push(success);
    };
    const { controller, reports } = openWorld({ onSuccess });
    const get = manual('getItem', Item);
    const save = mutation('save', undefined);
    const view = controller.observe(get.endpoint, { id: '1' });
    view.subscribe(() => order.push('reader'));
    void view.load();
    const joined = controller.fetch(get.endpoint, { id: '1' });
    await get.respond({ id: '1', name: 'a' });
    await joined;
    void controller.fetch(save.endpoint, { id: '1' });
    await save.respond('saved');
    expect(order).toEqual(['reader', 'onSuccess', 'onSuccess']);
    expect(
      successes.map(([response, { endpoint, args }]) => [response, endpoint.name, args]),
    ).toEqual([
      [{ id: '1', name: 'a' }, 'getItem', [{ id: '1' }]],
      ['saved', 'save', [{ id: '1' }]],
    ]);
    expect(reports).toEqual([]);
  });

  it('is not called for a response that the schema rejects; onError is', async () => {
    const [onSuccess, onError] = [vi.fn(), vi.fn()];
    const { controller } = openWorld({ onSuccess, onError });
    const { endpoint, respond } = manual('getItem', Item);
    void controller.fetch(endpoint, { id: '1' });
    await respond({ name: 'no key' });
    expect(onSuccess).not.toHaveBeenCalled();
    expect(onError.mock.calls.map(([error]) => error)).toEqual([expect.any(SchemaError)]);
  });

  it('is not called for a failure, and can be joined for a while by watchSuccesses', async () => {
    const { controller } = openWorld();
    const { endpoint, respond, fail } = manual('getItem', Item);
    const listener = vi.fn();
    const stop = controller.watchSuccesses(listener);
    controller.fetch(endpoint, { id: '1' }).catch(() => {});
    await fail(new Error('no'));
    expect(listener).not.toHaveBeenCalled();
    void controller.fetch(endpoint, { id: '1' });
    await respond({ id: '1', name: 'a' });
    stop();
    void controller.fetch(endpoint, { id: '1' });
    await respond({ id: '1', name: 'b' });
    expect(listener).toHaveBeenCalledTimes(1);
  });
});

describe('development without onError', () => {
  it('a failed fetch whose promise nothing handled prints one line that names the endpoint', async () => {
    const { controller, reports } = openWorld();
    const { endpoint, fail } = manual('getItem', Item);
    void controller.fetch(endpoint, { id: '1' });
    void controller.fetch(endpoint.extend({ signal: new AbortController().signal }), { id: '2' });
    await fail(new Error('no'), 0);
    await fail(new Error('nor this'), 1);
    await task();
    expect(reports).toEqual([
      'restitch: getItem failed, and nothing handled the promise of controller.fetch: no',
      'restitch: getItem failed, and nothing handled the promise of controller.fetch: nor this',
    ]);
    expect(unhandled).toEqual([]);
  });

  it.each<[string, (promise: Promise<unknown>) => unknown]>([
    ['catch', (promise) => promise.catch(() => {})],
    ['then', (promise) => promise.then(undefined, () => {})],
    [
      'await',
      async (promise) => {
        try {
          await promise;
        } catch {
          // Handled.
        }
      },
    ],
    ['Promise.all', (promise) => Promise.all([promise, Promise.resolve()]).catch(() => {})],
    ['a caller that is async', (promise) => (async () => promise)().catch(() => {})],
  ])('says nothing where %s handles it', async (_, handle) => {
    const { controller, reports } = openWorld();
    const { endpoint, fail } = manual('getItem', Item);
    void handle(controller.fetch(endpoint, { id: '1' }));
    const late = controller.fetch(endpoint, { id: '2' });
    await fail(new Error('no'), 0);
    const failed = fail(new Error('no'), 1);
    // Within the task.
    await Promise.resolve();
    void handle(late);
    await failed;
    await task();
    expect([reports, unhandled]).toEqual([[], []]);
  });

  it('says nothing of an abort, and nothing of a reader', async () => {
    const { controller, reports } = openWorld();
    const { endpoint, fail } = manual('getItem', Item);
    void controller.fetch(endpoint, { id: '1' });
    controller.resetEntireStore();
    const view = controller.observe(endpoint, { id: '2' });
    listen(view);
    void view.load();
    await fail(new Error('no'));
    await task();
    expect(reports).toEqual([]);
  });

  it('gives a promise like any other', async () => {
    const controller = new Controller();
    const { endpoint, respond } = manual('getItem', Item);
    const fetched = controller.fetch(endpoint, { id: '1' });
    expect(fetched).toBeInstanceOf(Promise);
    const next = fetched.then((item) => item);
    expect(next.constructor).toBe(Promise);
    await respond({ id: '1', name: 'a' });
    expect(await fetched).toBe(controller.get(Item, { id: '1' }));
    expect(await next.finally(() => {})).toBe(await fetched);
  });
});
