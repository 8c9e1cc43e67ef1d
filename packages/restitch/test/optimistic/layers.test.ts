/** Optimistic updates that read the store run as often as their input changes. */
import { All, Collection, Entity, indexBy, Invalidate, type Snapshot } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { beforeEach, describe, expect, it } from 'vitest';
import { ignore, Item, manual, mutation, openWorld } from '../support/world.js';
import { type Flight, Issue, issues, Wire } from '../support/wire.js';

let wire: Wire;
let first: Flight;
let runs = 0;

const increment = (snapshot: Snapshot): { id: string; x: number } => {
  runs += 1;
  return { id: '1', x: (snapshot.get(Issue, { id: '1' })?.x ?? 0) + 1 };
};

beforeEach(() => {
  wire = new Wire();
  wire.controller.set(Issue, { id: '1' }, { id: '1', x: 0 });
  first = wire.patch('1', increment);
  wire.patch('1', increment);
  wire.patch('1', increment);
  runs = 0;
});

describe('an optimistic update that others build on', () => {
  it('runs none of them again when it is confirmed as predicted', async () => {
    await first.respond({ id: '1', x: 1 });
    expect(wire.issue('1')?.x).toBe(3);
    expect(runs).toBe(0);
  });

  it('runs each of them once when its response differs from the prediction', async () => {
    await first.respond({ id: '1', x: 5 });
    expect(wire.issue('1')?.x).toBe(7);
    expect(runs).toBe(2);
  });
});

describe('an optimistic update that looks at a row', () => {
  it('runs again where one batch changes the layers below it and above it', () => {
    const server = openWorld();
    server.controller.set(Item, { id: '1' }, { name: 'brought' });
    const { controller } = openWorld();
    const rename = mutation('rename', Item, (snapshot: Snapshot) => {
      return { id: '2', name: `after ${snapshot.get(Item, { id: '1' })?.name ?? 'nobody'}` };
    });
    controller.set(Item, { id: '2' }, { name: 'known' });
    ignore(controller.fetch(rename.endpoint));
    expect(controller.get(Item, { id: '2' })?.name).toBe('after nobody');
    controller.batch(() => {
      hydrate(controller, getState(server.controller));
      controller.set(Item, { id: '1' }, { name: 'set' });
    });
    expect(controller.get(Item, { id: '2' })?.name).toBe('after brought');
  });
});

describe('optimistic updates that look at the same row', () => {
  /** How often a function that lies below `count` optimistic updates is called when the response to the first of them arrives. */
  async function callsAmong(count: number): Promise<number> {
    wire = new Wire();
    wire.poll('1');
    let calls = 0;
    wire.controller.set(Issue, { id: '1' }, () => {
      calls += 1;
      return { id: '1', x: 0 };
    });
    const [oldest] = Array.from({ length: count }, () => wire.patch('1', increment));
    calls = 0;
    await oldest?.respond({ id: '1', x: 1 });
    expect(wire.issue('1')?.x).toBe(count);
    return calls;
  }

  it('only the next one compares its input, however many others are pending', async () => {
    expect(await callsAmong(30)).toBe(await callsAmong(10));
  });

  it('a younger one runs again where the layers between them leave a field through', async () => {
    wire = new Wire();
    wire.controller.set(Issue, { id: '1' }, { id: '1', x: 0, y: 0 });
    const older = wire.patch('1', { id: '1', y: 0 });
    wire.patch('1', increment);
    wire.controller.set(Issue, { id: '1' }, { id: '1', y: 5 });
    const younger = wire.patch('1', (snapshot) => ({
      id: '1',
      y: (snapshot.get(Issue, { id: '1' })?.y ?? 0) + 1,
    }));
    expect(wire.issue('1')).toMatchObject({ x: 1, y: 1 });
    // The older optimistic update repeated stored values, and hid what came after it.
    await older.fail();
    expect(wire.issue('1')).toMatchObject({ x: 1, y: 6 });
    await younger.fail();
    expect(wire.issue('1')).toMatchObject({ x: 1, y: 5 });
  });

  it('a younger one runs again for a create between them whose response contains this row', async () => {
    wire = new Wire();
    wire.controller.setResponse(wire.getList, {}, [{ id: '1', x: 0, y: 0 }]);
    wire.patch('1', (snapshot) => {
      expect(snapshot.get(issues, {})).toHaveLength(1);
      return increment(snapshot);
    });
    const created = wire.create({ title: 'new' });
    wire.patch('1', (snapshot) => ({
      id: '1',
      y: (snapshot.get(Issue, { id: '1' })?.y ?? 0) + 1,
    }));
    expect(wire.issue('1')).toMatchObject({ x: 1, y: 1 });
    runs = 0;
    await created.respond({ id: '1', title: 'new', y: 5 });
    expect(runs).toBe(0);
    expect(wire.issue('1')).toMatchObject({ title: 'new', x: 1, y: 6 });
  });
});

describe('an optimistic update runs again', () => {
  it('once, after all that it depends on', async () => {
    wire = new Wire();
    for (const id of ['1', '2', '3', '4']) wire.controller.set(Issue, { id }, { id, x: 0 });
    const x = (snapshot: Snapshot, id: string) => snapshot.get(Issue, { id })?.x ?? 0;
    const older = wire.poll('1');
    wire.patch('2', (snapshot) => ({ id: '2', x: x(snapshot, '1') + 1 }));
    wire.patch('3', (snapshot) => ({ id: '3', x: x(snapshot, '2') + 1 }));
    wire.patch('4', (snapshot) => {
      runs += 1;
      return { id: '4', x: x(snapshot, '1') + x(snapshot, '3') };
    });
    runs = 0;
    await older.respond({ id: '1', x: 10 });
    expect(wire.issue('4')?.x).toBe(22);
    expect(runs).toBe(1);
  });

  /** A row that an older read is under way for, and an empty list. */
  function openRow() {
    const world = openWorld();
    const { controller } = world;
    const items = new Collection([Item]);
    const older = manual('older', Item);
    controller.set(items, [{}], []);
    controller.set(Item, { id: '1' }, { name: 'a' });
    ignore(controller.fetch(older.endpoint));
    const name = (snapshot: Snapshot) => snapshot.get(Item, { id: '1' })?.name;
    const shownNow = () => controller.get(items, {})?.map(({ id }) => id);
    return { ...world, items, older, name, shown: shownNow };
  }

  it('unless the update before it has the same result', async () => {
    const { controller, items, older, name, shown: shownNow } = openRow();
    const push = mutation('push', items.push, (snapshot) => ({
      id: '8',
      name: name(snapshot) ? 'known' : 'unknown',
    }));
    const count = mutation('count', Item, (snapshot) => {
      runs += 1;
      return { id: '9', name: String(snapshot.get(items, {})?.length) };
    });
    ignore(controller.fetch(push.endpoint));
    ignore(controller.fetch(count.endpoint));
    runs = 0;
    await older.respond({ id: '1', name: 'b' });
    expect(runs).toBe(0);
    expect(shownNow()).toEqual(['8']);
  });

  it('none the more for a deletion that is pending above it', async () => {
    const { controller, older, name, reports } = openRow();
    const count = (field: string) =>
      mutation(field, Item, (snapshot) => {
        runs += 1;
        return { id: '1', [field]: name(snapshot) };
      });
    const remove = mutation('remove', new Invalidate(Item), () => ({ id: '1' }));
    const edit = mutation('edit', Item, () => ({ id: '1', name: 'edited' }));
    const pending = [edit, count('x'), remove, count('y')];
    for (const { endpoint } of pending) ignore(controller.fetch(endpoint));
    runs = 0;
    await edit.respond({ id: '1', name: 'edited' });
    await older.respond({ id: '1', name: 'older' });
    expect(runs).toBe(0);
    expect(reports).toEqual([]);
  });

  it('for another place in a list with the same row', async () => {
    const { controller, items, older, name, shown: shownNow } = openRow();
    controller.set(items, {}, [{ id: '2' }]);
    const schema = { first: items.unshift, last: items.push };
    const add = mutation('add', schema, (snapshot) =>
      name(snapshot) === 'a' ? { last: { id: '8' } } : { first: { id: '8' } },
    );
    ignore(controller.fetch(add.endpoint, {}));
    expect(shownNow()).toEqual(['2', '8']);
    await older.respond({ id: '1', name: 'b' });
    expect(shownNow()).toEqual(['8', '2']);
  });

  it('for another list with the same row', async () => {
    const { controller, items, older, name, shown: shownNow } = openRow();
    const others = new Collection([Item], { name: 'others' });
    controller.set(others, {}, []);
    const schema = { here: items.push, there: others.push };
    const add = mutation('add', schema, (snapshot) =>
      name(snapshot) === 'a' ? { here: { id: '8' } } : { there: { id: '8' } },
    );
    ignore(controller.fetch(add.endpoint, {}));
    expect([shownNow(), controller.get(others, {})]).toMatchObject([['8'], []]);
    await older.respond({ id: '1', name: 'b' });
    expect([shownNow(), controller.get(others, {})]).toMatchObject([[], [{ id: '8' }]]);
  });

  it('for other members of a list with no other rows', async () => {
    const { controller, items, older, name, shown: shownNow } = openRow();
    const replace = mutation('replace', items, (snapshot) => (name(snapshot) === 'a' ? ['1'] : []));
    ignore(controller.fetch(replace.endpoint, {}));
    expect(shownNow()).toEqual(['1']);
    await older.respond({ id: '1', name: 'b' });
    expect(shownNow()).toEqual([]);
  });

  it('to be taken back where it aborts then', async () => {
    const { controller, reports, items, older, name, shown: shownNow } = openRow();
    const push = mutation('push', items.push, (snapshot) => {
      if (name(snapshot) === 'b') throw snapshot.abort;
      return { id: '8' };
    });
    ignore(controller.fetch(push.endpoint, {}));
    expect(shownNow()).toEqual(['8']);
    await older.respond({ id: '1', name: 'b' });
    expect(shownNow()).toEqual([]);
    expect(reports).toEqual([]);
  });

  it('on rows that a later change has hidden since', async () => {
    class Named extends Entity {
      id = '';
      name = '';
      found = '';
      static override key = 'Named';
      static override indexes = indexBy('name');
    }
    const { controller } = openWorld();
    for (const [id, name] of [
      ['1', 'old'],
      ['2', 'new'],
    ]) {
      controller.set(Named, { id }, { name });
    }
    const older = manual('older', Named);
    const optimistic = mutation('optimistic', Named, (snapshot) => ({
      id: '3',
      found: [
        snapshot.get(Named, { id: '1' })?.found,
        snapshot.get(Named, { name: 'new' })?.id,
        snapshot.get(new All(Named))?.length,
      ].join(),
    }));
    const [rename, remove] = [mutation('rename', Named), mutation('remove', new Invalidate(Named))];
    const found = () => controller.get(Named, { id: '3' })?.found;
    controller.set(Named, { id: '3' }, { name: 'found' });
    for (const { endpoint } of [older, optimistic, rename, remove])
      ignore(controller.fetch(endpoint));
    expect(found()).toBe(',2,3');
    await rename.respond({ id: '2', name: 'renamed' });
    await remove.respond({ id: '1' });
    await older.respond({ id: '1', found: 'x' });
    expect(found()).toBe('x,2,3');
  });

  it('with its input as a reference, not a change', async () => {
    class Task extends Entity {
      id = '';
      owner: Item | undefined = undefined;
      static override key = 'Task';
      static override schema = { owner: Item };
    }
    const { controller, older } = openRow();
    controller.set(Task, { id: 't' }, {});
    const assign = mutation('assign', Task, (snapshot) => ({
      id: 't',
      owner: snapshot.get(Item, { id: '1' }),
    }));
    ignore(controller.fetch(assign.endpoint));
    expect(controller.get(Task, { id: 't' })?.owner?.name).toBe('a');
    controller.set(Item, { id: '1' }, { name: 'b' });
    expect(controller.get(Task, { id: 't' })?.owner?.name).toBe('b');
    await older.respond({ id: '1', name: 'older' });
    expect(controller.get(Task, { id: 't' })?.owner?.name).toBe('b');
  });
});
