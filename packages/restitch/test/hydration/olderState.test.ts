/** State from another store is older than known data, unless it comes with the page itself. */
import { Collection, Controller, Endpoint, Entity, type StoreState } from 'restitch';
import { getState, hydrate, openStream } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { ignore, idsOf, listen, manual, mutation } from '../support/world.js';
import { Clock } from '../support/clock.js';

class Todo extends Entity {
  id = '';
  title = '';
  static override key = 'Todo';
}

const MINUTE = 60_000;
const START = 1_000_000;

function open() {
  const clock = new Clock();
  clock.now = START;
  const controller = new Controller({ environment: clock.environment, sweep: { interval: 1_000 } });
  return { clock, controller };
}

const text = manual('getText', undefined);
const detail = manual('getTodo', Todo);
const todos = new Collection([Todo], { name: 'todos' });
const list = manual('getTodos', todos);

/** What a store exports after a change. */
function after(change: (controller: Controller) => void, now = START): StoreState {
  const server = new Controller({ environment: { now: () => now } });
  change(server);
  return JSON.parse(JSON.stringify(getState(server)));
}

const withText = (value: string): StoreState =>
  after((server) => server.setResponse(text.endpoint, {}, value));
const withTodo = (title: string, now?: number): StoreState =>
  after((server) => server.setResponse(detail.endpoint, { id: '1' }, { id: '1', title }), now);

describe('a hydrated result', () => {
  it('notifies existing observers, and is exported once', () => {
    const { controller } = open();
    const view = controller.observe(text.endpoint, {});
    const notified = listen(view);
    hydrate(controller, withText('brought'));
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: 'brought' });
    expect(notified.count).toBe(1);
    expect(getState(controller).results).toMatchObject([{ value: 'brought' }]);
  });

  it('does not replace the one that is known', () => {
    const { controller } = open();
    controller.setResponse(text.endpoint, {}, 'known');
    hydrate(controller, withText('brought'));
    expect(controller.getResponse(text.endpoint, {})).toBe('known');
    const other = open().controller;
    for (const value of ['first', 'second']) {
      hydrate(other, withText(value));
      expect(other.getResponse(text.endpoint, {})).toBe('first');
    }
  });

  it('does not replace the one that waits to be asked for, nor do its rows', () => {
    const { controller } = open();
    for (const [index, title] of ['first', 'second'].entries()) {
      hydrate(controller, withText(title));
      hydrate(controller, withTodo(title, START + index));
    }
    expect(getState(controller).results.map(({ value }) => value)).toEqual(['first', '1']);
    expect(controller.getResponse(text.endpoint, {})).toBe('first');
    expect(controller.getResponse(detail.endpoint, { id: '1' })?.title).toBe('first');
  });

  it('is exported again while it has no reader, but not after it was invalidated', () => {
    const { controller } = open();
    hydrate(controller, withText('brought'));
    expect(getState(controller).results).toMatchObject([{ value: 'brought' }]);
    void controller.invalidateAll(text.endpoint);
    expect(getState(controller).results).toEqual([]);
  });

  it('goes to each of two schemas on one key', () => {
    const plain = manual('getPlain', [Todo]);
    const getLength = new Endpoint(async (_: object): Promise<unknown> => [], {
      name: 'getLength',
      key: (args) => plain.endpoint.key(args),
    });
    const state = after((server) => {
      server.setResponse(plain.endpoint, {}, [{ id: '1' }]);
      server.setResponse(getLength, {}, 1);
    });
    const [before, between] = [open().controller, open().controller];
    hydrate(before, state);
    expect(idsOf(before.getResponse(plain.endpoint, {}))).toEqual(['1']);
    expect(before.getResponse(getLength, {})).toBe(1);
    between.observe(plain.endpoint, {});
    between.observe(getLength, {});
    hydrate(between, { ...state, results: state.results.filter(({ value }) => value !== 1) });
    expect(between.getResponse(getLength, {})).toBeUndefined();
    hydrate(between, state);
    expect(idsOf(between.getResponse(plain.endpoint, {}))).toEqual(['1']);
    expect(between.getResponse(getLength, {})).toBe(1);
  });
});

describe('a page that arrives in parts', () => {
  it.each([true, false])('the last result counts (read between: %s)', (isAsked) => {
    const { controller } = open();
    const stream = openStream(controller);
    for (const value of ['first', 'second']) {
      stream.hydrate(withText(value));
      if (isAsked) expect(controller.getResponse(text.endpoint, {})).toBe(value);
    }
    expect(controller.getResponse(text.endpoint, {})).toBe('second');
  });

  it('none replaces a result that was fetched or removed here', () => {
    const { controller } = open();
    const stream = openStream(controller);
    controller.setResponse(text.endpoint, {}, 'here');
    stream.hydrate(withText('brought'));
    expect(controller.getResponse(text.endpoint, {})).toBe('here');
    void controller.invalidate(text.endpoint, {});
    stream.hydrate(withText('brought'));
    expect(controller.getResponse(text.endpoint, {})).toBeUndefined();
  });

  it('only the parts themselves go over known data: anything else fills in', () => {
    const { controller } = open();
    const stream = openStream(controller);
    stream.hydrate(withTodo('of the page'));
    expect(controller.get(Todo, '1')?.title).toBe('of the page');
    hydrate(controller, withTodo('of another tab'));
    expect(controller.get(Todo, '1')?.title).toBe('of the page');
    stream.hydrate(withTodo('of its next part'));
    expect(controller.get(Todo, '1')?.title).toBe('of its next part');
  });

  it('a result without a reader is evicted in time, once the last one has come', async () => {
    const { clock, controller } = open();
    const stream = openStream(controller);
    stream.hydrate(withTodo('One'));
    await clock.pass(60 * MINUTE);
    expect(controller.get(Todo, '1')?.title).toBe('One');
    stream.close();
    await clock.pass(60 * MINUTE);
    expect(controller.get(Todo, '1')).toBeUndefined();
    expect(getState(controller)).toMatchObject({ entities: {}, results: [] });
  });
});

describe('a hydrated result without a reader', () => {
  it('is kept for twice its lifetime', async () => {
    const { clock, controller } = open();
    hydrate(controller, withTodo('One'));
    hydrate(controller, withTodo('One', START - MINUTE));
    await clock.pass(1.9 * MINUTE);
    expect(getState(controller).entities).toMatchObject({ Todo: [{ pk: '1' }] });
    await clock.pass(0.2 * MINUTE);
    expect(getState(controller).entities).toEqual({});
  });

  it('goes although something else of it is read, which a page still takes over as it was', async () => {
    class Other extends Entity {
      id = '';
      static override key = 'Other';
    }
    const { clock, controller } = open();
    hydrate(controller, withTodo('One'));
    hydrate(
      controller,
      after((server) => server.set(Other, { id: '1' }, {})),
    );
    const view = controller.observe(detail.endpoint, { id: '1' });
    const release = view.retain();
    const before = view.getSnapshot();
    expect(before).toMatchObject({ status: 'ready', data: { title: 'One' } });
    await clock.pass(60 * MINUTE);
    expect(Object.keys(getState(controller).entities)).toEqual(['Todo']);
    controller.set(Todo, { id: '1' }, { title: 'Changed' });
    expect(view.getServerSnapshot()).toMatchObject({ data: { title: 'One' } });
    expect(view.getSnapshot()).toMatchObject({ data: { title: 'Changed' } });
    release();
    await clock.pass(60 * MINUTE);
    expect(clock.idleWaits).toBe(0);
  });
});

describe('how long a record counts as fresh', () => {
  it('comes with it, be it known of already or not', () => {
    const { controller } = open();
    controller.get(Todo, '1');
    hydrate(controller, withTodo('One'));
    const view = controller.observe(manual('other', Todo).endpoint, { id: '1' });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: false });
    expect(view.needsLoad()).toBe(false);
  });

  it('does not grow where its fields are known', () => {
    const { clock, controller } = open();
    controller.setResponse(detail.endpoint, { id: '1' }, { id: '1', title: 'Mine' });
    clock.now += 2 * MINUTE;
    hydrate(controller, withTodo('One', clock.now));
    expect(controller.observe(manual('other', Todo).endpoint, { id: '1' }).needsLoad()).toBe(true);
  });

  it('does not grow without a reader while another store brings the same fields', () => {
    const { clock, controller } = open();
    hydrate(controller, withTodo('One'));
    clock.now += 2 * MINUTE;
    hydrate(controller, withTodo('Two', clock.now));
    const view = controller.observe(manual('other', Todo).endpoint, { id: '1' });
    expect(view.getSnapshot()).toMatchObject({ data: { title: 'One' }, stale: true });
    expect(view.needsLoad()).toBe(true);
  });
});

describe('a class that orders its records by time', () => {
  const seen: { fetchedAt: number; date: number }[] = [];
  class Timed extends Entity {
    id = '';
    static override key = 'Timed';
    static override shouldReorder(existing: { fetchedAt: number; date: number }): boolean {
      seen.push(existing);
      return false;
    }
  }

  it.each([
    ['is known from the export', START - 5_000, START - 5_000],
    ['is never in the future: clocks of two machines differ', START + 5_000, START],
  ])('%s', (_, exportedAt, fetchedAt) => {
    const { controller } = open();
    hydrate(
      controller,
      after((server) => server.set(Timed, { id: '1' }, {}), exportedAt),
    );
    expect(controller.get(Timed, '1')?.id).toBe('1');
    // One that is known of already, and one that is not.
    hydrate(
      controller,
      after((server) => server.set(Timed, { id: '2' }, {}), exportedAt),
    );
    for (const id of ['1', '2']) {
      seen.length = 0;
      controller.set(Timed, { id }, { name: 'changed' });
      expect(seen).toMatchObject([{ fetchedAt, date: fetchedAt }]);
    }
  });
});

describe('members of a hydrated list', () => {
  const sorted = new Collection([Todo], { name: 'todos', nonFilterArgumentKeys: ['sort'] });
  const args = { sort: 'title' };
  const state = after((server) => server.set(sorted, args, [{ id: '1' }]));
  const create = mutation('create', todos.push);

  it('is decided by its own schema, whichever was asked for first', async () => {
    const { controller } = open();
    hydrate(controller, state);
    expect(controller.get(todos, {})).toBeUndefined();
    expect(idsOf(controller.get(sorted, args))).toEqual(['1']);
    ignore(controller.fetch(create.endpoint, { title: 'Two' }));
    await create.respond({ id: '2', title: 'Two' });
    expect(idsOf(controller.get(sorted, args))).toEqual(['1', '2']);
  });

  it('is decided by the schema that it has, where it was known', async () => {
    const { controller } = open();
    controller.set(sorted, args, [{ id: '1' }]);
    hydrate(controller, state);
    expect(idsOf(controller.get(todos, args))).toEqual(['1']);
    ignore(controller.fetch(create.endpoint, { title: 'Two' }));
    await create.respond({ id: '2', title: 'Two' });
    expect(idsOf(controller.get(sorted, args))).toEqual(['1', '2']);
  });
});

it('kinds of records and lists of which nothing is confirmed are not exported', () => {
  const { controller } = open();
  controller.get(Todo, '1');
  controller.observe(list.endpoint, {}).getSnapshot();
  controller.get(todos, {});
  ignore(controller.fetch(mutation('create', todos.push, () => ({})).endpoint, {}));
  const { entities, lists, results } = getState(controller);
  expect([entities, lists, results]).toEqual([{}, {}, []]);
});
