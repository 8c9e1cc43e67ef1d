/** A request that never ends stops neither a poll nor a refresh: after two minutes nobody waits for it. */
import { Controller, Endpoint, PollingManager } from 'restitch';
import { describe, expect, it } from 'vitest';
import { Clock, settle } from '../support/clock.js';

const STALLED = 120_000;

/** A price whose requests hang, or are answered with how many there were. */
function openWorld(hangs: (request: number) => boolean, pollFrequency = 1_000) {
  const clock = new Clock();
  const controller = new Controller({
    managers: [new PollingManager()],
    environment: clock.environment,
  });
  const times: number[] = [];
  const start = clock.now;
  const getPrice = new Endpoint(
    (): Promise<number> => {
      times.push(clock.now - start);
      const count = times.length;
      return hangs(count) ? new Promise(() => {}) : Promise.resolve(count);
    },
    { name: 'getPrice', pollFrequency },
  );
  return { clock, controller, times, getPrice };
}

describe('a poll whose request never ends', () => {
  it.each([1_000, 600_000])('at %d ms goes on with a new one after two minutes', async (period) => {
    const { clock, controller, times, getPrice } = openWorld((request) => request === 1, period);
    controller.subscribe(getPrice);
    await clock.pass(STALLED - 1);
    expect(times).toEqual([0]);
    expect(clock.timers).toBe(1);
    await clock.pass(1);
    expect(times).toEqual([0, STALLED]);
    expect(controller.getResponse(getPrice)).toBe(2);
    await clock.pass(period);
    expect(times).toEqual([0, STALLED, STALLED + period]);
  });

  it('asks every two minutes while none of them ends', async () => {
    const { clock, controller, times, getPrice } = openWorld(() => true);
    controller.subscribe(getPrice);
    await clock.pass(2 * STALLED);
    expect(times).toEqual([0, STALLED, 2 * STALLED]);
  });

  it('is joined by no caller after the clock was set back', async () => {
    const { clock, controller, times, getPrice } = openWorld((request) => request === 1);
    void controller.fetch(getPrice);
    await clock.pass(1_000);
    clock.now -= 86_400_000;
    await expect(controller.fetch(getPrice)).resolves.toBe(2);
    expect(times).toHaveLength(2);
  });

  it('sends nothing while the screen is hidden, and goes on when it is shown', async () => {
    const { clock, controller, times, getPrice } = openWorld((request) => request === 1);
    controller.subscribe(getPrice);
    await clock.change({ isVisible: false });
    await clock.pass(2 * STALLED);
    expect(times).toEqual([0]);
    await clock.change({ isVisible: true });
    expect(times).toEqual([0, 2 * STALLED]);
  });

  it('leaves no timer when the last subscriber goes, or the controller', async () => {
    const { clock, controller, getPrice } = openWorld(() => true);
    controller.subscribe(getPrice);
    await clock.pass(10);
    controller.unsubscribe(getPrice);
    expect(clock.timers).toBe(0);
    controller.subscribe(getPrice);
    await clock.pass(10);
    controller.dispose();
    expect(clock.timers).toBe(0);
  });
});

it('a refresh of what is past its lifetime asks again where the request under way is stalled', async () => {
  const { clock, controller, times, getPrice } = openWorld((request) => request === 2);
  const view = controller.observe(getPrice);
  view.subscribe(() => {
    if (view.needsLoad(true)) void view.load().catch(() => {});
  });
  await view.load();
  await clock.pass(70_000);
  void view.load();
  await clock.pass(STALLED - 1);
  controller.expireStale();
  expect(times).toHaveLength(2);
  await clock.pass(1);
  controller.expireStale();
  await settle();
  expect(times).toHaveLength(3);
  expect(controller.getResponse(getPrice)).toBe(3);
});
