import { All, Collection, CustomSchema, Endpoint, Entity, Lazy, Query, Values } from 'restitch';
import { describe, expect, it } from 'vitest';
import {
  dataOf,
  idsOf,
  ignore,
  Item,
  listen,
  manual,
  mutation,
  openWorld,
} from '../support/world.js';

class Task extends Entity {
  id = '';
  title = '';
  done = false;
  static override key = 'Task';
}
const tasks = new Collection([Task]);

/** A store with three tasks, and how often the open ones were computed. */
async function openTasks() {
  const world = openWorld();
  const runs: unknown[][] = [];
  const openOnes = new Query(tasks, (all, { limit }: { limit: number }) => {
    runs.push([all, limit]);
    return all.filter(({ done }) => !done).slice(0, limit);
  });
  const list = manual('getTasks', tasks);
  ignore(world.controller.fetch(list.endpoint));
  await list.respond([{ id: '1', title: 'a' }, { id: '2', done: true }, { id: '3' }]);
  return { ...world, list, openOnes, runs };
}

describe('Query', () => {
  it('is a computed view of another schema, with arguments', async () => {
    const { controller } = await openTasks();
    const count = new Query(new All(Task), (all) => all.length);
    const some = new Query(new All(Task), (all, { from }: { from: number }) =>
      idsOf(all.slice(from)),
    );
    expect(controller.get(count)).toBe(3);
    expect(controller.get(some, { from: 1 })).toEqual(['2', '3']);
    expect(controller.get(some, { from: 2 })).toEqual(['3']);
  });

  it('runs again only when its input or arguments changed', async () => {
    const { controller } = await openTasks();
    let runs = 0;
    const open = new Query(new All(Task), (all) => {
      runs += 1;
      return all.filter(({ done }) => !done);
    });
    const view = controller.observeQuery(open);
    const notified = listen(view);
    const before = dataOf(view);
    expect(idsOf(before)).toEqual(['1', '3']);
    controller.set(Item, { id: 'x' }, { name: 'unrelated' });
    expect(dataOf(view)).toBe(before);
    expect(controller.get(open)).toBe(before);
    expect(runs).toBe(1);
    controller.set(Task, { id: '3' }, { done: true });
    expect(notified.count).toBe(1);
    expect(idsOf(dataOf(view))).toEqual(['1']);
    expect(runs).toBe(2);
  });

  it('that comes out with the same items is the same, and notifies no reader', async () => {
    const { controller } = await openTasks();
    const open = new Query(tasks, (all) => all.filter(({ done }) => !done));
    const titles = new Query(tasks, (all) => ({ first: all[0]?.title, count: all.length }));
    const list = controller.observeQuery(open);
    const summary = controller.observeQuery(titles);
    const notified = [listen(list), listen(summary)];
    const before = [dataOf(list), dataOf(summary)] as const;
    controller.set(Task, { id: '2' }, { title: 'done, and renamed' });
    expect(dataOf(list)).toBe(before[0]);
    expect(dataOf(summary)).toBe(before[1]);
    expect(controller.get(open)).toBe(before[0]);
    expect(notified.map(({ count }) => count)).toEqual([0, 0]);
    controller.set(Task, { id: '1' }, { title: 'another' });
    expect(dataOf(list)?.[0]?.title).toBe('another');
    expect(dataOf(summary)).toEqual({ first: 'another', count: 3 });
  });

  it('that comes out the same still knows what it was made of', async () => {
    const { controller } = openWorld();
    let sent: { at: string; day: string } = { at: '2026-01-01T10:00', day: 'Thursday' };
    const day = new Query({ at: Date, day: '' }, (value) => ({
      day: value.day,
      of: value.at.getDay(),
    }));
    const hour = new Query({ at: Date, day: '' }, ({ at }) => ({ hour: at.getHours() }));
    for (const schema of [day, hour]) {
      const get = new Endpoint(async () => sent as never, { name: 'getDay', schema });
      const view = controller.observe(get);
      const seen: unknown[] = [];
      listen(view);
      for (const at of [
        '2026-01-01T10:00',
        '2026-01-01T11:00',
        '2026-01-01T12:00',
        '2026-01-01T12:00',
      ]) {
        sent = { at, day: 'Thursday' };
        await controller.fetch(get);
        seen.push(dataOf(view));
      }
      expect(seen).toEqual(
        schema === day
          ? Array(4).fill({ day: 'Thursday', of: 4 })
          : [{ hour: 10 }, { hour: 11 }, { hour: 12 }, { hour: 12 }],
      );
      expect(seen[2]).toBe(seen[3]);
      expect(seen[0] === seen[1]).toBe(schema === day);
    }
  });

  it('is undefined where there is nothing to read, and then not run', () => {
    const { controller } = openWorld();
    const first = new Query(new All(Task), (all) => all[0]);
    const title = new Query(Task, (task) => task.title);
    expect(controller.get(first)).toBeUndefined();
    const view = controller.observeQuery(title, { id: '1' });
    expect(dataOf(view)).toBeUndefined();
    const notified = listen(view);
    controller.set(Task, { id: '1' }, { title: 'now' });
    expect([notified.count, dataOf(view)]).toEqual([1, 'now']);
  });

  it.each<[string, (from: number) => unknown, runs: number]>([
    ['bigints as arguments, and remembers what it gave for each', (from) => BigInt(from), 2],
    ['functions as arguments, for which nothing is remembered', (from) => () => from, 3],
  ])('takes %s', async (_, make, expected) => {
    const { controller } = await openTasks();
    let runs = 0;
    const after = new Query(new All(Task), (all, { from }: { from: unknown }) => {
      runs += 1;
      return all.filter(
        ({ id }) => Number(id) > Number(typeof from === 'function' ? from() : from),
      );
    });
    expect(idsOf(controller.get(after, { from: make(1) }))).toEqual(['2', '3']);
    expect(idsOf(controller.get(after, { from: make(2) }))).toEqual(['3']);
    expect(idsOf(controller.get(after, { from: make(2) }))).toEqual(['3']);
    expect(runs).toBe(expected);
  });

  it.each<[string, unknown, unknown]>([
    ['maps', new Map([['from', 1]]), new Map([['from', 2]])],
    ['sets', new Set([1]), new Set([2])],
    ['a set and a list', new Set([1]), [1]],
    ['search parameters', new URLSearchParams('from=1'), new URLSearchParams('from=2')],
    ['what has an end and what has none', { to: null }, { to: Infinity }],
    ['null and what is left out', null, undefined],
  ])('distinguishes values that JSON does not: %s', (_, one, other) => {
    const { controller } = openWorld();
    controller.set(Task, { id: '1' }, {});
    const asked = new Query(new All(Task), (_tasks, argument: unknown) => [argument]);
    for (const argument of [one, other]) {
      expect(controller.get(asked, argument)).toEqual([argument]);
      expect(dataOf(controller.observeQuery(asked, argument))).toEqual([argument]);
    }
    const equal = one instanceof URLSearchParams ? new URLSearchParams(one) : structuredClone(one);
    expect(controller.observeQuery(asked, equal)).toBe(controller.observeQuery(asked, one));
  });

  it.each<[string, () => unknown]>([
    ['a function', () => (task: Task) => task.id],
    ['a symbol', () => Symbol('id')],
    ['an object that shows nothing of what it holds', () => new WeakMap()],
  ])('is not observed with %s as argument: each time it would be another one', (_, make) => {
    const { controller } = openWorld();
    controller.set(Task, { id: '1' }, {});
    const echo = new Query(new All(Task), (_tasks, argument: unknown) => [argument]);
    for (const argument of [make(), make()]) {
      expect(controller.get(echo, argument)).toEqual([argument]);
      expect(() => controller.observeQuery(echo, argument)).toThrow(
        expect.objectContaining({ code: 'argument-without-text' }),
      );
    }
  });

  it('is given the same parts of its input as before where those did not change', async () => {
    const { controller } = openWorld();
    const report = new Query({ at: Date, items: [Task] }, ({ at, items }) => ({
      at,
      titles: items.map(({ title }) => title).join(),
    }));
    const get = manual('getReport', report);
    ignore(controller.fetch(get.endpoint));
    await get.respond({ at: '2026-01-01', items: [{ id: '1', title: 'one' }] });
    const view = controller.observe(get.endpoint);
    listen(view);
    const before = dataOf(view);
    expect(before?.at).toEqual(new Date('2026-01-01'));
    controller.set(Task, { id: '1' }, { title: 'changed' });
    expect(dataOf(view)?.titles).toBe('changed');
    expect(dataOf(view)?.at).toBe(before?.at);
  });

  it('may give an object once and then a number', async () => {
    const { controller } = await openTasks();
    const odd = new Query(new All(Task), (all) => (all.length > 3 ? all.length : {}));
    const view = controller.observeQuery(odd);
    listen(view);
    expect(dataOf(view)).toEqual({});
    controller.set(Task, { id: '4' }, {});
    expect(dataOf(view)).toBe(4);
  });

  it('may give a list of what is no list, and a list once and then an object', async () => {
    const { controller } = await openTasks();
    const both = new Query(new All(Task), (all) => (all.length > 3 ? all : { ...all }));
    const view = controller.observeQuery(both);
    listen(view);
    expect(dataOf(view)).toEqual({ 0: all(0), 1: all(1), 2: all(2) });
    controller.set(Task, { id: '4' }, {});
    expect(dataOf(view)).toEqual([all(0), all(1), all(2), all(3)]);
    function all(index: number): Task | undefined {
      return controller.get(new All(Task))?.[index];
    }
  });

  it('shows those of several things that are there', async () => {
    const { controller } = await openTasks();
    const found = controller.get({ task: Task, same: tasks }, { id: '1' });
    expect(found).toMatchObject({ task: { title: 'a' } });
    expect(controller.get({ task: Task, same: tasks }, { id: 'nobody' })).toBeUndefined();
  });

  it('can have a query as its schema', async () => {
    const { controller } = await openTasks();
    const open = new Query(new All(Task), (all) => all.filter(({ done }) => !done));
    const titles = new Query(open, (all) => all.map(({ title }) => title).join());
    expect(controller.get(titles)).toBe('a,');
  });

  it('is the schema of an endpoint, and shows what it makes of each response', async () => {
    const { controller } = await openTasks();
    const byTitle = new Query(
      { items: [Task], total: 0 },
      ({ items, total }, { min }: { min: number }) => ({
        few: items.slice(min),
        total,
      }),
    );
    const get = manual('search', byTitle);
    const request = controller.fetch(get.endpoint, { min: 1 });
    await get.respond({ items: [{ id: '3' }, { id: '1', title: 'changed' }], total: 9 });
    expect((await request).total).toBe(9);
    const view = controller.observe(get.endpoint, { min: 1 });
    listen(view);
    const found = dataOf(view);
    expect(found).toMatchObject({ few: [{ id: '1', title: 'changed' }], total: 9 });
    controller.set(Item, { id: 'y' }, {});
    expect(dataOf(view)).toBe(found);
    controller.set(Task, { id: '1' }, { title: 'again' });
    expect(dataOf(view)).toMatchObject({ few: [{ title: 'again' }] });
  });

  it('that throws throws to its readers, and others go on', async () => {
    const { controller, list } = await openTasks();
    const wrong = new Query(new All(Task), (): never => {
      throw new Error('mine');
    });
    expect(() => controller.get(wrong)).toThrow('mine');
    expect(idsOf(controller.getResponse(list.endpoint))).toEqual(['1', '2', '3']);
  });

  it('sees an optimistic change, and in a snapshot the state before an optimistic update', async () => {
    const { controller } = await openTasks();
    const open = new Query(new All(Task), (all) => all.filter(({ done }) => !done).length);
    const finish = mutation('finish', Task, (snapshot, { id }: { id: string }) => ({
      id,
      done: true,
      title: `one of ${snapshot.get(open)}`,
    }));
    ignore(controller.fetch(finish.endpoint, { id: '1' }));
    expect(controller.get(open)).toBe(1);
    ignore(controller.fetch(finish.endpoint, { id: '3' }));
    expect(controller.get(open)).toBe(0);
    expect(controller.get(Task, { id: '3' })?.title).toBe('one of 1');
  });

  it('needs a schema and a function', () => {
    expect(() => new Query(Task, undefined as never)).toThrow(TypeError);
    expect(() => new Query(undefined, () => 1)).toThrow(TypeError);
  });
});

describe('Lazy', () => {
  class Board extends Entity {
    id = '';
    name = '';
    lead = '';
    tasks: readonly string[] = [];
    named: Readonly<Record<string, string>> = {};
    about: Item | undefined = undefined;
    static override key = 'Board';
    static override schema = {
      lead: new Lazy(Task),
      tasks: new Lazy([Task]),
      named: new Lazy(new Values(Task)),
      about: Item,
    };
  }
  const board = {
    id: 'b',
    lead: { id: 9, title: 'lead' },
    tasks: [{ id: '1', title: 'one' }, '2'],
    named: { first: { id: '1' } },
    about: { id: 'x', name: 'relation behind keys' },
  };

  it('keeps keys where the records are stored apart', () => {
    const { controller } = openWorld();
    controller.set(Board, { id: 'b' }, board);
    expect(controller.get(Board, { id: 'b' })).toMatchObject({
      lead: '9',
      tasks: ['1', '2'],
      named: { first: '1' },
    });
    expect(controller.get(Board, { id: 'b' })?.about).toBe(controller.get(Item, { id: 'x' }));
    expect(controller.get(Task, { id: '9' })?.title).toBe('lead');
  });

  it('is resolved on demand by the keys, numbers too; what is not there is left out', () => {
    const { controller } = openWorld();
    controller.set(Board, { id: 'b' }, board);
    expect(controller.get(Board.schema.lead, '9')?.title).toBe('lead');
    expect(controller.get(Board.schema.lead, 9)?.title).toBe('lead');
    expect(controller.get(Board.schema.lead, 'nobody')).toBeUndefined();
    expect(idsOf(controller.get(Board.schema.tasks, ['1', '2', '9']))).toEqual(['1', 9]);
    expect(controller.get(Board.schema.named, { first: '1', second: '2' })).toEqual({
      first: controller.get(Task, { id: '1' }),
    });
  });

  it('is those of several records that are there; a field without any is undefined', () => {
    const { controller } = openWorld();
    const pair = new Lazy({ first: Task, second: Task });
    expect(controller.get(Board.schema.tasks, ['nobody'])).toEqual([]);
    expect(controller.get(Board.schema.named, { first: 'nobody' })).toEqual({});
    expect(controller.get(pair, { first: 'nobody' })).toEqual({});
    for (const none of [undefined, null]) {
      expect(controller.get(Board.schema.tasks, none as never)).toBeUndefined();
      expect(controller.get(Board.schema.lead, none as never)).toBeUndefined();
    }
  });

  it('does not change records that refer to them, and readers of those are notified', () => {
    const { controller } = openWorld();
    controller.set(Board, { id: 'b' }, board);
    const owner = controller.observeQuery(Board, { id: 'b' });
    const members = controller.observeQuery(Board.schema.tasks, ['1', '2']);
    const [toldOwner, toldMembers] = [listen(owner), listen(members)];
    const before = dataOf(owner);
    controller.set(Task, { id: '1' }, { title: 'changed' });
    controller.set(Task, { id: '2' }, { title: 'arrived' });
    expect(toldOwner.count).toBe(0);
    expect(dataOf(owner)).toBe(before);
    expect(toldMembers.count).toBe(2);
    expect(dataOf(members)?.map(({ title }) => title)).toEqual(['changed', 'arrived']);
  });
});

describe('a schema of one’s own', () => {
  /** Per-view values: the weight of a task depends on the plan that was asked for, and belongs to the response. */
  class Weighted extends CustomSchema<
    { tasks: (typeof Task)[]; weights: number[] },
    { task: Task; weight: number }[]
  > {
    constructor() {
      super({ tasks: [Task], weights: [] });
    }
    override normalize(input: readonly { weight: number }[]) {
      return {
        tasks: input.map(({ weight: _, ...task }) => task),
        weights: input.map(({ weight }) => weight),
      };
    }
    denormalize({ tasks: list, weights }: { tasks: Task[]; weights: number[] }) {
      return list.map((task, index) => ({ task, weight: weights[index] ?? 0 }));
    }
  }

  it('stores records once, and what belongs to one view with that view', async () => {
    const { controller } = openWorld();
    const schema = new Weighted();
    const responses: Record<string, unknown> = {
      a: [{ id: '1', title: 'one', weight: 5 }],
      b: [{ id: '1', title: 'one', weight: 7 }],
    };
    const getPlan = new Endpoint(async ({ plan }: { plan: string }) => responses[plan], {
      name: 'getPlan',
      schema,
    });
    const [inA] = await controller.fetch(getPlan, { plan: 'a' });
    const [inB] = await controller.fetch(getPlan, { plan: 'b' });
    expect([inA?.weight, inB?.weight]).toEqual([5, 7]);
    expect(inA?.task).toBe(inB?.task);
    expect(inA?.task).toBeInstanceOf(Task);
    const view = controller.observe(getPlan, { plan: 'a' });
    const notified = listen(view);
    const before = dataOf(view);
    controller.set(Task, { id: '1' }, { title: 'changed' });
    expect(notified.count).toBe(1);
    expect(dataOf(view)).toMatchObject([{ task: { title: 'changed' }, weight: 5 }]);
    expect(before).toMatchObject([{ task: { title: 'one' }, weight: 5 }]);
    expect(controller.get(Task, { id: '1' })).not.toHaveProperty('weight');
  });

  it('gets the place of its value, and reads inside a record without arguments', async () => {
    const places: unknown[] = [];
    const reads: unknown[] = [];
    class Money extends CustomSchema<undefined, string> {
      override normalize(input: { cents: number }, place: { key: string | undefined }) {
        places.push(place.key);
        return input.cents;
      }
      denormalize(cents: unknown, ...args: unknown[]) {
        reads.push(args);
        return `${Number(cents) / 100} €`;
      }
    }
    class Invoice extends Entity {
      id = '';
      total = '';
      static override key = 'Invoice';
      static override schema = { total: new Money(undefined) };
    }
    const { controller } = openWorld();
    const get = manual('getInvoice', Invoice);
    const request = controller.fetch(get.endpoint, { id: '1' });
    await get.respond({ id: '1', total: { cents: 250 } });
    expect((await request).total).toBe('2.5 €');
    expect([places, reads]).toEqual([['total'], [[]]]);
  });
});
