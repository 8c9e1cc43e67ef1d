import { Controller } from 'restitch';
import { describe, expect, it } from 'vitest';
import { ignore, Item, listen, manual, openWorld } from '../support/world.js';
import { Clock, settle } from '../support/clock.js';

const HOUR = 3_600_000;
const args = { id: '1' };

/** An item that was read before the clock was set back by an hour. */
async function afterReading(options: object = {}) {
  const world = openWorld();
  const item = manual('getItem', Item, { ...options });
  const view = world.controller.observe(item.endpoint, args);
  ignore(view.load());
  return { ...world, item, view, setBack: () => (world.clock.now -= HOUR) };
}

describe('a controller after the clock was set back', () => {
  it('a response counts as stale, and the next one as fresh', async () => {
    const { controller, item, view, setBack } = await afterReading();
    await item.respond({ id: '1', name: 'a' });
    expect(view.needsLoad()).toBe(false);
    setBack();
    expect(view.needsLoad()).toBe(true);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: true });
    const notified = listen(view);
    ignore(controller.fetchIfStale(item.endpoint, args));
    expect(item.calls).toHaveLength(2);
    await item.respond({ id: '1', name: 'a' });
    expect(view.getSnapshot()).toMatchObject({ stale: false });
    expect([view.needsLoad(), notified.count]).toEqual([false, 1]);
  });

  it('a row that another response brought counts as stale', async () => {
    const { controller, clock } = openWorld();
    const list = manual('getItems', [Item]);
    const item = manual('getItem', Item);
    ignore(controller.fetch(list.endpoint));
    await list.respond([{ id: '1', name: 'a' }]);
    const view = controller.observe(item.endpoint, args);
    expect(view.needsLoad()).toBe(false);
    clock.now -= HOUR;
    expect(view.needsLoad()).toBe(true);
  });

  it('an error counts as past, a soft one too', async () => {
    const hard = await afterReading();
    await hard.item.fail(new Error('no'));
    expect(hard.view.needsLoad()).toBe(false);
    hard.setBack();
    expect(hard.view.needsLoad()).toBe(true);
    const soft = await afterReading({ errorPolicy: () => 'soft' });
    await soft.item.respond({ id: '1', name: 'a' });
    soft.clock.now += HOUR;
    ignore(soft.view.refetch());
    await soft.item.fail(new Error('no'));
    expect(soft.view.needsLoad()).toBe(false);
    soft.setBack();
    soft.clock.now -= 1;
    expect(soft.view.needsLoad()).toBe(true);
  });

  it('expireStale expires results that were read before', async () => {
    const { controller, item, view, setBack } = await afterReading();
    await item.respond({ id: '1', name: 'a' });
    listen(view);
    setBack();
    controller.expireStale();
    expect(view.needsLoad(true)).toBe(true);
  });

  it('garbage collection evicts records without a reader', async () => {
    const clock = new Clock();
    let wall = HOUR;
    // Timers go on as before.
    const now = (): number => wall + clock.now;
    const controller = new Controller({ environment: { ...clock.environment, now } });
    controller.set(Item, args, { id: '1', name: 'a' });
    wall = 0;
    await clock.pass(300_001);
    await settle();
    expect(controller.get(Item, args)).toBeUndefined();
  });
});
