/** Rows that come and go while requests overlap. */
import { All, Entity, indexBy, type Snapshot } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { ignore, manual, mutation, openWorld, Superstitious } from '../support/world.js';
import { Issue, issues, User, Wire } from '../support/wire.js';

let wire: Wire;

beforeEach(() => {
  wire = new Wire();
});

describe('GET against DELETE', () => {
  it('a GET that began before the response to the DELETE does not bring the row back', async () => {
    wire.controller.set(Issue, { id: '1' }, { id: '1', title: 'a' });
    const early = wire.poll('1');
    const removal = wire.remove('1');
    const during = wire.poll('1');
    await removal.respond({ id: '1' });
    await during.respond({ id: '1', title: 'a' });
    await early.respond({ id: '1', title: 'a' });
    expect(wire.issue('1')).toBeUndefined();
  });

  it('a list that began before the response to the DELETE arrives without the row', async () => {
    wire.controller.setResponse(wire.getList, {}, [
      { id: '1', title: 'a' },
      { id: '2', title: 'b' },
    ]);
    const removal = wire.remove('1');
    const poll = wire.pollList();
    await removal.respond({ id: '1' });
    await poll.respond([
      { id: '1', title: 'a' },
      { id: '2', title: 'b' },
    ]);
    expect(wire.titles()).toEqual(['b']);
  });

  it('a GET that began after the response to the DELETE shows the current row of the server', async () => {
    wire.controller.set(Issue, { id: '1' }, { id: '1', title: 'a' });
    await wire.remove('1').respond('1');
    await wire.poll('1').respond({ id: '1', title: 'again' });
    expect(wire.issue('1')?.title).toBe('again');
  });

  it('an optimistic DELETE that fails leaves no trace', async () => {
    wire.controller.setResponse(wire.getList, {}, [
      { id: '1', title: 'a' },
      { id: '2', title: 'b' },
    ]);
    const removal = wire.remove('1', true);
    expect(wire.titles()).toEqual(['b']);
    await removal.fail();
    expect(wire.titles()).toEqual(['a', 'b']);
  });
});

describe('tombstones', () => {
  it('a row made again under its old key starts from nothing', async () => {
    wire.controller.set(Issue, { id: '1' }, { id: '1', title: 'a', x: 5 });
    const older = wire.poll('9');
    await wire.remove('1').respond('1');
    wire.controller.set(Issue, { id: '1' }, { id: '1', title: 'b' });
    expect(wire.issue('1')).toMatchObject({ title: 'b', x: 0 });
    await older.fail();
    expect(wire.issue('1')).toMatchObject({ title: 'b', x: 0 });
  });

  it('relations keep the key of a deleted row and resolve again', async () => {
    wire.controller.set(Issue, { id: '1' }, { id: '1', author: { id: 'u', name: 'ann' } });
    await wire.removeUser('u').respond('u');
    expect(wire.issue('1')?.author).toBeUndefined();
    wire.controller.set(User, { id: 'u' }, { id: 'u', name: 'bob' });
    expect(wire.issue('1')?.author?.name).toBe('bob');
  });

  it('a row deleted and then created again is not at its old place in old lists', async () => {
    wire.controller.setResponse(wire.getList, {}, [
      { id: '1', title: 'a' },
      { id: '2', title: 'b' },
    ]);
    await wire.remove('1').respond('1');
    expect(wire.titles()).toEqual(['b']);
    wire.controller.set(Issue, { id: '1' }, { id: '1', title: 'again' });
    expect(wire.titles()).toEqual(['b']);
    await wire.create({ title: 'again' }).respond({ id: '1', title: 'again' });
    expect(wire.titles()).toEqual(['b', 'again']);
  });

  it('a DELETE and the POST that creates the same key keep their order when their responses arrive the other way round', async () => {
    wire.controller.setResponse(wire.getList, {}, [{ id: '1', title: 'a' }]);
    const removal = wire.remove('1');
    const creation = wire.create({ title: 'again' }, false);
    await creation.respond({ id: '1', title: 'again' });
    await removal.respond('1');
    expect(wire.titles()).toEqual(['again']);
    expect(wire.issue('1')).toMatchObject({ title: 'again' });
  });
});

describe('optimistic updates', () => {
  it('a partial optimistic update about a missing row is inert until a read brings the row', async () => {
    const poll = wire.poll('1');
    const patch = wire.patch('1', { id: '1', x: 5 });
    expect(wire.issue('1')).toBeUndefined();
    await poll.respond({ id: '1', title: 'a', x: 0 });
    expect(wire.issue('1')).toMatchObject({ title: 'a', x: 5 });
    await patch.respond({ id: '1', x: 6 });
    expect(wire.issue('1')).toMatchObject({ title: 'a', x: 6 });
  });

  it('the response to a PATCH of a missing row creates it', async () => {
    await wire.patch('1', { id: '1', x: 5 }).respond({ id: '1', x: 5 });
    expect(wire.issue('1')).toMatchObject({ x: 5 });
  });

  it.each([
    ['an empty list', [Issue], []],
    ['no record where one may be', { issue: Issue }, { issue: null }],
  ])(
    '%s in the place of rows keeps the optimistic update as confirmed',
    async (_, schema, response) => {
      const { controller } = openWorld();
      controller.set(Issue, { id: '1' }, { x: 0 });
      const older = manual('older', Issue);
      const optimistic = { id: '1', x: 5 };
      const patch = mutation('patch', schema, () =>
        Array.isArray(schema) ? [optimistic] : { issue: optimistic },
      );
      ignore(controller.fetch(older.endpoint));
      ignore(controller.fetch(patch.endpoint));
      await patch.respond(response);
      await older.respond({ id: '1', x: 0 });
      expect(controller.get(Issue, { id: '1' })?.x).toBe(5);
    },
  );

  it('an optimistic update of which a class refuses one row shows nothing of the others', () => {
    const { controller } = openWorld();
    for (const id of ['1', '2']) controller.set(Superstitious, { id }, { n: 0 });
    const save = mutation('save', [Superstitious], () => [
      { id: '1', n: 1 },
      { id: '2', n: 13 },
    ]);
    ignore(controller.fetch(save.endpoint));
    expect(controller.get(Superstitious, { id: '1' })?.n).toBe(0);
    expect(controller.getError(save.endpoint)?.message).toBe(
      'save: Superstitious.merge threw: thirteen',
    );
  });

  it('a 204 keeps the optimistic update as confirmed', async () => {
    wire.controller.set(Issue, { id: '1' }, { id: '1', x: 0 });
    const older = wire.poll('1');
    const patch = wire.patch('1', { id: '1', x: 5 });
    const current = wire.issue('1');
    await patch.respond(null);
    await older.respond({ id: '1', x: 0 });
    expect(wire.issue('1')).toBe(current);
    expect(current?.x).toBe(5);
  });

  it('a field that was predicted but is not in the response falls back', async () => {
    wire.controller.set(Issue, { id: '1' }, { id: '1', x: 0, y: 0 });
    await wire.patch('1', { id: '1', x: 5 }).respond({ id: '1', y: 1 });
    expect(wire.issue('1')).toMatchObject({ x: 0, y: 1 });
  });

  it.each(['fail', 'abort'] as const)('an optimistic update leaves no trace on %s', async (how) => {
    wire.controller.set(Issue, { id: '1' }, { id: '1', x: 0 });
    const before = { ...wire.issue('1') };
    const patch = wire.patch('1', { id: '1', x: 5, title: 'optimistic' });
    expect(wire.issue('1')?.x).toBe(5);
    await patch[how]();
    expect({ ...wire.issue('1') }).toEqual(before);
  });
});

describe('increments', () => {
  const increment = (snapshot: {
    get(schema: typeof Issue, args: object): Issue | undefined;
  }): { id: string; x: number } => ({
    id: '1',
    x: (snapshot.get(Issue, { id: '1' })?.x ?? 0) + 1,
  });

  beforeEach(() => wire.controller.set(Issue, { id: '1' }, { id: '1', x: 0 }));

  it('a double increment with a poll between shows two throughout', async () => {
    const current: (number | undefined)[] = [];
    const first = wire.patch('1', increment);
    const second = wire.patch('1', increment);
    current.push(wire.issue('1')?.x);
    await wire.poll('1').respond({ id: '1', x: 2 });
    current.push(wire.issue('1')?.x);
    await first.respond({ id: '1', x: 1 });
    current.push(wire.issue('1')?.x);
    await second.respond({ id: '1', x: 2 });
    current.push(wire.issue('1')?.x);
    expect(current).toEqual([2, 2, 2, 2]);
  });

  it('a read that started before the increment surely lacks it, and is composed', async () => {
    const poll = wire.poll('1');
    const patch = wire.patch('1', increment);
    await poll.respond({ id: '1', x: 10 });
    expect(wire.issue('1')?.x).toBe(11);
    await patch.fail();
    expect(wire.issue('1')?.x).toBe(10);
  });

  it('a poll that started after the increment is no input of it, also when an older change fails', async () => {
    await wire.poll('1').respond({ id: '1', title: 'a', x: 0 });
    const older = wire.patch('1', { id: '1', title: 'b' });
    const patch = wire.patch('1', increment);
    await wire.poll('1').respond({ id: '1', title: 'a', x: 5 });
    expect(wire.issue('1')).toMatchObject({ title: 'b', x: 1 });
    await older.fail();
    expect(wire.issue('1')).toMatchObject({ title: 'a', x: 1 });
    await patch.respond({ id: '1', x: 6 });
    expect(wire.issue('1')?.x).toBe(6);
  });

  class Named extends Entity {
    id = '';
    name = '';
    found = -1;
    static override key = 'Named';
    static override indexes = indexBy('name');
  }
  const count = (value: unknown): number => (Array.isArray(value) ? value.length : value ? 1 : 0);

  it.each<[claim: string, look: (snapshot: Snapshot) => unknown, found: number]>([
    ['all rows', (snapshot) => snapshot.get(new All(Named)), 1],
    ['an index', (snapshot) => snapshot.get(Named, { name: 'new' }), 0],
  ])('a row that a later poll brings is not found in %s', async (_, look, found) => {
    const { controller } = openWorld();
    controller.set(Named, {}, { id: '1', name: 'old' });
    const older = mutation('older', Named, () => ({ id: '1', name: 'changed' }));
    const optimistic = mutation('optimistic', Named, (snapshot) => ({
      id: '1',
      found: count(look(snapshot)),
    }));
    const poll = manual('poll', Named);
    const shownNow = () => controller.get(Named, { id: '1' })?.found;
    ignore(controller.fetch(older.endpoint));
    ignore(controller.fetch(optimistic.endpoint));
    ignore(controller.fetch(poll.endpoint));
    expect(shownNow()).toBe(found);
    await poll.respond({ id: '2', name: 'new' });
    expect(shownNow()).toBe(found);
    await older.fail(new Error('refused'));
    expect(shownNow()).toBe(found);
    await optimistic.fail(new Error('refused'));
    expect(shownNow()).toBe(-1);
  });

  it('a row that it looks at only when it runs again is as it was when the optimistic update began', async () => {
    wire.controller.set(Issue, { id: '2' }, { id: '2', x: 2 });
    wire.controller.set(Issue, { id: '3' }, { id: '3', x: 3 });
    wire.controller.set(Issue, { id: '1' }, { id: '1', title: '3' });
    const older = wire.patch('1', { id: '1', title: '2' });
    const optimistic = wire.patch('4', (snapshot) => {
      const id = snapshot.get(Issue, { id: '1' })?.title ?? '';
      return { id: '5', x: snapshot.get(Issue, { id })?.x };
    });
    wire.controller.set(Issue, { id: '5' }, { id: '5', title: 'shown' });
    expect(wire.issue('5')?.x).toBe(2);
    await wire.poll('3').respond({ id: '3', x: 30 });
    await older.fail();
    expect(wire.issue('5')?.x).toBe(3);
    await optimistic.fail();
    expect(wire.issue('3')?.x).toBe(30);
  });

  it('the second of two counts the first one out when that fails', async () => {
    const first = wire.patch('1', increment);
    const second = wire.patch('1', increment);
    await first.fail();
    expect(wire.issue('1')?.x).toBe(1);
    await second.respond({ id: '1', x: 1 });
    expect(wire.issue('1')?.x).toBe(1);
  });
});

describe('identity', () => {
  it('in a cycle every member is renewed when one changes, and none when nothing does', () => {
    wire.controller.set(
      User,
      { id: 'a' },
      { id: 'a', name: 'ann', friend: { id: 'b', name: 'bob', friend: 'a' } },
    );
    const ann = wire.controller.get(User, { id: 'a' });
    const bob = wire.controller.get(User, { id: 'b' });
    expect(ann?.friend).toBe(bob);
    expect(bob?.friend).toBe(ann);
    wire.controller.set(User, { id: 'b' }, { id: 'b', name: 'bob', friend: 'a' });
    expect(wire.controller.get(User, { id: 'a' })).toBe(ann);
    wire.controller.set(User, { id: 'b' }, { id: 'b', name: 'rob' });
    const renewed = wire.controller.get(User, { id: 'a' });
    expect(renewed).not.toBe(ann);
    expect(renewed?.friend?.name).toBe('rob');
    expect(renewed?.friend?.friend).toBe(renewed);
  });

  it('a list keeps its array when a member is changed and restored within one batch', () => {
    wire.controller.setResponse(wire.getList, {}, [
      { id: '1', x: 0 },
      { id: '2', x: 0 },
    ]);
    const before = wire.controller.get(issues, {});
    wire.controller.batch(() => {
      wire.controller.set(Issue, { id: '1' }, { id: '1', x: 1 });
      wire.controller.set(Issue, { id: '1' }, { id: '1', x: 0 });
    });
    expect(wire.controller.get(issues, {})).toBe(before);
  });

  it('an optimistic update that the server confirms keeps the reference', async () => {
    wire.controller.set(Issue, { id: '1' }, { id: '1', x: 0 });
    const patch = wire.patch('1', { id: '1', x: 5 });
    const optimistic = wire.issue('1');
    await patch.respond({ id: '1', x: 5 });
    expect(wire.issue('1')).toBe(optimistic);
  });
});
