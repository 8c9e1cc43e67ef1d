import {
  Controller,
  countRequests,
  Entity,
  PollingManager,
  RecoveryManager,
  type RecoveryManagerOptions,
  RestEndpoint,
} from 'restitch';
import { mockFixtures } from 'restitch/testing/fixtures';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { Clock, settle } from '../support/clock.js';

const server = await serverOfFile();
/** The statuses of the next responses; 200 afterwards. */
let statuses: number[] = [];
beforeEach(() => {
  // Retries wait for a random time, from 0 to a limit.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  statuses = [];
  server.seen.splice(0);
  server.respond((_, response) => {
    const status = statuses.shift() ?? 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(server.seen.length));
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

function open(options?: RecoveryManagerOptions, more: object = {}) {
  const clock = new Clock();
  const controller = new Controller({
    managers: [new RecoveryManager(options)],
    environment: clock.environment,
  });
  const get = new RestEndpoint({
    urlPrefix: server.origin ?? '',
    path: '/counts/:id',
    dataExpiryLength: 1_000,
    ...more,
  });
  const save = get.extend({ method: 'POST', body: undefined });
  const count = () => server.seen.length;
  return { clock, controller, get, save, count };
}

describe('a read with a RecoveryManager', () => {
  it('is retried twice after a soft failure', async () => {
    const { controller, get, count } = open();
    statuses = [503, 500];
    expect(await controller.fetch(get, { id: '1' })).toBe(3);
    statuses = [503, 503, 503];
    await expect(controller.fetch(get, { id: '2' })).rejects.toMatchObject({ status: 503 });
    expect(count()).toBe(6);
  });

  it('is not retried after a hard failure; a mutation never is', async () => {
    const { controller, get, save, count } = open();
    statuses = [404];
    await expect(controller.fetch(get, { id: '1' })).rejects.toMatchObject({ status: 404 });
    statuses = [503];
    await expect(controller.fetch(save, { id: '1' })).rejects.toMatchObject({ status: 503 });
    expect(count()).toBe(2);
  });

  it('is not retried by a poll after a hard failure, which keeps the data', async () => {
    const clock = new Clock();
    const failures: unknown[] = [];
    const controller = new Controller({
      managers: [new RecoveryManager(), new PollingManager()],
      environment: clock.environment,
      onError: (error) => failures.push(error),
    });
    const get = new RestEndpoint({
      urlPrefix: server.origin ?? '',
      path: '/polled',
      pollFrequency: 1_000,
      // A retry by the endpoint itself follows the same rule.
      retry: 1,
    });
    const view = controller.observe(get);
    const stop = view.subscribe(() => {});
    await view.load();
    controller.subscribe(get);
    statuses = [401];
    await clock.pass(1_500);
    await expect.poll(() => failures.length).toBe(1);
    expect(server.seen).toHaveLength(2);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', error: { status: 401 } });
    stop();
    controller.dispose();
  });

  it('is not retried with `retry: 0`, and as often as its own endpoint says', async () => {
    const none = open({ retry: 0 });
    statuses = [503];
    await expect(none.controller.fetch(none.get, { id: '1' })).rejects.toMatchObject({
      status: 503,
    });
    expect(none.count()).toBe(1);
    const own = open({}, { retry: 1 });
    statuses = [503, 503];
    await expect(own.controller.fetch(own.get, { id: '1' })).rejects.toMatchObject({ status: 503 });
    expect(own.count()).toBe(3);
  });

  it('is not retried without the manager, in a direct call, and by fixtures', async () => {
    const { get, count } = open();
    statuses = [503, 503];
    await expect(new Controller().fetch(get, { id: '1' })).rejects.toMatchObject({ status: 503 });
    await expect(get({ id: '1' })).rejects.toMatchObject({ status: 503 });
    expect(count()).toBe(2);
    const error = Object.assign(new Error('down'), { status: 503 });
    const fixtures = mockFixtures([{ endpoint: get, args: [{ id: '1' }], error }]);
    const controller = new Controller({ managers: [new RecoveryManager(), fixtures] });
    await expect(controller.fetch(get, { id: '1' })).rejects.toBe(error);
    expect(count()).toBe(2);
  });

  it('ends with an abort', async () => {
    const { controller, get, count } = open({ retry: { limit: 5, backoff: () => 60_000 } });
    statuses = [503];
    const abort = new AbortController();
    const call = controller.fetch(get.extend({ signal: abort.signal }), { id: '1' });
    await expect.poll(() => count()).toBe(1);
    abort.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(count()).toBe(1);
  });

  it('that starts offline waits for the network; a mutation and `networkMode: always` do not', async () => {
    const { clock, controller, get, save, count } = open();
    await clock.change({ isOnline: false });
    const waiting = controller.fetch(get, { id: '1' });
    const aborted = new AbortController();
    const given = controller.fetch(get.extend({ signal: aborted.signal }), { id: '2' });
    await controller.fetch(save, { id: '1' });
    await controller.fetch(get.extend({ networkMode: 'always' }), { id: '3' });
    expect([count(), controller.countFetching(get)]).toEqual([2, 0]);
    expect(countRequests(controller, { endpoint: get })).toBe(0);
    aborted.abort();
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
    await clock.change({ isOnline: true });
    expect(await waiting).toBe(3);
    // The manager itself listens for as long as the controller exists.
    expect([count(), clock.listeners]).toEqual([3, 1]);
  });
});

class Count extends Entity {
  id = '';
  value = 0;
}

describe('a read that waits for the network', () => {
  it('is paused, notifies when it is sent, and is joined at any age', async () => {
    const { clock, controller, get, count } = open();
    await clock.change({ isOnline: false });
    const view = controller.observe(get, { id: '1' });
    const statuses: string[] = [];
    controller.watchFetching(() => statuses.push(view.fetchStatus));
    const first = controller.fetch(get, { id: '1' });
    await settle();
    clock.now += 600_000;
    const second = controller.fetch(get, { id: '1' });
    expect(view.fetchStatus).toBe('paused');
    await clock.change({ isOnline: true });
    expect(await Promise.all([first, second])).toEqual([1, 1]);
    expect([count(), statuses]).toEqual([1, ['paused', 'fetching', 'idle']]);
  });

  it('is sent once if it was invalidated meanwhile', async () => {
    const { clock, controller, get, count } = open();
    await clock.change({ isOnline: false });
    const waiting = controller.fetch(get, { id: '1' });
    void controller.invalidate(get, { id: '1' });
    await clock.change({ isOnline: true });
    expect([await waiting, count(), clock.listeners]).toEqual([1, 1, 1]);
  });

  it('is newer than a write that ended before it was sent', async () => {
    const { clock, controller, get } = open(undefined, { schema: Count });
    server.respond((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: '1', value: 2 }));
    });
    await clock.change({ isOnline: false });
    const waiting = controller.fetch(get, { id: '1' });
    controller.set(Count, { id: '1' }, { value: 1 });
    clock.now += 600_000;
    await clock.change({ isOnline: true });
    expect(await waiting).toMatchObject({ value: 2 });
    expect(controller.get(Count, { id: '1' })).toMatchObject({ value: 2 });
  });

  it('rejects and frees its listener when the store is reset', async () => {
    const { clock, controller, get, count } = open();
    await clock.change({ isOnline: false });
    const waiting = controller.fetch(get, { id: '1' });
    controller.resetEntireStore();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await clock.change({ isOnline: true });
    expect([count(), clock.listeners]).toEqual([0, 1]);
  });

  it('is also the retry of a read that failed while the network went down', async () => {
    const { clock, controller, get, count } = open();
    server.respond((_, response) => {
      clock.isOnline = server.seen.length !== 1;
      response.writeHead(clock.isOnline ? 200 : 503, { 'content-type': 'application/json' });
      response.end('1');
    });
    const waiting = controller.fetch(get, { id: '1' });
    const view = controller.observe(get, { id: '1' });
    await expect.poll(() => view.fetchStatus).toBe('paused');
    await clock.change({ isOnline: true });
    expect([await waiting, count()]).toEqual([1, 2]);
  });
});

describe('data with a RecoveryManager', () => {
  /** Mounts a reader that loads whenever it has to, as a component does. */
  async function mount({ controller, get }: ReturnType<typeof open>, id = '1') {
    const view = controller.observe(get, { id });
    view.subscribe(() => void (view.needsLoad(true) && view.load()));
    await view.load();
    return view;
  }

  it('is refetched on focus and on reconnect if it is stale, at most every five seconds', async () => {
    const world = open();
    const { clock, controller, count } = world;
    await mount(world);
    await clock.change({ isVisible: false });
    await clock.change({ isVisible: true });
    expect(count()).toBe(1);
    clock.now += 10_000;
    await clock.change({ isVisible: false });
    await clock.change({ isVisible: true });
    await expect.poll(() => controller.countFetching()).toBe(0);
    expect(count()).toBe(2);
    clock.now += 4_000;
    await clock.change({ isOnline: false });
    await clock.change({ isOnline: true });
    await settle();
    expect(count()).toBe(2);
    clock.now += 1_000;
    await clock.change({ isOnline: false });
    await clock.change({ isOnline: true });
    await expect.poll(() => controller.countFetching()).toBe(0);
    expect(count()).toBe(3);
  });

  it('is sent on focus if a record of another response is stale', async () => {
    class Count extends Entity {
      id = '';
      static override key = 'RecoveredCount';
    }
    const { clock, controller, get, count } = open({}, { schema: Count });
    const focus = async (after: number): Promise<void> => {
      clock.now += after;
      await clock.change({ isVisible: false });
      await clock.change({ isVisible: true });
      await settle();
    };
    // No response of `get` is stored. The record is fresh for a minute.
    controller.set(Count, { id: '1' }, {});
    const view = controller.observe(get, { id: '1' });
    view.subscribe(() => {
      if (view.needsLoad(true)) void view.load();
    });
    await focus(10_000);
    expect(count()).toBe(0);
    await focus(60_000);
    expect(count()).toBe(1);
  });

  it('is left alone with `refetchOnFocus: false`, and after the controller has ended', async () => {
    const world = open({ refetchOnFocus: false });
    await mount(world);
    world.clock.now += 10_000;
    await world.clock.change({ isVisible: false });
    await world.clock.change({ isVisible: true });
    expect([world.count(), world.clock.listeners]).toEqual([1, 0]);
    const other = open();
    await mount(other);
    other.controller.dispose();
    expect(other.clock.listeners).toBe(0);
  });
});
