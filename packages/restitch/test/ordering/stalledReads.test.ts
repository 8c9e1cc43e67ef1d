/** A request that is stalled for more than two minutes holds nothing back any more. If it does respond, a read only fills in. */
import {
  All,
  Collection,
  Controller,
  Endpoint,
  Entity,
  indexBy,
  Invalidate,
  type Snapshot,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { flush, ignore, listen, manual, mutation } from '../support/world.js';
import { Clock } from '../support/clock.js';

class Issue extends Entity {
  id = '';
  title = '';
  status = '';
  static override key = 'Issue';
}

const issues = new Collection([Issue], { name: 'issues' });
const MINUTE = 60_000;

function open() {
  const clock = new Clock();
  const controller = new Controller({ environment: clock.environment, sweep: false });
  const issue = (): Partial<Issue> | undefined => controller.get(Issue, { id: '1' });
  return { clock, controller, issue };
}

describe('a stalled read', () => {
  it('is placed below newer writes while it is younger than two minutes', async () => {
    const { clock, controller, issue } = open();
    const slow = manual('slow', Issue);
    ignore(controller.fetch(slow.endpoint, { id: '1' }));
    controller.set(Issue, { id: '1' }, { title: 'new' });
    await clock.pass(1.9 * MINUTE);
    controller.set(Issue, { id: '2' }, { title: 'other' });
    await slow.respond({ id: '1', title: 'old', status: 'open' });
    expect(issue()).toMatchObject({ title: 'new', status: 'open' });
  });

  it('only fills in missing fields when it responds later', async () => {
    const { clock, controller, issue } = open();
    const slow = manual('slow', [Issue]);
    ignore(controller.fetch(slow.endpoint, {}));
    controller.set(Issue, { id: '1' }, { title: 'new' });
    await clock.pass(2.1 * MINUTE);
    controller.set(Issue, { id: '2' }, { title: 'other' });
    await slow.respond([
      { id: '1', title: 'old', status: 'open' },
      { id: '3', title: 'unknown' },
    ]);
    expect(issue()).toMatchObject({ title: 'new', status: 'open' });
    expect(controller.get(Issue, { id: '3' })?.title).toBe('unknown');
  });

  it.each([
    ['a create', (list: Collection) => list.push, { id: '3', title: 'new' }],
    ['an edit with a 204', () => Issue, null],
  ])(
    'is repeated if it is the first one of its list, and missed %s',
    async (_, schema, response) => {
      const { clock, controller } = open();
      const slow = manual('slow', issues);
      const view = controller.observe(slow.endpoint, {});
      view.subscribe(() => {
        if (view.needsLoad(true)) ignore(view.load());
      });
      ignore(view.load());
      const edit = mutation('edit', schema(issues));
      ignore(controller.fetch(edit.endpoint, { id: '1' }));
      await edit.respond(response);
      await clock.pass(2.1 * MINUTE);
      const other = manual('other', Issue);
      ignore(controller.fetch(other.endpoint, { id: '2' }));
      await other.respond({ id: '2' });
      await slow.respond([{ id: '1', title: 'old' }], 0);
      expect(slow.calls).toHaveLength(2);
      await slow.respond([
        { id: '1', title: 'edited' },
        { id: '3', title: 'new' },
      ]);
      expect(controller.get(issues, {})).toMatchObject([{ title: 'edited' }, { title: 'new' }]);
    },
  );

  it('only fills in fields that a newer response repeated when it responds later', async () => {
    const { clock, controller, issue } = open();
    const [slow, poll] = [manual('slow', Issue), manual('poll', Issue)];
    controller.set(Issue, { id: '1' }, { title: 'new' });
    ignore(controller.fetch(slow.endpoint, {}));
    ignore(controller.fetch(poll.endpoint, {}));
    await poll.respond({ id: '1', title: 'new' });
    await clock.pass(2.1 * MINUTE);
    controller.set(Issue, { id: '2' }, { title: 'other' });
    await slow.respond({ id: '1', title: 'old', status: 'open' });
    expect(issue()).toMatchObject({ title: 'new', status: 'open' });
  });

  it('neither brings a deleted row back nor shortens a list', async () => {
    const { clock, controller, issue } = open();
    const slow = manual('slow', issues);
    const poll = manual('poll', issues, { key: () => 'poll' });
    const remove = mutation('remove', new Invalidate(Issue));
    ignore(controller.fetch(slow.endpoint, {}));
    ignore(controller.fetch(poll.endpoint, {}));
    await poll.respond([{ id: '1' }, { id: '2' }, { id: '3' }]);
    ignore(controller.fetch(remove.endpoint, { id: '1' }));
    await remove.respond(null);
    await clock.pass(3 * MINUTE);
    controller.set(Issue, { id: '9' }, { title: 'other' });
    await slow.respond([{ id: '1' }]);
    expect(issue()).toBeUndefined();
    expect(controller.get(issues, {})?.map(({ id }) => id)).toEqual(['2', '3']);
  });

  it.each([
    ['a read', { sideEffect: false }],
    [
      'a mutation whose optimistic update reads other rows',
      {
        sideEffect: true,
        getOptimisticResponse: (snapshot: Snapshot) => ({
          id: '1',
          title: snapshot.get(Issue, { id: '2' })?.title,
        }),
      },
    ],
  ])('is out of the way of the first write after that: %s', async (_, options) => {
    const { clock, controller } = open();
    let merges = 0;
    class Counting extends Entity {
      id = '';
      n = 0;
      static override key = 'Counting';
      static override merge(a: object, b: object): Record<string, unknown> {
        merges += 1;
        return { ...a, ...b };
      }
    }
    controller.set(Counting, { id: '1' }, { n: 1 });
    controller.set(Issue, { id: '2' }, { title: 'looked at' });
    const slow = manual('slow', Issue, options);
    ignore(controller.fetch(slow.endpoint, { id: '1' }));
    await clock.pass(3 * MINUTE);
    controller.set(Counting, { id: '1' }, { n: 2 });
    merges = 0;
    controller.set(Counting, { id: '1' }, { n: 3 });
    expect(merges).toBe(1);
  });

  it('keeps no stack of later writes: a thousand writes fold into one row', async () => {
    const { clock, controller, issue } = open();
    const merges: number[] = [];
    class Counting extends Entity {
      id = '';
      n = 0;
      static override key = 'Counting';
      static override merge(a: object, b: object): Record<string, unknown> {
        merges.push(1);
        return { ...a, ...b };
      }
    }
    const slow = manual('slow', Issue);
    ignore(controller.fetch(slow.endpoint, { id: '1' }));
    await clock.pass(3 * MINUTE);
    for (let n = 0; n < 1_000; n += 1) controller.set(Counting, { id: '1' }, { n });
    // One merge for each: were they kept apart, each write would merge all before it again.
    expect(merges.length).toBe(999);
    await slow.respond({ id: '1', title: 'late' });
    expect(issue()?.title).toBe('late');
  });
});

describe('a stalled mutation', () => {
  it('is placed as ever where no newer mutation was confirmed', async () => {
    const { clock, controller, issue } = open();
    const upload = mutation('upload', Issue, () => ({ id: '1', title: 'optimistic' }));
    const poll = manual('poll', Issue);
    controller.set(Issue, { id: '1' }, { title: 'a', status: 'open' });
    ignore(controller.fetch(upload.endpoint, { id: '1' }));
    await clock.pass(3 * MINUTE);
    controller.set(Issue, { id: '2' }, { title: 'other' });
    ignore(controller.fetch(poll.endpoint, { id: '1' }));
    await poll.respond({ id: '1', title: 'a', status: 'done' });
    expect(issue()).toMatchObject({ title: 'optimistic', status: 'done' });
    await upload.respond({ id: '1', title: 'uploaded' });
    expect(issue()).toMatchObject({ title: 'uploaded', status: 'done' });
  });

  it('does not go over a newer confirmed mutation', async () => {
    const { clock, controller, issue } = open();
    const slow = mutation('slow', Issue);
    const quick = mutation('quick', Issue);
    controller.set(Issue, { id: '1' }, { title: 'a' });
    const notified = listen(controller.observeQuery(Issue, { id: '1' }));
    ignore(controller.fetch(slow.endpoint, { id: '1' }));
    await clock.pass(3 * MINUTE);
    ignore(controller.fetch(quick.endpoint, { id: '1' }));
    await quick.respond({ id: '1', title: 'b' });
    await slow.respond({ id: '1', title: 'late', status: 'open' });
    expect(issue()).toMatchObject({ title: 'b', status: '' });
    expect(notified.count).toBe(1);
  });

  it('deletes no row that a newer mutation wrote', async () => {
    const { clock, controller, issue } = open();
    const slow = mutation('slow', new Invalidate(Issue));
    const quick = mutation('quick', Issue);
    controller.set(issues, {}, [{ id: '1', title: 'a' }]);
    ignore(controller.fetch(slow.endpoint, { id: '1' }));
    await clock.pass(3 * MINUTE);
    controller.set(Issue, { id: '2' }, { title: 'other' });
    ignore(controller.fetch(quick.endpoint, { id: '1' }));
    await quick.respond({ id: '1', title: 'b' });
    await slow.respond({ id: '1' });
    expect(issue()?.title).toBe('b');
    expect(controller.get(issues, {})).toMatchObject([{ id: '1', title: 'b' }]);
  });

  it('leaves no trace when it fails, though it would now predict otherwise', async () => {
    const { clock, controller } = open();
    const older = manual('older', Issue);
    const slow = mutation('slow', Issue, (snapshot) => ({
      id: snapshot.get(Issue, { id: '1' })?.title,
      status: 'optimistic',
    }));
    const quick = mutation('quick', Issue);
    for (const id of ['1', '2', '3']) controller.set(Issue, { id }, { title: '2' });
    ignore(controller.fetch(older.endpoint, { id: '1' }));
    ignore(controller.fetch(slow.endpoint));
    await clock.pass(3 * MINUTE);
    controller.set(Issue, { id: 'other' }, { title: 'other' });
    ignore(controller.fetch(quick.endpoint, { id: '3' }));
    await quick.respond({ id: '3', title: 'quick' });
    expect(controller.get(Issue, { id: '2' })?.status).toBe('optimistic');
    await older.respond({ id: '1', title: '3' });
    expect(controller.get(Issue, { id: '2' })?.status).toBe('optimistic');
    await slow.fail(new Error('no'));
    expect(controller.get(Issue, { id: '2' })?.status).toBe('');
    expect(controller.get(Issue, { id: '3' })).toMatchObject({ title: 'quick', status: '' });
  });

  it('leaves no trace of its optimistic update over a newer mutation when its response has no row', async () => {
    const { clock, controller, issue } = open();
    const slow = mutation('slow', Issue, () => ({ id: '1', title: 'optimistic' }));
    const quick = mutation('quick', Issue);
    controller.set(Issue, { id: '1' }, { title: 'a' });
    ignore(controller.fetch(slow.endpoint, { id: '1' }));
    await clock.pass(3 * MINUTE);
    ignore(controller.fetch(quick.endpoint, { id: '1' }));
    await quick.respond({ id: '1', title: 'b' });
    expect(issue()?.title).toBe('b');
    await slow.respond(null);
    expect(issue()?.title).toBe('b');
  });
});

describe.each([
  ['reads', false],
  ['mutations', true],
])('stalled %s', (_, sideEffect) => {
  it('are placed in the order of their starts where nothing newer was', async () => {
    const { clock, controller, issue } = open();
    const older = manual('older', Issue, { sideEffect });
    const newer = manual('newer', Issue, { sideEffect });
    ignore(controller.fetch(older.endpoint, { id: '1' }));
    ignore(controller.fetch(newer.endpoint, { id: '1' }));
    await clock.pass(3 * MINUTE);
    controller.set(Issue, { id: '2' }, { title: 'other' });
    await older.respond({ id: '1', title: 'older', status: 'open' });
    await newer.respond({ id: '1', title: 'newer' });
    expect(issue()).toMatchObject({ title: 'newer', status: 'open' });
  });
});

describe('a stalled optimistic update', () => {
  class Item extends Entity {
    id = '';
    name = '';
    n = 0;
    static override key = 'Item';
    static override indexes = indexBy('name');
  }

  it.each<[claim: string, count: (snapshot: Snapshot) => number]>([
    ['the row it looks at', (snapshot) => snapshot.get(Item, { id: '1' })?.n ?? 0],
    ['all rows', (snapshot) => snapshot.get(new All(Item))?.length ?? 0],
    ['an index', (snapshot) => (snapshot.get(Item, { name: 'new' }) ? 1 : 0)],
  ])('no longer counts in fields that a newer response says of %s', async (_, count) => {
    const { clock, controller } = open();
    const older = manual('older', Item);
    const poll = manual('poll', [Item]);
    const optimistic = mutation('optimistic', Item, (snapshot) => ({
      id: 'optimistic',
      n: 10 + count(snapshot),
    }));
    controller.set(Item, { id: 'optimistic' }, { n: 0 });
    controller.set(Item, { id: '1' }, { n: 0 });
    ignore(controller.fetch(older.endpoint, { id: '1' }));
    ignore(controller.fetch(optimistic.endpoint));
    const before = controller.get(Item, { id: 'optimistic' })?.n;
    await clock.pass(3 * MINUTE);
    controller.set(Item, { id: 'other' }, { n: 0 });
    ignore(controller.fetch(poll.endpoint));
    await poll.respond([
      { id: '1', n: 5 },
      { id: '2', name: 'new' },
    ]);
    // The optimistic update runs again: a row that it reads got an older response.
    await older.respond({ id: '1', name: 'older' });
    expect(controller.get(Item, { id: 'optimistic' })?.n).toBe(before);
    expect(controller.get(Item, { id: '1' })).toMatchObject({ n: 5, name: 'older' });
  });
});

it('a key of the form of temporary ones is ordinary data', async () => {
  const { controller } = open();
  const list = manual('list', issues);
  const create = mutation('create', issues.push, () => ({ title: 'created' }));
  const names = Array.from({ length: 9 }, (_, start) => `~new-${start}-0`);
  ignore(controller.fetch(list.endpoint, {}));
  await list.respond(names.map((id) => ({ id, title: id })));
  ignore(controller.fetch(create.endpoint, {}));
  expect(controller.get(issues, {})?.map(({ title }) => title)).toEqual([...names, 'created']);
  await create.fail(new Error('no'));
  expect(controller.get(issues, {})?.map(({ title }) => title)).toEqual(names);
});

it('a request about a row with such a key waits for no create', async () => {
  const { controller } = open();
  const create = mutation('create', issues.push, () => ({ title: 'created' }));
  const update = mutation('update', Issue);
  ignore(controller.fetch(create.endpoint, {}));
  const updated = controller.fetch(update.endpoint, { id: '~new-1-0' });
  await update.respond({ id: '~new-1-0', title: 'changed' });
  await expect(updated).resolves.toMatchObject({ title: 'changed' });
  await create.respond({ id: '1', title: 'created' });
});

describe('a batch', () => {
  it('invalidate settles when the requests of those who observe have', async () => {
    const { controller } = open();
    const list = manual('list', issues);
    const view = controller.observe(list.endpoint, {});
    view.subscribe(() => {
      if (view.needsLoad(true)) ignore(view.load());
    });
    ignore(view.load());
    await list.respond([{ id: '1' }]);
    let isSettled = false;
    controller.batch(() => {
      void controller.invalidate(list.endpoint, {}).then(() => (isSettled = true));
    });
    await flush();
    expect([list.calls.length, isSettled]).toEqual([2, false]);
    await list.respond([{ id: '2' }]);
    expect(isSettled).toBe(true);
  });

  it('a reset and writes after it notify once, at the end', () => {
    const { controller } = open();
    controller.set(Issue, { id: '1' }, { title: 'a' });
    const view = controller.observeQuery(Issue, { id: '1' });
    const notified = listen(view);
    controller.batch(() => {
      controller.set(Issue, { id: '1' }, { title: 'b' });
      controller.batch(() => {
        controller.resetEntireStore();
        controller.set(Issue, { id: '1' }, { title: 'c' });
      });
      controller.set(Issue, { id: '1' }, { title: 'd' });
      expect(notified.count).toBe(0);
    });
    expect(notified.count).toBe(1);
    expect(controller.get(Issue, { id: '1' })?.title).toBe('d');
    controller.set(Issue, { id: '1' }, { title: 'e' });
    expect(notified.count).toBe(2);
  });
});

describe('a query of several parts', () => {
  it('looks each part of an object up by the same arguments', () => {
    const { controller } = open();
    const view = controller.observeQuery({ issue: Issue, list: issues, note: '' }, { id: '1' });
    const notified = listen(view);
    const shownNow = (): unknown => {
      const snapshot = view.getSnapshot();
      return snapshot.status === 'ready' ? snapshot.data : snapshot.status;
    };
    expect(shownNow()).toEqual({ issue: undefined, list: undefined, note: '' });
    expect(controller.get({ issue: Issue }, { id: '1' })).toBeUndefined();
    controller.set(Issue, { id: '1' }, { title: 'a' });
    expect(notified.count).toBe(1);
    expect(shownNow()).toMatchObject({ issue: { title: 'a' }, list: undefined });
    expect(controller.get({ issue: Issue }, { id: '1' })).toMatchObject({ issue: { title: 'a' } });
  });

  it('looks each member of an array up by its own', () => {
    const { controller } = open();
    const view = controller.observeQuery([Issue], ['1', { id: 2 }]);
    const notified = listen(view);
    controller.set(Issue, { id: '2' }, { title: 'b' });
    controller.set(Issue, { id: '1' }, { title: 'a' });
    const snapshot = view.getSnapshot();
    const titles = snapshot.status === 'ready' && snapshot.data?.map(({ title }) => title);
    expect([notified.count, titles]).toEqual([2, ['a', 'b']]);
    expect(controller.get([Issue], ['2', '3'])?.length).toBe(1);
    expect(controller.get([Issue], ['3'])).toBeUndefined();
    // @ts-expect-error the keys are missing
    expect(controller.get([Issue])).toBeUndefined();
  });

  it('reads no result of an endpoint: that holds more than a lookup can read', () => {
    const { controller } = open();
    const dashboard = new Endpoint((_: { id: string }) => new Promise<never>(() => {}), {
      name: 'dashboard',
      schema: { issue: Issue, total: 0 },
    });
    controller.set(Issue, { id: '1' }, { title: 'a' });
    expect(controller.observe(dashboard, { id: '1' }).getSnapshot().status).toBe('pending');
  });
});
