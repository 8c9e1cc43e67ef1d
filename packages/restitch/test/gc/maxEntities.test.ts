import { Controller, Endpoint } from 'restitch';
import { getState } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { ignore, listen, manual, mutation } from '../support/world.js';
import { Issue, issues, MINUTE, openWorld, User } from '../support/sweeping.js';

const rows = (from: number, to: number): { id: string }[] =>
  Array.from({ length: to - from }, (_, index) => ({ id: String(from + index) }));

describe('maxEntities', () => {
  it('evicts the results that were read longest ago, at once', async () => {
    const { clock, controller } = openWorld({ maxEntities: 40 });
    const page = manual('page', [Issue]);
    for (const of of [0, 1, 2, 3]) {
      controller.setResponse(page.endpoint, { of }, rows(of * 10, of * 10 + 10));
    }
    // The first is the one that was read last.
    controller.getResponse(page.endpoint, { of: 0 });
    await clock.pass(0);
    expect(controller.get(Issue, { id: '10' })).toBeDefined();
    controller.setResponse(page.endpoint, { of: 4 }, rows(40, 50));
    await clock.pass(0);
    const kept = [0, 1, 2, 3, 4].filter((of) => controller.getResponse(page.endpoint, { of }));
    // An eighth less than allowed, so that it is not done anew for each further row.
    expect(kept).toEqual([0, 3, 4]);
    const left = rows(0, 50).filter(({ id }) => controller.get(Issue, { id }));
    expect(left.length).toBe(35);
  });

  it('keeps nothing that is past its lifetime, however recently it was read', async () => {
    const { clock, controller } = openWorld({ maxEntities: 40 });
    const page = manual('page', [Issue]);
    controller.setResponse(page.endpoint, { of: 0 }, rows(0, 10));
    await clock.pass(3 * MINUTE);
    for (const of of [1, 2, 3]) {
      controller.setResponse(page.endpoint, { of }, rows(of * 10, of * 10 + 10));
    }
    controller.getResponse(page.endpoint, { of: 0 });
    controller.set(Issue, { id: '40' }, {});
    await clock.pass(0);
    const kept = [0, 1, 2, 3].filter((of) => controller.getResponse(page.endpoint, { of }));
    expect(kept).toEqual([1, 2, 3]);
  });

  it('evicts records by themselves too', async () => {
    const { clock, controller } = openWorld({ maxEntities: 3 });
    for (const id of ['a', 'b', 'c']) controller.set(User, { id }, { name: id });
    controller.get(User, { id: 'a' });
    controller.set(User, { id: 'd' }, { name: 'd' });
    await clock.pass(0);
    const kept = ['a', 'b', 'c', 'd'].filter((id) => controller.get(User, { id }));
    expect(kept).toEqual(['a', 'c', 'd']);
  });

  it(
    'evicts exactly the records that were used longest ago, whatever order they came in',
    { tags: 'scale' },
    async () => {
      const { clock, controller } = openWorld({ maxEntities: 800 });
      const used = Array.from({ length: 1_500 }, (_, index) => String(1_499 - index));
      for (const { id } of rows(0, 1_500)) controller.set(User, { id }, { name: id });
      for (const id of used) controller.get(User, { id });
      await clock.pass(0);
      const kept = used.filter((id) => controller.get(User, { id }));
      expect(kept).toEqual(used.slice(-700));
    },
  );

  it('evicts no mounted record, however many there are', async () => {
    const { clock, controller } = openWorld({ maxEntities: 10 });
    controller.setResponse(manual('list', issues).endpoint, {}, rows(0, 100));
    const notified = listen(controller.observeQuery(issues, {}));
    controller.set(User, { id: '1' }, { name: 'ann' });
    await clock.pass(20 * MINUTE);
    expect(controller.get(issues, {})?.length).toBe(100);
    expect(controller.get(User, { id: '1' })).toBeUndefined();
    controller.set(Issue, { id: '99' }, { title: 'changed' });
    expect([notified.count, controller.get(issues, {})?.[99]?.title]).toEqual([1, 'changed']);
  });

  it('evicts no record of a pending mutation', async () => {
    const { clock, controller } = openWorld({ maxEntities: 1 });
    const edit = mutation('edit', Issue, () => ({ id: '1', title: 'optimistic' }));
    controller.set(Issue, { id: '1' }, { title: 'a' });
    ignore(controller.fetch(edit.endpoint, {}));
    controller.set(Issue, { id: '2' }, { title: 'b' });
    await clock.pass(0);
    expect(controller.get(Issue, { id: '1' })?.title).toBe('optimistic');
    await edit.fail(new Error('no'));
    expect(controller.get(Issue, { id: '1' })?.title).toBe('a');
  });

  it('is enforced when a response arrives, be it the last thing that happens', async () => {
    const { clock, controller } = openWorld({ maxEntities: 10 });
    const list = manual('list', issues);
    ignore(controller.fetch(list.endpoint, {}));
    await list.respond(rows(0, 12));
    await clock.pass(0);
    expect(rows(0, 12).filter(({ id }) => controller.get(Issue, { id })).length).toBe(9);
  });

  it('starts no garbage collection for a response that arrives after dispose', async () => {
    const { clock, controller } = openWorld({ maxEntities: 10 });
    const list = manual('list', issues);
    ignore(controller.fetch(list.endpoint, {}));
    controller.dispose();
    await list.respond(rows(0, 12));
    expect([clock.idleWaits, clock.timers]).toEqual([0, 0]);
  });

  it('keeps a result whole or not at all', async () => {
    const { clock, controller } = openWorld({ maxEntities: 10 });
    controller.setResponse(manual('list', issues).endpoint, {}, rows(0, 12));
    await clock.pass(0);
    // A list with some of its members would be another list; records by themselves are what they were.
    expect(controller.get(issues, {})).toBeUndefined();
    expect(rows(0, 12).filter(({ id }) => controller.get(Issue, { id })).length).toBe(9);
  });

  it(
    'is exceeded twofold at most by a loop of awaited responses, in which the host is never idle',
    { tags: 'scale' },
    async () => {
      const { clock, controller } = openWorld({ maxEntities: 40 });
      const get = new Endpoint(({ id }: { id: string }) => Promise.resolve({ id }), {
        name: 'get',
        schema: Issue,
      });
      let most = 0;
      for (const { id } of rows(0, 500)) {
        await controller.fetch(get, { id });
        most = Math.max(most, [...(getState(controller).entities['Issue'] ?? [])].length);
        expect(controller.get(Issue, { id })).toBeDefined();
      }
      expect(most).toBeLessThanOrEqual(81);
      await clock.pass(0);
      expect(getState(controller).entities['Issue']?.length).toBeLessThanOrEqual(40);
    },
  );

  it('never ends what a batch is writing', () => {
    const { controller } = openWorld({ maxEntities: 2 });
    controller.batch(() => {
      for (const { id } of rows(0, 20)) controller.set(Issue, { id }, { title: id });
      expect(rows(0, 20).every(({ id }) => controller.get(Issue, { id }))).toBe(true);
    });
  });

  it('holds although sweeping is switched off', async () => {
    const { clock, controller } = openWorld({ maxEntities: 2, sweep: false });
    for (const id of ['a', 'b', 'c']) controller.set(User, { id }, { name: id });
    await clock.pass(600 * MINUTE);
    const kept = ['a', 'b', 'c'].filter((id) => controller.get(User, { id }));
    expect(kept).toEqual(['b', 'c']);
    expect(clock.idleWaits).toBe(0);
  });

  it(
    'costs what the store holds, however its rows are linked and whatever was read last',
    { tags: 'scale' },
    () => {
      /** Steps of one sweep for each row of a chain, and which rows it kept. */
      const sweepOf = (count: number, isReadUpwards: boolean): [steps: number, kept: string[]] => {
        let steps = 0;
        let slice: (() => void) | undefined;
        const controller = new Controller({
          maxEntities: count / 10,
          environment: {
            now: () => ((steps += 1), 1_000_000),
            whenIdle: (callback) => {
              slice = callback;
              return () => (slice = undefined);
            },
          },
        });
        const ids = Array.from({ length: count }, (_, index) => `u${index}`);
        controller.batch(() => {
          for (const [index, id] of ids.entries()) {
            controller.set(User, { id }, { name: id, friend: ids[index + 1] ?? null });
          }
        });
        if (isReadUpwards) {
          for (const id of ids.toReversed()) controller.get(User, { id });
        }
        steps = 0;
        slice?.();
        return [steps / count, ids.filter((id) => controller.get(User, { id })?.name === id)];
      };
      for (const isReadUpwards of [false, true]) {
        const [few] = sweepOf(300, isReadUpwards);
        const [many, kept] = sweepOf(3_000, isReadUpwards);
        expect(many / few).toBeLessThan(2);
        // The end of the chain: what leads to more than there is room for is not kept.
        expect(kept.at(-1)).toBe('u2999');
        expect(kept.length).toBeLessThan(300);
      }
    },
  );
});
