/** Lists against creates, deletions and polls. */
import { beforeEach, describe, expect, it } from 'vitest';
import { Collection, Entity, Invalidate, Union } from 'restitch';
import { ignore, Item, manual, mutation, openWorld, User } from '../support/world.js';
import { Issue, issues, Wire } from '../support/wire.js';

let wire: Wire;

/** Rows titled like their ids. */
function rows(...ids: string[]): { id: string; title: string }[] {
  return ids.map((id) => ({ id, title: id }));
}

beforeEach(() => {
  wire = new Wire();
});

describe('a poll against a pending create', () => {
  it('neither hides the optimistic row nor removes the confirmed one', async () => {
    wire.controller.setResponse(wire.getList, {}, rows('1'));
    const early = wire.pollList();
    const creation = wire.create({ title: 'new' });
    const during = wire.pollList();
    expect(wire.titles()).toEqual(['1', 'new']);
    await early.respond(rows('1'));
    expect(wire.titles()).toEqual(['1', 'new']);
    await creation.respond({ id: '7', title: 'new' });
    expect(wire.titles()).toEqual(['1', 'new']);
    await during.respond(rows('1'));
    expect(wire.titles()).toEqual(['1', 'new']);
  });

  it('a poll that began after the response is believed, with or without the row', async () => {
    wire.controller.setResponse(wire.getList, {}, rows('1'));
    await wire.create({ title: 'new' }).respond({ id: '7', title: 'new' });
    await wire.pollList().respond(rows('1'));
    expect(wire.titles()).toEqual(['1']);
  });

  it('a poll that holds the created row already moves nothing when the response to the create arrives', async () => {
    wire.controller.setResponse(wire.getList, {}, rows('1'));
    const creation = wire.create({ title: '7' }, false);
    await wire.pollList().respond(rows('7', '1'));
    await creation.respond({ id: '7', title: '7' });
    expect(wire.titles()).toEqual(['7', '1']);
  });

  it('one create never shows as two rows', async () => {
    wire.controller.setResponse(wire.getList, {}, rows('1'));
    const creation = wire.create({ title: 'new' });
    // The server has created row 7; another client created row 8. Which of the two is ours cannot be known yet.
    await wire
      .pollList()
      .respond([...rows('1'), { id: '7', title: 'new' }, { id: '8', title: '8' }]);
    expect(wire.titles()).toEqual(['1', 'new']);
    await creation.respond({ id: '7', title: 'new' });
    expect(wire.titles()).toEqual(['1', 'new', '8']);
  });

  it('rows that were members before are not withheld, although a poll names them', async () => {
    wire.controller.setResponse(wire.getList, {}, rows('1', '2'));
    const creation = wire.create({ title: 'new' });
    await wire.pollList().respond(rows('2', '1', '3'));
    expect(wire.titles()).toEqual(['2', '1', 'new']);
    await creation.fail();
    expect(wire.titles()).toEqual(['2', '1', '3']);
  });
});

describe('a refetch against a push', () => {
  it.each([
    ['push', 'before', ['2', '1', 'new']],
    ['push', 'after', ['2', '1', 'new']],
    ['unshift', 'before', ['new', '2', '1']],
    ['unshift', 'after', ['new', '2', '1']],
  ] as const)(
    '%s: the row is kept when the refetch arrives %s the response',
    async (at, when, expected) => {
      wire.controller.setResponse(wire.getList, {}, rows('1'));
      const refetch = wire.pollList();
      const creation = wire.create({ title: 'new' }, true, at);
      if (when === 'before') await refetch.respond(rows('2', '1'));
      await creation.respond({ id: '7', title: 'new' });
      if (when === 'after') await refetch.respond(rows('2', '1'));
      expect(wire.titles()).toEqual(expected);
    },
  );

  it('a create and a first list read that settle in one turn keep the created row', async () => {
    const creation = wire.create({ title: 'new' }, false);
    const read = wire.pollList();
    await Promise.all([creation.respond({ id: '7', title: 'new' }), read.respond(rows('1'))]);
    expect(wire.titles()).toEqual(['1', 'new']);
  });
});

describe('rows that others created', () => {
  it('show at once along with a pending create that has its key already, and with other changes', async () => {
    wire.controller.setResponse(wire.getList, {}, rows('1'));
    wire.poll('1');
    wire.create({ id: '9', title: '9' });
    wire.remove('1');
    await wire.pollList().respond(rows('1', '8'));
    expect(wire.titles()).toEqual(['1', '8', '9']);
  });
});

describe('several creates', () => {
  it('at the start of a list stand in the order of their calls, each before the last', async () => {
    wire.controller.setResponse(wire.getList, {}, rows('1'));
    const first = wire.create({ title: 'first' }, true, 'unshift');
    const second = wire.create({ title: 'second' }, true, 'unshift');
    wire.create({ title: 'end' });
    wire.create({ id: '1' }, true, 'unshift');
    expect(wire.titles()).toEqual(['second', 'first', '1', 'end']);
    await first.respond({ id: '7', title: 'first' });
    await second.respond({ id: '8', title: 'second' });
    expect(wire.titles()).toEqual(['second', 'first', '1', 'end']);
  });

  it('that their class places stand where it wants each', () => {
    const { controller } = openWorld();
    const items = new Collection([Item]);
    const second = items.addWith((existing, incoming) => [
      ...existing.slice(0, 1),
      ...incoming,
      ...existing.slice(1),
    ]);
    controller.set(items, {}, [{ id: '1' }, { id: '2' }]);
    controller.set(Item, { id: 'known' }, { name: 'known' });
    const add = mutation('add', second, (_, body) => body);
    for (const id of ['a', 'b']) ignore(controller.fetch(add.endpoint, { id }));
    expect(controller.get(items, {})?.map(({ id }) => id)).toEqual(['1', 'b', 'a', '2']);
    controller.set(
      items.addWith((existing) => ['known', ...existing]),
      {},
      { id: 'c' },
    );
    expect(controller.get(items, {})?.map(({ id }) => id)).toEqual(['1', 'b', 'a', '2']);
  });

  it('confirmed without a row in another order do not expire their list', async () => {
    await wire.start(wire.getList, {}).respond(rows('1'));
    const view = wire.controller.observe(wire.getList, {});
    view.subscribe(() => {});
    const [first, second] = [wire.create({ id: '8' }), wire.create({ id: '9' })];
    await second.respond(null);
    await first.respond(null);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: false });
  });
});

it('a refetch that holds the created row already notifies no reader', async () => {
  wire.controller.setResponse(wire.getList, {}, rows('1'));
  await wire.create({ title: 'new' }).respond({ id: '7', title: 'new' });
  let notified = 0;
  for (const view of [
    wire.controller.observeQuery(issues, {}),
    wire.controller.observe(wire.getList, {}),
  ]) {
    view.subscribe(() => notified++);
    expect(view.getSnapshot()).toMatchObject({ data: [{ id: '1' }, { id: '7' }] });
  }
  await wire.pollList().respond([...rows('1'), { id: '7', title: 'new' }]);
  expect(notified).toBe(0);
});

it('an empty list in the response to a change empties the list', async () => {
  const { controller } = openWorld();
  const items = new Collection([Item]);
  const clear = mutation('clear', items, () => []);
  controller.set(items, {}, [{ id: '1' }]);
  ignore(controller.fetch(clear.endpoint, {}));
  await clear.respond([]);
  expect(controller.get(items, {})).toEqual([]);
});

describe('temporary rows', () => {
  it('two creates in the same millisecond are two rows, whatever order their responses arrive in', async () => {
    wire.controller.setResponse(wire.getList, {}, []);
    const first = wire.create({ title: 'first' });
    const second = wire.create({ title: 'second' });
    expect(wire.titles()).toEqual(['first', 'second']);
    await second.respond({ id: '8', title: 'second' });
    expect(wire.titles()).toEqual(['first', 'second']);
    await first.respond({ id: '7', title: 'first' });
    expect(wire.titles()).toEqual(['first', 'second']);
    expect(wire.controller.get(issues, {})?.map(({ id }) => id)).toEqual(['7', '8']);
  });

  it('become the real row in the same place, with no moment of two rows or of none', async () => {
    wire.controller.setResponse(wire.getList, {}, rows('1'));
    const seen: (readonly string[] | undefined)[] = [];
    const stop = wire.controller.observeQuery(issues, {}).subscribe(() => seen.push(wire.titles()));
    const creation = wire.create({ title: 'new' });
    await creation.respond({ id: '7', title: 'new' });
    stop();
    expect(seen).toEqual([
      ['1', 'new'],
      ['1', 'new'],
    ]);
    expect(wire.issue('7')).toBe(wire.controller.get(issues, {})?.[1]);
  });

  it('become the row that a faster poll brought', async () => {
    wire.controller.setResponse(wire.getList, {}, rows('1'));
    const creation = wire.create({ title: 'optimistic' });
    await wire.poll('7').respond({ id: '7', title: 'polled' });
    expect(wire.titles()).toEqual(['1', 'optimistic']);
    await creation.respond({ id: '7', title: 'created' });
    expect(wire.titles()).toEqual(['1', 'created']);
    expect(wire.issue('7')).toBe(wire.controller.get(issues, {})?.[1]);
  });

  it('two creates whose responses have the same key are one row', async () => {
    wire.controller.setResponse(wire.getList, {}, rows('1'));
    const first = wire.create({ title: 'first' });
    const second = wire.create({ title: 'second' });
    await first.respond({ id: '7', title: 'first' });
    await second.respond({ id: '7', x: 1 });
    expect(wire.titles()).toEqual(['1', 'second']);
    expect(wire.issue('7')?.x).toBe(1);
  });

  it.each(['fail', 'abort'] as const)('leave no trace on %s', async (how) => {
    wire.controller.setResponse(wire.getList, {}, rows('1'));
    const creation = wire.create({ title: 'new' });
    await creation[how]();
    expect(wire.titles()).toEqual(['1']);
  });
});

describe('a failure takes the raise back', () => {
  it('a row hidden because an older mutation was in flight shows when that one fails', async () => {
    wire.controller.setResponse(wire.getList, {}, rows('4'));
    const creation = wire.create({ id: '9', title: '9' });
    await wire.remove('4').respond('4');
    await wire.pollList().respond(rows('4'));
    expect(wire.titles()).toEqual(['9']);
    await creation.fail();
    expect(wire.titles()).toEqual(['4']);
  });
});

describe('a list that is loaded later', () => {
  it('misses no create because another one failed', async () => {
    const read = wire.pollList();
    const failing = wire.create({ title: 'failing' });
    await wire.create({ title: 'new' }, false).respond({ id: '7', title: 'new' });
    await failing.fail();
    await read.respond(rows('1'));
    expect(wire.titles()).toEqual(['1', 'new']);
  });

  it('holds no row that a create meant to add before it failed', async () => {
    const { controller } = openWorld();
    const items = new Collection([Item]);
    const list = manual('items', items);
    const create = mutation('create', items.push, () => ({ id: '9' }));
    controller.set(Item, { id: '9' }, { name: 'known' });
    ignore(controller.fetch(list.endpoint, {}));
    ignore(controller.fetch(create.endpoint, {}));
    await create.fail(new Error('no'));
    await list.respond([{ id: '1' }]);
    expect(controller.get(items, {})?.map(({ id }) => id)).toEqual(['1']);
  });

  it('holds no row of the same key that another list got', async () => {
    const { controller } = openWorld();
    const [items, users] = [new Collection([Item]), new Collection([User])];
    const list = manual('users', users);
    const create = mutation('create', items.push);
    controller.set(User, { id: '7' }, { name: 'ann' });
    ignore(controller.fetch(list.endpoint, {}));
    ignore(controller.fetch(create.endpoint, {}));
    await create.respond({ id: '7', name: 'item' });
    await list.respond([{ id: '1' }]);
    expect(controller.get(users, {})?.map(({ id }) => id)).toEqual(['1']);
  });

  it('lacks a deleted row that an older mutation raises when its response arrives', async () => {
    const creation = wire.create({ id: '9', title: '9' }, false);
    await wire.remove('4').respond('4');
    const read = wire.pollList();
    const stalled = wire.poll('1');
    await creation.respond({ id: '9', title: '9' });
    wire.controller.set(Issue, { id: '4' }, { id: '4', title: 'again' });
    await read.respond([{ id: '4' }]);
    expect(wire.titles()).toEqual(['9']);
    await stalled.fail();
    expect(wire.titles()).toEqual(['9']);
  });

  it('holds the row whose create was confirmed before the first list was', async () => {
    const read = wire.pollList();
    await wire.create({ title: 'new' }, false).respond({ id: '7', title: 'new' });
    expect(wire.titles()).toBeUndefined();
    await read.respond(rows('1'));
    expect(wire.titles()).toEqual(['1', 'new']);
  });

  it('lacks the row whose deletion was confirmed before the first list was', async () => {
    const read = wire.pollList();
    await wire.remove('1').respond('1');
    await read.respond(rows('1', '2'));
    expect(wire.titles()).toEqual(['2']);
    wire.controller.set(Issue, { id: '1' }, { id: '1', title: 'again' });
    expect(wire.titles()).toEqual(['2']);
  });

  it('lacks a deleted row as long as an older mutation raises the deletion', async () => {
    const creation = wire.create({ id: '9', title: '9' });
    await wire.remove('4').respond('4');
    wire.controller.set(Issue, { id: '4' }, { id: '4', title: 'again' });
    await wire.pollList().respond([{ id: '4' }]);
    expect(wire.titles()).toEqual(['9']);
    await creation.respond({ id: '9', title: '9' });
    expect(wire.titles()).toEqual(['9']);
  });

  it('holds the row of a create that is in flight once its response arrives', async () => {
    const read = wire.pollList();
    const creation = wire.create({ title: 'new' });
    expect(wire.titles()).toBeUndefined();
    await read.respond(rows('1'));
    expect(wire.titles()).toEqual(['1']);
    await creation.respond({ id: '7', title: 'new' });
    expect(wire.titles()).toEqual(['1', 'new']);
  });
});

describe('a deletion in a list of several classes', () => {
  it('takes out the row of its own class alone', async () => {
    class Note extends Entity {
      id = '';
      type = 'note' as const;
      static override key = 'Note';
    }
    class Task extends Entity {
      id = '';
      type = 'task' as const;
      static override key = 'Task';
    }
    const { controller } = openWorld();
    const feed = new Collection([new Union({ note: Note, task: Task }, 'type')]);
    const remove = mutation('remove', new Invalidate(Note));
    const types = () => controller.get(feed, {})?.map(({ type }) => type);
    controller.set(feed, {}, [
      { id: '1', type: 'note' },
      { id: '1', type: 'task' },
    ]);
    ignore(controller.fetch(remove.endpoint, { id: '1' }));
    await remove.respond({ id: '1' });
    expect(types()).toEqual(['task']);
    for (const [type, schema] of Object.entries({ note: Note, task: Task })) {
      controller.set(schema, { id: '1' }, { id: '1', type });
    }
    expect(types()).toEqual(['task']);
  });
});

describe('membership', () => {
  it('a key that stands twice in a list response is there once, at its first place', async () => {
    await wire.pollList().respond([...rows('2', '1'), { id: '2', title: 'later' }]);
    expect(wire.titles()).toEqual(['later', '1']);
  });

  it('an addition to a list that is not known makes none, a removal from it is nothing', async () => {
    await wire.create({ title: 'new' }, false).respond({ id: '7', title: 'new' });
    await wire.remove('8').respond('8');
    expect(wire.titles()).toBeUndefined();
  });

  it('a create goes to the lists that its response matches, not to those that the optimistic update did', async () => {
    wire.controller.setResponse(wire.getList, { status: 'open' }, []);
    wire.controller.setResponse(wire.getList, { status: 'done' }, []);
    const creation = wire.create({ title: 'new', status: 'open' });
    expect(wire.titles({ status: 'open' })).toEqual(['new']);
    expect(wire.titles({ status: 'done' })).toEqual([]);
    await creation.respond({ id: '7', title: 'new', status: 'done' });
    expect(wire.titles({ status: 'open' })).toEqual([]);
    expect(wire.titles({ status: 'done' })).toEqual(['new']);
  });

  it('an overlapping remove and add of one row keep start order, either way round', async () => {
    wire.controller.setResponse(wire.getList, {}, rows('1'));
    const removal = wire.remove('1');
    const creation = wire.create({ id: '1', title: 'again' });
    await creation.respond({ id: '1', title: 'again' });
    await removal.respond('1');
    expect(wire.titles()).toEqual(['again']);

    const laterCreation = wire.create({ id: '1', title: 'third' });
    const laterRemoval = wire.remove('1');
    await laterRemoval.respond('1');
    await laterCreation.respond({ id: '1', title: 'third' });
    expect(wire.titles()).toEqual([]);
  });
});
