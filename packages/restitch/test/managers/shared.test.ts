import {
  Controller,
  DevToolsManager,
  Endpoint,
  FocusManager,
  LogoutManager,
  type Manager,
  PollingManager,
  RecoveryManager,
  StreamManager,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { Clock, settle } from '../support/clock.js';
import { collectGarbage } from '../support/heap.js';
import { Price, prices } from '../support/sources.js';

/** Two controllers with the same managers, each on its own clock. */
function pair(manager: Manager) {
  const open = () => {
    const clock = new Clock();
    const controller = new Controller({ managers: [manager], environment: clock.environment });
    const price = (): number | undefined => controller.get(Price, { id: 'a' })?.amount;
    return { clock, controller, price };
  };
  return { one: open(), two: open() };
}

describe('one manager of two controllers', () => {
  it('StreamManager: each has its own connection, which the end of the other leaves open', () => {
    const { options, getPrice, made, urls } = prices(() => '/s');
    const { one, two } = pair(new StreamManager(options));
    for (const { controller } of [one, two]) controller.subscribe(getPrice, { id: 'a' });
    const send = (amount: number): void =>
      made.forEach((source) => source.send({ id: 'a', amount }));
    send(1);
    expect([one.price(), two.price(), urls()]).toEqual([1, 1, ['/s', '/s']]);
    one.controller.resetEntireStore();
    one.controller.dispose();
    send(2);
    expect([two.price(), urls()]).toEqual([2, ['/s']]);
    one.controller.subscribe(getPrice, { id: 'a' });
    two.controller.unsubscribe(getPrice, { id: 'a' });
    send(3);
    expect([one.price(), two.price(), urls()]).toEqual([3, 2, ['/s']]);
    one.controller.dispose();
    expect(urls()).toEqual([]);
    for (const { clock } of [one, two]) expect([clock.timers, clock.reported]).toEqual([0, []]);
  });

  it('PollingManager: each polls, also after the end of the other', async () => {
    const { getPrice, requests } = prices(() => undefined, 1_000);
    const { one, two } = pair(new PollingManager());
    for (const { controller } of [one, two]) controller.subscribe(getPrice, { id: 'a' });
    await settle();
    expect(requests).toHaveLength(2);
    await two.clock.pass(1_000);
    await one.clock.pass(1_000);
    expect(requests).toHaveLength(4);
    one.controller.dispose();
    await one.clock.pass(10_000);
    await two.clock.pass(1_000);
    expect(requests).toHaveLength(5);
    await two.clock.change({ isOnline: false });
    await two.clock.change({ isOnline: true });
    expect(requests).toHaveLength(6);
    two.controller.unsubscribe(getPrice, { id: 'a' });
    for (const { clock } of [one, two])
      expect([clock.timers, clock.listeners, clock.reported]).toEqual([0, 0, []]);
  });

  it.each([
    ['FocusManager', () => new FocusManager()],
    ['RecoveryManager', () => new RecoveryManager()],
  ])('%s: each stops watching the host at its own end', (_, create) => {
    const { one, two } = pair(create());
    const listeners = (): number[] => [one.clock.listeners, two.clock.listeners];
    const use = (): void => {
      for (const { controller } of [one, two]) controller.set(Price, { id: 'a' }, { amount: 1 });
    };
    use();
    expect(listeners()).toEqual([1, 1]);
    one.controller.dispose();
    expect(listeners()).toEqual([0, 1]);
    use();
    expect(listeners()).toEqual([1, 1]);
    two.controller.dispose();
    one.controller.dispose();
    expect(listeners()).toEqual([0, 0]);
  });

  it('LogoutManager: the end of one session leaves the other one as it is', async () => {
    const ended: Controller[] = [];
    const manager = new LogoutManager({
      handleLogout: (controller) => void ended.push(controller),
    });
    const { one, two } = pair(manager);
    const refused = new Endpoint(
      async () => {
        throw Object.assign(new Error('no'), { status: 401 });
      },
      { name: 'refused' },
    );
    for (const { controller } of [one, one, two, two]) {
      await expect(controller.fetch(refused)).rejects.toThrow('no');
    }
    expect(ended).toEqual([one.controller, two.controller]);
  });

  it('DevToolsManager: each has its own connection', () => {
    const log: string[] = [];
    let count = 0;
    const extension = {
      connect: () => {
        const id = (count += 1);
        return {
          init: () => {},
          send: ({ type }: { type: string }) => void log.push(`${id} ${type}`),
          subscribe: () => () => log.push(`${id} ends`),
        };
      },
    };
    const { one, two } = pair(new DevToolsManager({ extension }));
    const write = ({ controller }: typeof one): void =>
      controller.set(Price, { id: 'a' }, { amount: 1 });
    write(one);
    write(two);
    write(one);
    one.controller.dispose();
    write(two);
    expect(log).toEqual(['1 set Price', '2 set Price', '1 set Price', '1 ends', '2 set Price']);
    two.controller.dispose();
    expect(log.slice(5)).toEqual(['2 ends']);
  });
});

it('managers of a module retain no controller', async () => {
  const { options, getPrice } = prices((id) => (id === 'a' ? '/s' : undefined), 1_000);
  /** Retains no listener, as a connection that the host has dropped. */
  class Dropped {
    readonly readyState = 0;
    addEventListener(): void {}
    close(): void {}
  }
  const managers = [
    new DevToolsManager({ extension: { connect: () => ({ init() {}, send() {} }) } }),
    new StreamManager({ ...options, EventSource: Dropped }),
    new PollingManager(),
    new LogoutManager(),
    new FocusManager(),
    new RecoveryManager(),
  ];
  // Some requests end without a `dispose` of their controller.
  const render = async (disposes: boolean): Promise<WeakRef<Controller>> => {
    const controller = new Controller({ managers, environment: new Clock().environment });
    for (const id of ['a', 'b']) controller.subscribe(getPrice, { id });
    await controller.fetch(getPrice, { id: 'a' });
    if (disposes) controller.dispose();
    return new WeakRef(controller);
  };
  const served = [await render(true), await render(false)];
  await settle();
  collectGarbage();
  expect(served.map((reference) => reference.deref())).toEqual([undefined, undefined]);
});
