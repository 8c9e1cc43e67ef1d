import { All, Collection, Controller, type StoreState } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import { openSteps } from '../support/sweeping.js';
import { dataOf, ignore, Item, idsOf, listen, manual, mutation, User } from '../support/world.js';

const MINUTE = 60_000;
const items = new Collection([Item]);

/** The test says when the sweep makes its steps. */
function openSweep() {
  let isOver = false;
  const { controller, run, later } = openSteps({}, (milliseconds) => {
    isOver = milliseconds > 0;
  });
  return {
    controller,
    later,
    /** Makes so many steps of the sweep, fewer where it ends before; returns whether it has ended. */
    step: (count: number): boolean => {
      for (let made = 0; made < count && !(made > 0 && isOver); made += 1) run();
      return isOver;
    },
  };
}

describe('a view that begins to be observed anywhere in the middle of a garbage collection', () => {
  const steps = Array.from({ length: 40 }, (_, index) => index + 1);

  it.each(steps)('is notified of records that enter a selection (step %i)', (count) => {
    const { controller, later, step } = openSweep();
    controller.set(Item, { id: '1' }, { name: 'one' });
    // Others are looked at before it.
    controller.observeQuery(Item, { id: '1' }).getSnapshot();
    controller.observeQuery(Item, { id: '2' }).getSnapshot();
    const view = controller.observeQuery(new All(Item));
    view.getSnapshot();
    later(1_000_000);
    step(count);
    const notified = listen(view);
    const before = dataOf(view)?.length ?? 0;
    step(1_000);
    controller.set(Item, { id: '2' }, { name: 'two' });
    expect([notified.count, dataOf(view)?.length]).toEqual([1, before + 1]);
  });

  it.each(steps)('is notified of the next response to its request (step %i)', (count) => {
    const { controller, later, step } = openSweep();
    const list = manual('list', [Item]);
    controller.setResponse(list.endpoint, {}, [{ id: '1' }]);
    const view = controller.observe(list.endpoint, {});
    view.getSnapshot();
    later(1_000_000);
    step(count);
    const notified = listen(view);
    step(1_000);
    controller.setResponse(list.endpoint, {}, [{ id: '1' }, { id: '2' }]);
    expect([notified.count, idsOf(dataOf(view))]).toEqual([1, ['1', '2']]);
    expect(controller.observe(list.endpoint, {})).toBe(view);
  });
});

describe('an exported result of another store without a reader yet', () => {
  const long = manual('long', [User], { dataExpiryLength: 60 * MINUTE });
  const short = manual('short', User, { dataExpiryLength: MINUTE });

  /** A controller with a response that is fresh for long, and a row of it that is not fresh by another response. */
  function open() {
    const clock = new Clock();
    clock.now = 1_000_000;
    const server = new Controller({ environment: clock.environment });
    server.setResponse(long.endpoint, {}, [{ id: '1', friend: { id: '2', name: 'two' } }]);
    server.setResponse(short.endpoint, { id: '2' }, { id: '2', name: 'two' });
    const controller = new Controller({ environment: clock.environment });
    hydrate(controller, getState(server));
    return { clock, controller };
  }

  it('keeps the rows that a result needs for as long as the result', async () => {
    const { clock, controller } = open();
    await clock.pass(20 * MINUTE);
    const view = controller.observe(long.endpoint, {});
    expect(dataOf(view)?.[0]?.friend?.name).toBe('two');
  });

  it('stays invalidated while rows exist that could produce it', async () => {
    const { clock, controller } = open();
    void controller.invalidateAll(short.endpoint);
    await clock.pass(20 * MINUTE);
    expect(dataOf(controller.observe(long.endpoint, {}))?.length).toBe(1);
    const view = controller.observe(short.endpoint, { id: '2' });
    expect(view.getSnapshot().status).toBe('pending');
  });

  it('goes when all of it is past its lifetime', async () => {
    const { clock, controller } = open();
    await clock.pass(180 * MINUTE);
    expect(clock.idleWaits).toBe(0);
    expect(getState(controller)).toMatchObject({ entities: {}, lists: {}, results: [] });
  });

  it.each([1, 2, 3, 4, 5, 6])('is not evicted with what was taken up (step %i)', (count) => {
    const { controller, step } = openSweep();
    const server = openSweep().controller;
    server.set(Item, { id: '1' }, { name: 'one' });
    server.set(Item, { id: '2' }, { name: 'two' });
    controller.set(User, { id: '1' }, { name: 'ann' });
    hydrate(controller, getState(server));
    step(count);
    expect(controller.get(Item, { id: '1' })?.name).toBe('one');
    step(1_000);
    expect(controller.get(Item, { id: '2' })?.name).toBe('two');
  });
});

it('data that is fresh forever still is where it was taken as JSON', () => {
  const { controller: server } = openSweep();
  const { controller } = openSweep();
  const forever = manual('forever', [Item], { dataExpiryLength: Infinity });
  server.setResponse(forever.endpoint, {}, [{ id: '1' }]);
  hydrate(controller, JSON.parse(JSON.stringify(getState(server))) as StoreState);
  expect(controller.observe(forever.endpoint, {}).needsLoad()).toBe(false);
});

it('a question by a temporary key is asked again by the real one, however long ago the row was created', async () => {
  const clock = new Clock();
  clock.now = 1_000_000;
  const controller = new Controller({ environment: clock.environment });
  const list = manual('list', items);
  const create = mutation('create', items.push, (_, body: object) => body);
  const detail = manual('detail', Item);
  controller.setResponse(list.endpoint, {}, []);
  ignore(controller.fetch(create.endpoint, { name: 'new' }));
  const id = controller.getResponse(list.endpoint, {})?.[0]?.id ?? '';
  const view = controller.observe(detail.endpoint, { id });
  view.subscribe(() => {});
  await create.respond({ id: '7', name: 'new' });
  ignore(view.load());
  await detail.respond({ id: '7', name: 'new' });
  await clock.pass(20 * MINUTE);
  ignore(view.load());
  await detail.respond({ id: '7', name: 'newer' });
  expect(detail.calls.map(({ args }) => args[0])).toEqual([{ id: '7' }, { id: '7' }]);
  expect(dataOf(view)?.name).toBe('newer');
});

it('values that a rollback restores are kept, however long the request is stalled and however full the store is', async () => {
  const clock = new Clock();
  clock.now = 1_000_000;
  const controller = new Controller({ maxEntities: 8, environment: clock.environment });
  const edit = mutation('edit', User, () => ({ id: '1', name: 'optimistic' }));
  controller.set(User, { id: '1' }, { name: 'ann', friend: { id: '2', name: 'bob' } });
  ignore(controller.fetch(edit.endpoint, { id: '1' }));
  await clock.pass(3 * MINUTE);
  controller.set(Item, { id: '0' }, { name: 'settles' });
  await clock.pass(3 * MINUTE);
  for (let id = 1; id <= 20; id += 1) controller.set(Item, { id: String(id) }, { name: 'other' });
  await clock.pass(0);
  await edit.fail(new Error('no'));
  expect(controller.get(User, { id: '1' })?.friend?.name).toBe('bob');
});

it('a view that goes on after a reset is notified of the next expiry, however many there were before', async () => {
  const clock = new Clock();
  clock.now = 1_000_000;
  const controller = new Controller({ environment: clock.environment });
  const { endpoint } = manual('list', [Item]);
  const view = controller.observe(endpoint, {});
  const leave = view.subscribe(() => {});
  for (let id = 1; id <= 20; id += 1) controller.setResponse(endpoint, {}, [{ id: String(id) }]);
  controller.expireAll(endpoint);
  leave();
  controller.resetEntireStore();
  controller.setResponse(endpoint, {}, [{ id: '1' }]);
  await clock.pass(2 * MINUTE);
  const notified = listen(view);
  controller.expireAll(endpoint);
  expect([notified.count, view.needsLoad(true)]).toEqual([1, true]);
});
