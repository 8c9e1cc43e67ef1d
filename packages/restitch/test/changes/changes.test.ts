import { Collection, Controller, Entity, expireWhere, Invalidate, invalidateWhere } from 'restitch';
import { changes, getState, hydrate, type ChangeSet } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { flush, ignore, Item, listen, manual, mutation, openWorld } from '../support/world.js';
import { issues, Issue, Wire } from '../support/wire.js';

/** Collects the changes of a controller. */
function follow(controller: Controller): ChangeSet[] {
  const notified: ChangeSet[] = [];
  changes(controller, (change) => notified.push(change));
  return notified;
}

const items = new Collection([Item], { name: 'items of the feed' });
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${index}`, name: `name ${index}` }));

describe('the changes of a store', () => {
  it('are plain data that can be cloned, as in the exported state', async () => {
    const { controller, clock } = openWorld();
    const notified = follow(controller);
    const list = manual('getItems', items);
    ignore(controller.fetch(list.endpoint, { status: 'open' }));
    clock.now += 100;
    await list.respond([{ id: '1', name: 'a' }]);
    const state = getState(controller);
    const [kind = ''] = Object.keys(state.lists);
    expect(notified).toEqual([
      {
        seq: 1,
        at: clock.now,
        cause: 'response',
        rows: [
          {
            entity: 'Item',
            pk: '1',
            fields: { id: '1', name: 'a' },
            expiresAt: clock.now + 60_000,
            // The start of the read.
            rankedAt: clock.now - 100,
          },
        ],
        lists: [{ kind, ...state.lists[kind]?.[0] }],
        results: state.results,
      },
    ]);
    expect(structuredClone(notified)).toEqual(notified);
  });

  it('are one result after an equal response of a thousand rows', async () => {
    const { controller, clock } = openWorld();
    const list = manual('getItems', items);
    ignore(controller.fetch(list.endpoint, {}));
    await list.respond(rows(1000));
    const notified = follow(controller);
    const again = async (after: number): Promise<void> => {
      clock.now += after;
      ignore(controller.fetch(list.endpoint, {}));
      await list.respond(rows(1000));
    };
    await again(1_000);
    expect(notified).toMatchObject([{ seq: 1, rows: [], lists: [], results: [{}] }]);
    // A quarter of the lifetime later, the rows and the list are in a change for their lifetime alone.
    await again(14_000);
    expect(notified[1]?.rows.length).toBe(1000);
    await again(14_000);
    expect(notified[2]?.rows.length).toBe(0);
  });

  it('do not contain an expired row again when a late response changes nothing', async () => {
    const { controller, clock } = openWorld();
    controller.set(Item, { id: '1' }, { name: 'a' });
    const send = (name: string) => {
      const { endpoint, respond } = mutation('rename', Item, () => ({ id: '1', name }));
      ignore(controller.fetch(endpoint));
      return () => respond({ id: '1', name });
    };
    const [first, second, third] = [send('first'), send('second'), send('third')];
    send('pending');
    const notified = follow(controller);
    await third();
    await second();
    expect(notified).toMatchObject([{}, { rows: [{ pk: '1', expiresAt: 0 }] }]);
    clock.now += 61_000;
    await first();
    expect(notified).toHaveLength(2);
  });

  it('contain no optimistic update, and nothing of a failed mutation', async () => {
    const wire = new Wire();
    wire.controller.set(Issue, { id: '1' }, { title: 'a', x: 0 });
    await wire.pollList().respond([{ id: '1' }]);
    const notified = follow(wire.controller);
    const failing = wire.patch('1', { id: '1', x: 1 });
    const created = wire.create({ title: 'new' });
    const deleted = wire.remove('1', true);
    const saved = wire.patch('1', { id: '1', x: 2, title: 'b' });
    expect(notified).toEqual([]);
    await failing.fail();
    await created.fail();
    await deleted.fail();
    expect(notified).toEqual([]);
    await saved.respond({ id: '1', x: 3 });
    expect(notified.map(({ rows: [row] }) => row?.fields)).toEqual([{ id: '1', title: 'a', x: 3 }]);
  });

  it('contain a created row once, under its real key, with its temporary one', async () => {
    const wire = new Wire();
    await wire.pollList().respond([]);
    const notified = follow(wire.controller);
    const create = wire.create({ title: 'new' });
    const temporary = wire.controller.get(issues, {})?.[0]?.id;
    await create.respond({ id: '7', title: 'new' });
    expect(notified).toMatchObject([
      {
        rows: [{ pk: '7', renamedFrom: temporary, fields: { id: '7', title: 'new' } }],
        lists: [{ listing: { members: ['7'] } }],
      },
    ]);
    wire.controller.set(Issue, { id: '7' }, { title: 'later' });
    expect(notified[1]?.rows[0]).not.toHaveProperty('renamedFrom');
  });

  it('contain a local write to a created row once that has its key, as the exported state does', async () => {
    const wire = new Wire();
    await wire.pollList().respond([]);
    const create = wire.create({ title: 'new' });
    const temporary = wire.controller.get(issues, {})?.[0]?.id ?? '';
    const notified = follow(wire.controller);
    wire.controller.set(Issue, { id: temporary }, { y: 5 });
    expect(notified).toEqual([]);
    expect(getState(wire.controller).entities).toEqual({});
    await create.respond({ id: '7', title: 'new' });
    expect(notified).toMatchObject([
      { rows: [{ pk: '7', fields: { id: '7', title: 'new', y: 5 } }] },
    ]);
  });

  it('name a created row that another response contained before', async () => {
    const wire = new Wire();
    await wire.pollList().respond([]);
    const notified = follow(wire.controller);
    const create = wire.create({ title: 'new' });
    const temporary = wire.controller.get(issues, {})?.[0]?.id;
    await wire.poll('7').respond({ id: '7', title: 'new' });
    await create.respond({ id: '7', title: 'new' });
    expect(notified.map((change) => change.rows.map((row) => [row.pk, row.renamedFrom]))).toEqual([
      [['7', undefined]],
      [['7', temporary]],
    ]);
  });

  it('contain a row again that referred to a created row, once that has its key', async () => {
    const wire = new Wire();
    await wire.pollList().respond([]);
    const create = wire.create({ title: 'new' });
    const [created] = wire.controller.get(issues, {}) ?? [];
    const notified = follow(wire.controller);
    class Note extends Entity {
      id = '';
      about: Issue | undefined = undefined;
      static override key = 'Note of the feed';
      static override schema = { about: Issue };
    }
    wire.controller.set(Note, { id: 'n' }, { about: created?.id });
    await create.respond({ id: '7', title: 'new' });
    const note = notified.at(-1)?.rows.find(({ entity }) => entity === Note.key);
    expect(note?.fields).toEqual({ id: 'n', about: '7' });
  });

  it('are the row with null after a deletion, also for an unknown row', async () => {
    const wire = new Wire();
    await wire.pollList().respond([{ id: '1', title: 'a' }]);
    const notified = follow(wire.controller);
    await wire.remove('1').respond({ id: '1' });
    await wire.remove('2').respond({ id: '2' });
    await wire.remove('2').respond({ id: '2' });
    expect(notified.map((change) => change.rows.map(({ pk, fields }) => [pk, fields]))).toEqual([
      [['1', null]],
      [['2', null]],
    ]);
    expect(notified[0]?.lists.map(({ listing }) => listing.members)).toEqual([[]]);
  });

  it('are one for a batch, and none when its changes cancel out', () => {
    const { controller } = openWorld();
    controller.set(Item, { id: '1' }, { name: 'a' });
    const notified = follow(controller);
    controller.batch(() => {
      controller.set(Item, { id: '1' }, { name: 'b' });
      controller.batch(() => controller.set(Item, { id: '2' }, { name: 'c' }));
      controller.setResponse(manual('getItems', items).endpoint, {}, []);
    });
    expect(notified.map(({ rows: { length }, cause }) => [length, cause])).toEqual([[2, 'local']]);
    controller.batch(() => {
      controller.set(Item, { id: '1' }, { name: 'other' });
      controller.set(Item, { id: '1' }, { name: 'b' });
    });
    expect(notified.length).toBe(1);
  });

  it('say that a result is removed when it is invalidated or replaced by an error', async () => {
    const { controller } = openWorld();
    const list = manual('getItems', items);
    ignore(controller.fetch(list.endpoint, {}));
    await list.respond([]);
    const notified = follow(controller);
    const [{ key, schema } = { key: '', schema: '' }] = getState(controller).results;
    ignore(controller.invalidate(list.endpoint, {}));
    expect(notified.at(-1)?.results).toEqual([{ key, schema, gone: true }]);
    ignore(controller.fetch(list.endpoint, {}));
    await list.respond([]);
    expect(notified.at(-1)?.results).toMatchObject([{ key, value: {} }]);
    controller.setError(list.endpoint, {}, new Error('no'));
    expect(notified.at(-1)).toMatchObject({ cause: 'local', results: [{ key, gone: true }] });
  });

  it('are local when a batch invalidates results beside hydrated state', () => {
    const source = openWorld().controller;
    source.set(Item, { id: '1' }, { name: 'a' });
    const state = JSON.parse(JSON.stringify(getState(source))) as ReturnType<typeof getState>;
    for (const how of [invalidateWhere, expireWhere]) {
      const { controller } = openWorld();
      const notified = follow(controller);
      controller.batch(() => {
        hydrate(controller, state);
        ignore(how(controller, { entity: Item }));
      });
      expect(notified.map(({ cause }) => cause)).toEqual(['local']);
    }
  });

  it('are a separate change after a reset', async () => {
    const wire = new Wire();
    const { controller } = wire;
    controller.set(Issue, { id: '1' }, { title: 'a' });
    const notified = follow(controller);
    const late = wire.patch('1', { id: '1', x: 1 });
    controller.resetEntireStore();
    await late.respond({ id: '1', x: 2 });
    expect(notified).toMatchObject([{ seq: 1, cause: 'reset', rows: [], lists: [], results: [] }]);
    controller.batch(() => {
      controller.set(Issue, { id: '1' }, { title: 'before' });
      controller.resetEntireStore();
      controller.set(Issue, { id: '2' }, { title: 'after' });
    });
    expect(
      notified.map(({ seq, cause, rows: all }) => [seq, cause, all.map(({ pk }) => pk)]),
    ).toEqual([
      [1, 'reset', []],
      [2, 'reset', []],
      [3, 'local', ['2']],
    ]);
  });

  it('say why: hydrated state, also while it waits for its schema', () => {
    const source = openWorld().controller;
    source.set(Item, { id: '1' }, { name: 'a' });
    const state = JSON.parse(JSON.stringify(getState(source))) as ReturnType<typeof getState>;
    const { controller } = openWorld();
    const notified = follow(controller);
    hydrate(controller, state);
    expect(notified).toMatchObject([{ cause: 'hydrate', rows: [{ entity: 'Item', pk: '1' }] }]);
    // It is in the store from now on, unchanged.
    expect(controller.get(Item, { id: '1' })?.name).toBe('a');
    controller.set(Item, { id: '1' }, { name: 'a' });
    expect(notified.length).toBe(1);
    controller.set(Item, { id: '1' }, { name: 'b' });
    expect(notified[1]).toMatchObject({ cause: 'local', rows: [{ fields: { name: 'b' } }] });
  });

  it('rank a mutation at its settle, and never before an earlier rank', async () => {
    const { controller, clock } = openWorld();
    const notified = follow(controller);
    const rename = mutation('rename', Item);
    const read = manual('read', Item);
    ignore(controller.fetch(read.endpoint, {}));
    ignore(controller.fetch(rename.endpoint, {}));
    clock.now += 100;
    await rename.respond({ id: '1', name: 'a' });
    clock.now += 100;
    await read.respond({ id: '1', name: 'old', tag: 'b' });
    expect(notified.map(({ rows: [row] }) => [row?.fields, row?.rankedAt])).toEqual([
      [{ id: '1', name: 'a' }, 1_000_100],
      [{ id: '1', name: 'a', tag: 'b' }, 1_000_100],
    ]);
  });

  it('do not contain evicted rows', () => {
    const idle: (() => void)[] = [];
    let now = 1_000_000;
    const controller = new Controller({
      dataExpiryLength: 10,
      environment: {
        now: () => now,
        whenIdle: (callback) => {
          idle.push(callback);
          return () => {};
        },
      },
    });
    const { endpoint } = manual('getItems', items);
    controller.setResponse(endpoint, {}, rows(3));
    const notified = follow(controller);
    now += 1_000_000;
    for (let slice = 0; slice < 10; slice += 1) idle.shift()?.();
    expect(getState(controller)).toMatchObject({ entities: {}, results: [] });
    controller.set(Item, { id: 'x' }, { name: 'later' });
    expect(notified).toMatchObject([{ rows: [{ pk: 'x' }], lists: [], results: [] }]);
  });
});

describe('a listener of changes', () => {
  it('is called once the store is consistent, and before readers are', () => {
    const { controller } = openWorld();
    controller.set(Item, { id: '1' }, { name: 'a' });
    const view = controller.observeQuery(Item, { id: '1' });
    const log: string[] = [];
    view.subscribe(() => log.push('reader'));
    changes(controller, () => log.push(`listener sees ${controller.get(Item, { id: '1' })?.name}`));
    controller.set(Item, { id: '1' }, { name: 'b' });
    expect(log).toEqual(['listener sees b', 'reader']);
  });

  it('that throws is reported, and called again', () => {
    const { controller, reports } = openWorld();
    const error = new Error('mine');
    changes(controller, () => {
      throw error;
    });
    const notified = follow(controller);
    const calls = listen(controller.observeQuery(Item, { id: '1' }));
    controller.set(Item, { id: '1' }, { name: 'a' });
    controller.set(Item, { id: '1' }, { name: 'b' });
    expect(reports).toEqual([error, error]);
    expect(notified.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(calls.count).toBe(2);
  });

  it('that writes gets its own change afterwards, as the others do, before readers are notified', () => {
    const { controller } = openWorld();
    const log: string[] = [];
    const view = controller.observeQuery(Item, { id: '1' });
    view.subscribe(() => log.push('reader'));
    changes(controller, ({ rows: [row] }) => {
      if (row?.pk === '1') controller.set(Item, { id: '2' }, { name: 'because of 1' });
    });
    changes(controller, ({ seq, rows: [row] }) => log.push(`${seq} ${row?.pk}`));
    controller.set(Item, { id: '1' }, { name: 'a' });
    expect(log).toEqual(['1 1', '2 2', 'reader']);
  });

  it('that resets the store leaves no reader behind', () => {
    const { controller } = openWorld();
    const view = controller.observeQuery(Item, { id: '1' });
    controller.set(Item, { id: '1' }, { name: 'before' });
    const calls = listen(view);
    changes(controller, ({ cause }) => {
      if (cause === 'local') controller.resetEntireStore();
    });
    const notified = follow(controller);
    controller.set(Item, { id: '1' }, { name: 'a' });
    expect(notified.map(({ cause }) => cause)).toEqual(['local', 'reset']);
    expect(view.getSnapshot()).toMatchObject({ data: undefined });
    expect(calls.count).toBe(1);
    expect(getState(controller).entities).toEqual({});
  });

  it('starts with the next change, and ends when it is removed', () => {
    const { controller } = openWorld();
    controller.set(Item, { id: '1' }, { name: 'a' });
    const notified: ChangeSet[] = [];
    const stop = changes(controller, (change) => notified.push(change));
    controller.set(Item, { id: '1' }, { name: 'a' });
    expect(notified).toEqual([]);
    controller.set(Item, { id: '1' }, { name: 'b' });
    stop();
    stop();
    controller.set(Item, { id: '1' }, { name: 'c' });
    expect(notified.length).toBe(1);
    const again = follow(controller);
    controller.set(Item, { id: '1' }, { name: 'c' });
    controller.set(Item, { id: '1' }, { name: 'd' });
    expect(again.map(({ seq }) => seq)).toEqual([2]);
  });

  it('is not notified of rows whose class has no name elsewhere; that is reported once', () => {
    class Unnamed extends Entity {
      id = '';
      name = '';
    }
    const { controller, reports } = openWorld();
    const notified = follow(controller);
    controller.set(Unnamed, { id: '1' }, { name: 'a' });
    controller.set(Unnamed, { id: '1' }, { name: 'b' });
    controller.set(Item, { id: '1' }, { name: 'a' });
    expect(reports).toMatchObject([{ code: 'entity-without-key' }]);
    expect(notified.map(({ rows: all }) => all.map(({ entity }) => entity))).toEqual([['Item']]);
  });

  it('gets the changes of a deletion that a response of another class contains', async () => {
    const { controller } = openWorld();
    const notified = follow(controller);
    const removal = mutation('remove', new Invalidate(Item));
    ignore(controller.fetch(removal.endpoint, { id: '5' }));
    await removal.respond(undefined);
    await flush();
    expect(notified).toMatchObject([{ cause: 'response', rows: [{ pk: '5', fields: null }] }]);
  });
});
