/**
 * A newer response that repeats the stored row ranks above an older one all the same, whatever other responses say of the row
 * until the older request has settled.
 */
import { Collection, Controller, Entity, type EntityMeta, type Snapshot } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { beforeEach, describe, expect, it } from 'vitest';
import { ignore, manual, openWorld, Superstitious } from '../support/world.js';
import { type Flight, Issue, User, Wire } from '../support/wire.js';

let wire: Wire;
let older: Flight;

const ROW = { id: '1', title: 'a', x: 1, y: 1 };

beforeEach(async () => {
  wire = new Wire();
  wire.controller.set(Issue, { id: '1' }, ROW);
  older = wire.poll('1');
  await wire.pollList().respond([{ ...ROW }]);
});

describe('a response that repeats stored values while an older read is in flight', () => {
  it('lies above the response to that read', async () => {
    const before = wire.issue('1');
    await older.respond({ id: '1', title: 'old', x: 0, status: 'open' });
    expect(wire.issue('1')).toMatchObject({ ...ROW, status: 'open' });
    expect(before).toMatchObject({ ...ROW, status: '' });
  });

  it('is released once that read has failed: the next response counts', async () => {
    await older.fail();
    await wire.poll('1').respond({ id: '1', title: 'b' });
    expect(wire.issue('1')).toMatchObject({ ...ROW, title: 'b' });
  });

  it('does so as often as it comes', async () => {
    const between = wire.poll('1');
    await wire.pollList().respond([{ ...ROW }]);
    await between.respond({ id: '1', title: 'between', y: 2 });
    await older.respond({ id: '1', title: 'old' });
    expect(wire.issue('1')).toMatchObject(ROW);
  });

  it('counts for nothing more where it began before the last one that did so', async () => {
    const [first, second, third] = [wire.poll('1'), wire.poll('1'), wire.poll('1')];
    await third.respond({ ...ROW });
    await first.respond({ ...ROW });
    await second.respond({ id: '1', title: 'second', y: 2, status: 'open' });
    expect(wire.issue('1')).toMatchObject({ ...ROW, status: 'open' });
    await older.respond({ id: '1', title: 'old', x: 0 });
    expect(wire.issue('1')).toMatchObject({ ...ROW, status: 'open' });
    await wire.poll('1').respond({ id: '1', title: 'new' });
    expect(wire.issue('1')?.title).toBe('new');
  });

  it('is no input of an optimistic update that began between it and an earlier one', async () => {
    wire.controller.set(Issue, { id: '2' }, { id: '2', x: 0 });
    const mutation = wire.patch('2', (snapshot: Snapshot) => ({
      id: '2',
      x: (snapshot.get(Issue, { id: '1' })?.x ?? 0) + 10,
    }));
    await wire.poll('1').respond({ ...ROW });
    // Below the first, which the optimistic update sees.
    await older.respond({ id: '1', x: 5 });
    expect([wire.issue('1')?.x, wire.issue('2')?.x]).toEqual([1, 11]);
    await mutation.fail();
    expect([wire.issue('1')?.x, wire.issue('2')?.x]).toEqual([1, 0]);
  });

  it('lies under the fields of a newer response', async () => {
    await wire.poll('1').respond({ id: '1', x: 2 });
    await older.respond({ id: '1', title: 'old', x: 0, y: 0 });
    expect(wire.issue('1')).toMatchObject({ ...ROW, x: 2 });
  });

  it('lies under a local write', async () => {
    wire.controller.set(Issue, { id: '1' }, { id: '1', x: 2 });
    await older.respond({ id: '1', x: 0, y: 0 });
    expect(wire.issue('1')).toMatchObject({ ...ROW, x: 2 });
  });

  it('lies under an optimistic update, and shows again when that fails', async () => {
    const mutation = wire.patch('1', { id: '1', x: 5 });
    expect(wire.issue('1')?.x).toBe(5);
    await older.respond({ id: '1', x: 0, y: 0 });
    expect(wire.issue('1')).toMatchObject({ ...ROW, x: 5 });
    await mutation.fail();
    expect(wire.issue('1')).toMatchObject(ROW);
  });

  it('is not brought back by it once the row is deleted', async () => {
    await wire.remove('1').respond({ id: '1' });
    await older.respond({ id: '1', title: 'old' });
    expect(wire.issue('1')).toBeUndefined();
    expect(wire.titles()).toEqual([]);
  });

  it('is no input of an optimistic update that began before it', async () => {
    wire.controller.set(Issue, { id: '2' }, { id: '2', x: 0 });
    const poll = wire.poll('1');
    const mutation = wire.patch('2', (snapshot: Snapshot) => ({
      id: '2',
      x: (snapshot.get(Issue, { id: '1' })?.x ?? 0) + 10,
    }));
    await wire.pollList().respond([{ ...ROW }]);
    await poll.respond({ id: '1', x: 5 });
    expect([wire.issue('1')?.x, wire.issue('2')?.x]).toEqual([1, 15]);
    await older.fail();
    expect([wire.issue('1')?.x, wire.issue('2')?.x]).toEqual([1, 15]);
    await mutation.fail();
    expect([wire.issue('1')?.x, wire.issue('2')?.x]).toEqual([1, 0]);
    await wire.poll('1').respond({ id: '1', x: 7 });
    expect(wire.issue('1')?.x).toBe(7);
  });

  it('lies above an optimistic update that was confirmed before it began, and comes to say something after', async () => {
    const empty = new Wire();
    const { controller } = empty;
    controller.set(Issue, { id: '2' }, { id: '2', title: 'a' });
    const other = empty.patch('1');
    const copy = empty.patch('2', (snapshot) => {
      const from = snapshot.get(Issue, { id: '1' });
      if (from === undefined) throw snapshot.abort;
      return { id: '2', title: from.title };
    });
    await copy.respond(null);
    await empty.poll('2').respond({ id: '2', title: 'a' });
    await other.respond({ id: '1', title: 'late' });
    expect(empty.issue('2')?.title).toBe('a');
  });

  it('says nothing of fields that it lacks', async () => {
    await wire.poll('1').respond({ id: '1', title: 'a' });
    const partial = new Wire();
    partial.controller.set(Issue, { id: '1' }, ROW);
    const first = partial.poll('1');
    await partial.poll('1').respond({ id: '1', title: 'a' });
    await first.respond({ id: '1', title: 'old', x: 9 });
    expect(partial.issue('1')).toMatchObject({ ...ROW, x: 9 });
  });

  it('shows a row once in a list that holds it twice', async () => {
    await wire.pollList().respond([{ ...ROW }, { id: '2', title: 'b' }, { ...ROW }]);
    expect(wire.titles()).toEqual(['a', 'b']);
    const { controller } = new Wire();
    controller.set(User, { id: 'u' }, { id: 'u', name: 'ann' });
    const users = new Collection([User]);
    const [slow, list] = [manual('slow', User), manual('list', users)];
    ignore(controller.fetch(slow.endpoint, {}));
    ignore(controller.fetch(list.endpoint, {}));
    await list.respond(['u', 'u'].map((id) => ({ id, name: 'ann' })));
    expect(controller.get(users, {})?.map(({ id }) => id)).toEqual(['u']);
  });

  it('counts for nothing where it was only the optimistic update of a read that failed', async () => {
    const { controller } = new Wire();
    controller.set(User, { id: 'u' }, { id: 'u', name: 'ann' });
    const slow = manual('slow', User);
    const optimistically = manual('guessing', User, {
      getOptimisticResponse: () => ({ id: 'u', name: 'ann' }),
    });
    ignore(controller.fetch(slow.endpoint, {}));
    ignore(controller.fetch(optimistically.endpoint, {}));
    await optimistically.fail(new Error('no'));
    await slow.respond({ id: 'u', name: 'bob' });
    expect(controller.get(User, { id: 'u' })?.name).toBe('bob');
  });

  it('is exported as stored', async () => {
    const copy = new Controller();
    hydrate(copy, getState(wire.controller));
    expect(copy.get(Issue, { id: '1' })).toMatchObject(ROW);
    await older.respond({ id: '1', title: 'old', status: 'open' });
    expect(wire.issue('1')).toMatchObject({ ...ROW, status: 'open' });
  });

  it('wins for each class that is nested in it', async () => {
    await wire.pollList().respond([{ ...ROW, author: { id: 'u', name: 'ann' } }]);
    await older.fail();
    const first = wire.poll('1');
    await wire.pollList().respond([{ ...ROW, author: { id: 'u', name: 'ann' } }]);
    await first.respond({ id: '1', title: 'old', author: { id: 'u', name: 'old' } });
    expect(wire.issue('1')).toMatchObject({ ...ROW, author: { name: 'ann' } });
    expect(wire.controller.get(User, { id: 'u' })?.name).toBe('ann');
  });
});

describe('a response that repeats a row and then says something else of it', () => {
  it('counts as the last value', async () => {
    await wire.pollList().respond([{ ...ROW }, { ...ROW, x: 2 }, { ...ROW, y: 3 }]);
    await older.respond({ id: '1', title: 'old', x: 0, y: 0 });
    expect(wire.issue('1')).toMatchObject({ ...ROW, x: 1, y: 3 });
  });
});

describe('a response that is refused', () => {
  it('repeats nothing', async () => {
    const { controller } = openWorld();
    controller.set(User, { id: 'u' }, { id: 'u', name: 'ann' });
    controller.set(Superstitious, { id: 's' }, { id: 's', n: 1 });
    const poll = manual('poll', User);
    const refused = manual('refused', { user: User, number: Superstitious });
    ignore(controller.fetch(poll.endpoint, {}));
    const outcome = controller.fetch(refused.endpoint, {}).catch(String);
    await refused.respond({ user: { id: 'u', name: 'ann' }, number: { id: 's', n: 13 } });
    expect(await outcome).toMatch('thirteen');
    await poll.respond({ id: 'u', name: 'bob' });
    expect(controller.get(User, { id: 'u' })?.name).toBe('bob');
  });
});

/** Counts up with each response. */
class Counted extends Entity {
  id = '';
  n = 0;
  static override key = 'Counted';
  static override merge(
    existing: Readonly<Record<string, unknown>>,
    incoming: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    return { ...incoming, n: Number(existing['n']) + Number(incoming['n']) };
  }
}

describe('a response that a class merges its own way', () => {
  it('is merged although it is equal to what is stored', async () => {
    const { controller } = openWorld();
    const [first, second] = [manual('first', Counted), manual('second', Counted)];
    controller.set(Counted, { id: '1' }, { id: '1', n: 1 });
    ignore(controller.fetch(first.endpoint, {}));
    ignore(controller.fetch(second.endpoint, {}));
    await second.respond({ id: '1', n: 1 });
    expect(controller.get(Counted, { id: '1' })?.n).toBe(2);
    await first.respond({ id: '1', n: 5 });
    expect(controller.get(Counted, { id: '1' })?.n).toBe(7);
  });
});

/** A record of the class below, read without its sense of time. */
class Plain extends Entity {
  id = '';
  n = 0;
  static override key = 'Timed';
}

class Timed extends Entity {
  id = '';
  n = 0;
  static override key = 'Timed';
  static existing: (number | undefined)[] = [];
  static override shouldReorder(existing: EntityMeta): boolean {
    Timed.existing.push(existing.fetchedAt);
    return false;
  }
}

describe('a response while a class orders records by time', () => {
  it('is as old as it is, also where it repeated the stored values', async () => {
    const { controller, clock } = openWorld();
    const older = manual('older', Plain);
    const newer = manual('newer', Plain);
    controller.set(Plain, { id: '1' }, { id: '1', n: 1 });
    expect(controller.get(Timed, { id: '1' })?.n).toBe(1);
    clock.now += 10;
    ignore(controller.fetch(older.endpoint, {}));
    clock.now += 10;
    ignore(controller.fetch(newer.endpoint, {}));
    await newer.respond({ id: '1', n: 1 });
    await older.fail(new Error('no'));
    clock.now += 10;
    controller.set(Timed, { id: '1' }, { id: '1', n: 2 });
    expect(Timed.existing).toEqual([1_000_020]);
  });
});
