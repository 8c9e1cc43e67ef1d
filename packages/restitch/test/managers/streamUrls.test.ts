import { Controller, logout, PollingManager, StreamManager } from 'restitch';
import { describe, expect, it } from 'vitest';
import { Clock, settle } from '../support/clock.js';
import { Price, prices } from '../support/sources.js';

/** A controller with streams whose URL the test decides. */
// The return type is what the class infers from its options; naming it would repeat them.
function world(urlOf: (id: string) => string | undefined) {
  const clock = new Clock();
  const asked: string[] = [];
  const server = prices((id) => {
    asked.push(id);
    return urlOf(id);
  }, 1_000_000);
  const controller = new Controller({
    managers: [new StreamManager(server.options), new PollingManager()],
    environment: clock.environment,
  });
  const subscribe = (id: string): void => controller.subscribe(server.getPrice, { id });
  const unsubscribe = (id: string): void => controller.unsubscribe(server.getPrice, { id });
  const price = (id: string): number | undefined => controller.get(Price, { id })?.amount;
  const rest = (): unknown => [clock.timers, clock.listeners, server.urls()];
  return { ...server, clock, asked, controller, subscribe, unsubscribe, price, rest };
}

describe('a reset', () => {
  it('opens the connection of the next user, and ignores the messages of the last one', async () => {
    let user = 'ann';
    const { controller, subscribe, made, urls, price, rest } = world(() => `/${user}`);
    subscribe('a');
    made[0]?.open();
    user = 'bob';
    controller.resetEntireStore();
    expect(urls()).toEqual(['/bob']);
    made[0]?.send({ id: 'a', amount: 100 });
    made[0]?.cut();
    expect(price('a')).toBeUndefined();
    made[1]?.open();
    await settle();
    made[1]?.send({ id: 'a', amount: 200 });
    expect([price('a'), urls()]).toEqual([200, ['/bob']]);
    controller.dispose();
    expect(rest()).toEqual([0, 0, []]);
  });

  it('after a logout: nothing is open or asked until the readers resume', async () => {
    let user: string | undefined = 'ann';
    const { controller, subscribe, made, urls, asked, clock } = world(() => {
      if (user === undefined) throw new Error('no user');
      return `/${user}`;
    });
    subscribe('a');
    subscribe('b');
    made[0]?.open();
    user = undefined;
    logout(controller);
    controller.set(Price, { id: 'c' }, { amount: 1 });
    expect([urls(), asked, clock.reported]).toEqual([[], ['a', 'b'], []]);
    user = 'bob';
    controller.resetEntireStore();
    expect([urls(), asked]).toEqual([['/bob'], ['a', 'b', 'a', 'b']]);
  });

  it('after a logout: each subscription is connected when its own readers resume', async () => {
    let user = 'ann';
    const { controller, getPrice, subscribe, made, urls, asked } = world(() => `/${user}`);
    subscribe('a');
    subscribe('b');
    made[0]?.open();
    user = 'bob';
    logout(controller);
    await controller.fetch(getPrice, { id: 'b' });
    expect([urls(), asked]).toEqual([['/bob'], ['a', 'b', 'b']]);
    await controller.fetch(getPrice, { id: 'a' });
    expect([urls(), asked]).toEqual([['/bob'], ['a', 'b', 'b', 'a']]);
  });

  it('after a logout: a subscription that begins on a paused view waits for its readers', async () => {
    let user = 'ann';
    const { controller, getPrice, subscribe, unsubscribe, urls, rest } = world(() => `/${user}`);
    subscribe('a');
    logout(controller);
    subscribe('a');
    expect(urls()).toEqual([]);
    user = 'bob';
    await controller.fetch(getPrice, { id: 'a' });
    expect(urls()).toEqual(['/bob']);
    unsubscribe('a');
    expect(urls()).toEqual(['/bob']);
    unsubscribe('a');
    expect(rest()).toEqual([0, 0, []]);
  });

  it('leaves a subscription without a URL unconnected, and another one asks again', () => {
    let isOpen = true;
    const { controller, subscribe, unsubscribe, made, urls, rest, clock } = world((id) =>
      id === 'a' && !isOpen ? undefined : `/${id}`,
    );
    subscribe('a');
    subscribe('b');
    for (const source of made) source.open();
    isOpen = false;
    controller.resetEntireStore();
    expect(urls()).toEqual(['/b']);
    isOpen = true;
    controller.resetEntireStore();
    expect(urls()).toEqual(['/a', '/b']);
    isOpen = false;
    controller.resetEntireStore();
    // No other manager may get the end of a subscription that it did not get.
    unsubscribe('a');
    unsubscribe('b');
    expect([clock.reported, rest()]).toEqual([[], [0, 0, []]]);
  });

  it('reports an error of `url` once, asks again, and never uses the old URL', async () => {
    const mistake = new Error('no token');
    let isBroken = false;
    const { controller, subscribe, unsubscribe, made, urls, clock, rest } = world((id) => {
      if (isBroken && id === 'a') throw mistake;
      return `/${id}`;
    });
    subscribe('a');
    subscribe('b');
    for (const source of made) source.open();
    isBroken = true;
    controller.resetEntireStore();
    expect([urls(), clock.timers, clock.reported]).toEqual([['/b'], 1, [mistake]]);
    await clock.pass(500);
    await clock.pass(1_000);
    expect([urls(), clock.timers]).toEqual([['/b'], 1]);
    isBroken = false;
    await clock.pass(2_000);
    expect([urls(), clock.reported]).toEqual([['/b', '/a'], [mistake]]);
    isBroken = true;
    controller.resetEntireStore();
    unsubscribe('a');
    unsubscribe('b');
    expect([clock.reported.length, rest()]).toEqual([2, [0, 0, []]]);
  });

  it('opens nothing if `url` signs the user out', () => {
    let isSignedIn = true;
    const { controller, subscribe, made, urls, rest, clock } = world((id) => {
      if (!isSignedIn) {
        isSignedIn = true;
        logout(controller);
      }
      return `/${id}`;
    });
    subscribe('a');
    subscribe('b');
    for (const source of made) source.open();
    isSignedIn = false;
    controller.resetEntireStore();
    expect([urls(), clock.reported]).toEqual([[], []]);
    controller.resetEntireStore();
    expect(urls()).toEqual(['/a', '/b']);
    controller.dispose();
    expect(rest()).toEqual([0, 0, []]);
  });
});

describe('a reconnect', () => {
  it('uses the renewed token, and fetches what was missed', async () => {
    let token = 1;
    const { subscribe, made, urls, clock, requests, rest, unsubscribe } = world(() => `/${token}`);
    subscribe('a');
    made[0]?.open();
    token = 2;
    made[0]?.cut();
    await clock.pass(500);
    expect(urls()).toEqual(['/2']);
    expect(requests).toEqual([]);
    made[1]?.open();
    expect(requests).toEqual(['a']);
    unsubscribe('a');
    expect(rest()).toEqual([0, 0, []]);
  });

  it('moves each subscription to the connection of its new URL', async () => {
    const tenants: Record<string, string> = { a: '/x', b: '/x', c: '/y' };
    const { subscribe, made, urls, clock, requests, last } = world((id) => tenants[id]);
    for (const id of ['a', 'b', 'c']) subscribe(id);
    for (const source of made) source.open();
    expect(urls()).toEqual(['/x', '/y']);
    tenants['b'] = '/y';
    made[0]?.cut();
    await clock.pass(500);
    // The connection of `b` is open already, so `b` is fetched at once.
    expect([urls(), requests]).toEqual([['/y', '/x'], ['b']]);
    last().open();
    expect(requests).toEqual(['b', 'a']);
    tenants['a'] = '/y';
    last().cut();
    await clock.pass(500);
    expect([urls(), requests, clock.timers]).toEqual([['/y'], ['b', 'a', 'a'], 0]);
  });

  it('asks for a subscription without a URL again', async () => {
    let isOpen = true;
    const { subscribe, made, urls, clock, requests, last } = world((id) =>
      id === 'a' && !isOpen ? undefined : `/${id}`,
    );
    subscribe('a');
    subscribe('b');
    for (const source of made) source.open();
    isOpen = false;
    made[0]?.cut();
    await clock.pass(500);
    expect([urls(), clock.timers]).toEqual([['/b'], 0]);
    isOpen = true;
    made[1]?.cut();
    await clock.pass(500);
    expect(urls()).toEqual(['/a', '/b']);
    made[2]?.open();
    last().open();
    expect(requests).toEqual(['a', 'b']);
  });

  it('waits longer after each failure, even if each URL is new', async () => {
    let ticket = 0;
    const { subscribe, unsubscribe, clock, last, made, rest } = world(() => `/${(ticket += 1)}`);
    subscribe('a');
    last().open();
    for (const [count, wait] of [500, 1_000, 2_000, 4_000].entries()) {
      last().cut();
      await clock.pass(wait - 1);
      expect(made).toHaveLength(count + 1);
      await clock.pass(1);
      expect(made).toHaveLength(count + 2);
    }
    last().cut();
    unsubscribe('a');
    expect(rest()).toEqual([0, 0, []]);
  });

  it('by the source itself goes on with the same URL, and is replaced for another one', async () => {
    let token = 1;
    const { subscribe, made, urls, clock, requests, last } = world(() => `/${token}`);
    subscribe('a');
    made[0]?.open();
    made[0]?.interrupt();
    expect([clock.timers, urls()]).toEqual([0, ['/1']]);
    made[0]?.open();
    expect(requests).toEqual(['a']);
    token = 2;
    made[0]?.interrupt();
    expect([clock.timers, urls()]).toEqual([1, []]);
    await clock.pass(500);
    expect(urls()).toEqual(['/2']);
    last().open();
    expect(requests).toEqual(['a', 'a']);
  });

  it('that waits for the network asks when the network is back', async () => {
    let token = 1;
    const { subscribe, unsubscribe, made, urls, clock, rest } = world(() => `/${token}`);
    subscribe('a');
    made[0]?.open();
    await clock.change({ isOnline: false });
    made[0]?.cut();
    await clock.pass(500);
    token = 2;
    await clock.change({ isOnline: true });
    expect(urls()).toEqual(['/2']);
    unsubscribe('a');
    expect(rest()).toEqual([0, 0, []]);
  });

  it.each(['an unsubscribe', 'a dispose'])('does not happen after %s', async (how) => {
    const { controller, subscribe, unsubscribe, made, price, clock, rest, asked } = world(
      () => '/s',
    );
    subscribe('a');
    made[0]?.open();
    made[0]?.send({ id: 'a', amount: 10 });
    made[0]?.cut();
    if (how === 'a dispose') controller.dispose();
    else unsubscribe('a');
    expect(rest()).toEqual([0, 0, []]);
    await clock.pass(600_000);
    expect([made.length, asked]).toEqual([1, ['a']]);
    // The view is not retained any more, so the record is swept.
    if (how === 'an unsubscribe') expect(price('a')).toBeUndefined();
  });

  it('fetches a subscription too that began during the wait', async () => {
    const { subscribe, made, clock, requests, last } = world(() => '/s');
    subscribe('a');
    made[0]?.open();
    made[0]?.cut();
    subscribe('b');
    await clock.pass(500);
    last().open();
    expect(requests).toEqual(['a', 'b']);
  });
});
