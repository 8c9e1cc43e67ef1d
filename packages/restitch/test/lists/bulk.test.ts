/** One mutation of many records: its effects, and how its cost grows with the number of records. */
import { Collection, Controller, Endpoint, Entity, Invalidate, resource, Values } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it, onTestFinished } from 'vitest';

class Note extends Entity {
  id = '';
  title = '';
  done = false;
  static override key = 'Note';
}

interface Sent {
  readonly id?: string;
  readonly title: string;
  readonly done: boolean;
}

const Notes = resource({
  path: '/notes/:id',
  schema: Note,
  searchParams: {} as { done?: boolean; at?: number } | undefined,
});
const { schema: list } = Notes.getList;
const Maps = Notes.extend('getList', { schema: new Collection(new Values(Note)) });

const rows = (count: number, first = 0, done = false): Sent[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${first + index}`, title: '', done }));
const withoutIds = (count: number): Sent[] =>
  rows(count).map(({ title, done }) => ({ title, done }));
const byId = (notes: readonly Sent[]) =>
  Object.fromEntries(notes.map((note) => [`key ${note.id}`, note]));

/** A controller, and mutations that settle by hand. */
function open(now?: () => number) {
  const controller = new Controller(now && { environment: { now } });
  const settles: { respond: (response: unknown) => void; fail: () => void }[] = [];
  const options = {
    sideEffect: true as const,
    getOptimisticResponse: (_: unknown, body: unknown) => body,
  };
  const fetch = (_: unknown) =>
    new Promise<unknown>((resolve, reject) => {
      settles.push({ respond: resolve, fail: () => reject(new Error('The server refuses.')) });
    });
  return {
    controller,
    settles,
    mutation: (schema: unknown) => new Endpoint(fetch, { ...options, name: 'bulk', schema }),
    ids: (params: { done?: boolean } = {}) =>
      controller.getResponse(Notes.getList, params)?.map(({ id }) => id),
  };
}

describe('a mutation of many records', () => {
  it('adds the records of `unshift` in the order of the array, and those of `push` behind', async () => {
    const { controller, settles, mutation, ids } = open();
    controller.setResponse(Notes.getList, {}, rows(2));
    const first = controller.fetch(mutation([list.unshift]), rows(3, 10));
    const last = controller.fetch(mutation([list.push]), rows(2, 20));
    const expected = ['10', '11', '12', '0', '1', '20', '21'];
    expect(ids()).toEqual(expected);
    settles[1]?.respond(rows(2, 20));
    await last;
    expect(ids()).toEqual(expected);
    settles[0]?.respond(rows(3, 10));
    await first;
    expect(ids()).toEqual(expected);
  });

  it('moves some records out of a list and others into it', async () => {
    const { controller, settles, mutation, ids } = open();
    controller.setResponse(Notes.getList, { done: false }, rows(3));
    controller.setResponse(Notes.getList, { done: true }, rows(3, 3, true));
    const flipped = [3, 0, 4, 1].map((id) => ({ id: `${id}`, title: '', done: id < 3 }));
    const moved = controller.fetch(mutation([list.move]), flipped);
    const [open_, done] = [ids({ done: false }), ids({ done: true })];
    expect([open_, done]).toEqual([
      ['2', '3', '4'],
      ['5', '0', '1'],
    ]);
    settles[0]?.respond(flipped);
    await moved;
    expect([ids({ done: false }), ids({ done: true })]).toEqual([open_, done]);
  });

  it('follows the last of several copies of one record', async () => {
    const { controller, settles, mutation, ids } = open();
    controller.setResponse(Notes.getList, { done: false }, rows(3));
    controller.setResponse(Notes.getList, { done: true }, []);
    const copies = [rows(1, 0, true), rows(1, 1, true), rows(1), rows(1, 2, true)].flat();
    const moved = controller.fetch(mutation([list.move]), copies);
    settles[0]?.respond(copies);
    await moved;
    expect(ids({ done: true })).toEqual(['1', '2']);
    expect(ids({ done: false })).toEqual(['0']);
  });

  it('replaces the records of a map where they are, and adds the others at its end', async () => {
    const { controller, settles, mutation } = open();
    const keys = () => Object.entries(controller.getResponse(Maps.getList) ?? {});
    controller.setResponse(Maps.getList, { a: { id: '1' }, b: { id: '2' } });
    const sent = { c: { id: '3' }, b: { id: '4' }, d: { id: '1' } };
    const assigned = controller.fetch(mutation(Maps.getList.schema.assign), sent);
    const expected = ['a 1', 'b 4', 'c 3', 'd 1'];
    expect(keys().map(([key, { id }]) => `${key} ${id}`)).toEqual(expected);
    settles[0]?.respond(sent);
    await assigned;
    expect(keys().map(([key, { id }]) => `${key} ${id}`)).toEqual(expected);
    const deleted = controller.fetch(mutation([new Invalidate(Note)]), ['4', '1']);
    settles[1]?.respond(['4', '1']);
    await deleted;
    expect(keys().map(([key, { id }]) => `${key} ${id}`)).toEqual(['c 3']);
  });
});

type Case = (count: number) => Promise<number | undefined>;

/** Each case returns the length of a list. */
const CASES: Readonly<Record<string, Case>> = {
  'controller.set': async (count) => {
    const { controller, ids } = open();
    controller.setResponse(Notes.getList, {}, []);
    controller.set([list.push], {}, rows(count));
    return ids()?.length;
  },
  push: async (count) => {
    const { controller, settles, ids } = open();
    controller.setResponse(Notes.getList, {}, rows(count));
    const push = Notes.getList.push.extend({ fetch: async () => rows(count, count) });
    await controller.fetch(push, withoutIds(count));
    expect(settles).toEqual([]);
    return ids()?.length;
  },
  'optimistic push': (count) => creates(count, ({ respond }) => respond(rows(count, count))),
  'optimistic push with an empty response': (count) =>
    creates(count, ({ respond }) => respond(undefined)),
  'optimistic push that fails': (count) => creates(count, ({ fail }) => fail()),
  'optimistic unshift': async (count) => {
    const { controller, settles, mutation, ids } = open();
    controller.setResponse(Notes.getList, {}, rows(count));
    const first = controller.fetch(mutation([list.unshift]), rows(count, count));
    const second = controller.fetch(mutation([list.unshift]), rows(count, 2 * count));
    settles[1]?.respond(rows(count, 2 * count));
    await second;
    settles[0]?.respond(rows(count, count));
    await first;
    return ids()?.length;
  },
  'optimistic assign': async (count) => {
    const { controller, settles, mutation } = open();
    controller.setResponse(Maps.getList, byId(rows(count)));
    const sent = byId(rows(count, count));
    const assigned = controller.fetch(mutation(Maps.getList.schema.assign), sent);
    settles[0]?.respond(sent);
    await assigned;
    return Object.keys(controller.getResponse(Maps.getList) ?? {}).length;
  },
  'optimistic delete': async (count) => {
    const { controller, settles, mutation, ids } = open();
    controller.setResponse(Notes.getList, {}, rows(2 * count));
    const pks = rows(count).map(({ id }) => id);
    const deleted = controller.fetch(mutation([new Invalidate(Note)]), pks);
    settles[0]?.respond(pks);
    await deleted;
    return ids()?.length;
  },
  'optimistic moves in and out': (count) => moves(count),
  'optimistic moves, while an older one has stalled': (count) => moves(count, 200_000),
  'delete from a hydrated list that is not used yet': async (count) => {
    const { controller: from } = open();
    from.setResponse(Notes.getList, {}, rows(2 * count));
    const { controller, settles, mutation, ids } = open();
    hydrate(controller, getState(from));
    const pks = rows(count).map(({ id }) => id);
    const deleted = controller.fetch(mutation([new Invalidate(Note)]), pks);
    settles[0]?.respond(pks);
    await deleted;
    return ids()?.length;
  },
};

async function creates(
  count: number,
  settle: (request: { respond: (response: unknown) => void; fail: () => void }) => void,
) {
  const { controller, settles, ids } = open();
  controller.setResponse(Notes.getList, {}, rows(count));
  const push = Notes.getList.push.extend({
    fetch: () =>
      new Promise<unknown>((resolve, reject) => {
        settles.push({ respond: resolve, fail: () => reject(new Error('The server refuses.')) });
      }),
    getOptimisticResponse: (_: unknown, ...args: unknown[]) => args.at(-1),
  });
  const created = controller.fetch(push, withoutIds(count)).catch(() => {});
  expect(ids()).toHaveLength(2 * count);
  settles.forEach(settle);
  await created;
  return ids()?.length;
}

async function moves(count: number, wait = 0) {
  let now = 1_000_000;
  const { controller, settles, mutation, ids } = open(() => now);
  const before = rows(2 * count).map((note, index) => ({ ...note, done: index % 2 === 0 }));
  controller.setResponse(
    Notes.getList,
    { done: false },
    before.filter(({ done }) => !done),
  );
  controller.setResponse(
    Notes.getList,
    { done: true },
    before.filter(({ done }) => done),
  );
  const after = before.map(({ done, ...note }) => ({ ...note, done: !done }));
  if (wait > 0) {
    controller.fetch(mutation([list.move]), after).catch(() => {});
    now += wait;
  }
  const moved = controller.fetch(mutation([list.move]), after);
  settles.at(-1)?.respond(after);
  await moved;
  return ids({ done: true })?.length;
}

/** Counts the items that built-in methods of collections visit. */
function countWork(): () => number {
  let work = 0;
  const count = (prototype: object, name: string, costOf: (self: unknown) => number): void => {
    const original: unknown = Reflect.get(prototype, name);
    if (typeof original !== 'function') {
      throw new TypeError(name);
    }
    const value = function (this: unknown, ...args: unknown[]): unknown {
      work += costOf(this);
      return Reflect.apply(original, this, args);
    };
    const before = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
    Object.defineProperty(prototype, name, { ...before, value });
    onTestFinished(() => {
      Object.defineProperty(prototype, name, before);
    });
  };
  for (const name of ['every', 'filter', 'flatMap', 'map', 'some', 'sort', 'includes', 'indexOf']) {
    count(Array.prototype, name, (self) => (Array.isArray(self) ? self.length : 0));
  }
  // The constructors call these methods as well.
  count(Set.prototype, 'add', () => 1);
  count(Map.prototype, 'set', () => 1);
  return () => work;
}

describe('the cost of a mutation', { tags: 'scale' }, () => {
  it.each(Object.entries(CASES))('grows with the number of records: %s', async (_, run) => {
    const work = countWork();
    const costOf = async (count: number): Promise<number> => {
      const before = work();
      const length = await run(count);
      expect(length).toBeGreaterThanOrEqual(count);
      return (work() - before) / count;
    };
    await costOf(10);
    const few = await costOf(100);
    const many = await costOf(800);
    // Eight if each record copies the list.
    expect(many / few).toBeLessThan(1.5);
  });
});
