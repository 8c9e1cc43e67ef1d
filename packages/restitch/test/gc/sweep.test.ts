import {
  All,
  Collection,
  Controller,
  type ControllerOptions,
  Entity,
  indexBy,
  Invalidate,
  Lazy,
  Values,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { dataOf, flush, ignore, listen, manual, mutation } from '../support/world.js';
import { Issue, isEmpty, issues, MINUTE, openWorld, User } from '../support/sweeping.js';

class Login extends Entity {
  id = '';
  email = '';
  static override key = 'Login';
  static override indexes = indexBy('email');
}

describe('current data with a reader stays', () => {
  it('for as long as a reader subscribes, however old it is', async () => {
    const { clock, controller } = openWorld();
    const list = manual('list', issues);
    ignore(controller.fetch(list.endpoint));
    await list.respond([{ id: '1', author: { id: 'u', name: 'ann', friend: { id: 'v' } } }]);
    const view = controller.observe(list.endpoint);
    const stop = view.subscribe(() => {});
    const before = dataOf(view);
    await clock.pass(60 * MINUTE);
    expect(dataOf(view)).toBe(before);
    expect(controller.get(User, { id: 'v' })?.id).toBe('v');
    stop();
    expect(await isEmpty(clock)).toBe(true);
  });

  it('for as long as a caller retains it', async () => {
    const { clock, controller } = openWorld();
    controller.set(User, { id: '1' }, { name: 'ann' });
    const view = controller.observeQuery(User, { id: '1' });
    const release = view.retain();
    await clock.pass(60 * MINUTE);
    expect(dataOf(view)?.name).toBe('ann');
    release();
    release();
    expect(await isEmpty(clock)).toBe(true);
  });

  it('with its subscription: readers are notified of a write after a garbage collection', async () => {
    const { clock, controller } = openWorld();
    controller.set(Issue, { id: '1' }, { author: { id: 'u', name: 'ann' } });
    const view = controller.observeQuery(Issue, { id: '1' });
    const notified = listen(view);
    await clock.pass(20 * MINUTE);
    controller.set(User, { id: 'u' }, { name: 'bob' });
    expect([notified.count, dataOf(view)?.author?.name]).toEqual([1, 'bob']);
  });

  it('with its subscription: readers are notified when a row that their relation lacked arrives', async () => {
    const { clock, controller } = openWorld();
    controller.set(Issue, { id: '1' }, { author: 'u' });
    const view = controller.observeQuery(Issue, { id: '1' });
    const notified = listen(view);
    expect(dataOf(view)?.author).toBeUndefined();
    await clock.pass(20 * MINUTE);
    controller.set(User, { id: 'u' }, { name: 'ann' });
    expect([notified.count, dataOf(view)?.author?.name]).toEqual([1, 'ann']);
  });

  it('together with the records whose keys it keeps, wherever they stand', async () => {
    const { clock, controller } = openWorld({ maxEntities: 3 });
    class Ticket extends Entity {
      id = '';
      watchers: readonly string[] = [];
      byRole: Readonly<Record<string, string>> = {};
      static override key = 'Ticket';
      static override schema = {
        watchers: new Lazy([User]),
        byRole: new Values(new Lazy(User)),
      };
    }
    const ticket = manual('ticket', Ticket);
    const view = controller.observe(ticket.endpoint, { id: '1' });
    const stop = view.subscribe(() => {});
    void view.load();
    await ticket.respond({
      id: '1',
      watchers: [{ id: 'a', name: 'ann' }, { id: 'b' }],
      byRole: { lead: { id: 'c', name: 'cid' } },
    });
    controller.set(User, { id: 'd' }, { name: 'dot' });
    await clock.pass(60 * MINUTE);
    const { watchers = [], byRole = {} } = dataOf(view) ?? {};
    expect(controller.get(Ticket.schema.watchers, watchers)?.map(({ id }) => id)).toEqual([
      'a',
      'b',
    ]);
    expect(controller.get(User, { id: byRole['lead'] })?.name).toBe('cid');
    expect(controller.get(User, { id: 'd' })).toBeUndefined();
    stop();
    expect(await isEmpty(clock)).toBe(true);
  });

  it('together with the records in arrays and maps of a plain result', async () => {
    const { clock, controller } = openWorld();
    const schema = { found: [Issue], by: { author: User }, known: new Lazy([User]) };
    const search = manual('search', schema);
    const view = controller.observe(search.endpoint, {});
    const stop = view.subscribe(() => {});
    void view.load();
    await search.respond({
      found: [{ id: '1' }],
      by: { author: { id: 'u' } },
      known: [{ id: 'v' }],
    });
    await clock.pass(60 * MINUTE);
    expect(dataOf(view)).toMatchObject({ found: [{ id: '1' }], by: { author: { id: 'u' } } });
    expect(controller.get(schema.known, ['v'])).toMatchObject([{ id: 'v' }]);
    stop();
    expect(await isEmpty(clock)).toBe(true);
  });

  it('also while it refers to records of a class without any reader', async () => {
    const { clock, controller } = openWorld({ sweep: { interval: 1_000 } });
    const plain = manual('plain', [Issue]);
    controller.setResponse(plain.endpoint, {}, [{ id: '1', author: 'u' }]);
    await clock.pass(1_000);
    expect(controller.getResponse(plain.endpoint, {})).toMatchObject([{ id: '1' }]);
    expect(clock.reported).toEqual([]);
  });

  it('with its subscription: the next response notifies long after the last result was removed', async () => {
    const { clock, controller } = openWorld();
    const text = manual('text', undefined);
    controller.setResponse(text.endpoint, 'first');
    const view = controller.observe(text.endpoint);
    const notified = listen(view);
    void controller.invalidate(text.endpoint);
    await clock.pass(20 * MINUTE);
    controller.setResponse(text.endpoint, 'second');
    expect([notified.count, dataOf(view)]).toEqual([2, 'second']);
  });

  it('while a request is in flight for it', async () => {
    const { clock, controller } = openWorld();
    const user = manual('user', User);
    const view = controller.observe(user.endpoint, { id: '1' });
    const promise = view.load();
    await clock.pass(20 * MINUTE);
    await user.respond({ id: '1', name: 'ann' });
    expect([promise.status, dataOf(view)?.name, user.calls.length]).toEqual([
      'fulfilled',
      'ann',
      1,
    ]);
  });
});

describe('data without a reader', () => {
  it('is there at once until twice its lifetime, and is evicted by the next garbage collection', async () => {
    const { clock, controller } = openWorld({ sweep: { interval: MINUTE } });
    const user = manual('user', User, { dataExpiryLength: 3 * MINUTE });
    ignore(controller.fetch(user.endpoint, { id: '1' }));
    await user.respond({ id: '1', name: 'ann' });
    await clock.pass(5.5 * MINUTE);
    expect(controller.getResponse(user.endpoint, { id: '1' })?.name).toBe('ann');
    await clock.pass(MINUTE);
    expect(controller.getResponse(user.endpoint, { id: '1' })).toBeUndefined();
    expect(controller.get(User, { id: '1' })).toBeUndefined();
  });

  it('is evicted by default by the garbage collection of every five minutes', async () => {
    const { clock, controller } = openWorld();
    controller.set(User, { id: '1' }, { name: 'ann' });
    await clock.pass(5 * MINUTE - 1);
    expect(controller.get(User, { id: '1' })?.name).toBe('ann');
    await clock.pass(1);
    expect(controller.get(User, { id: '1' })).toBeUndefined();
  });

  it('is evicted although a request is stalled', async () => {
    const { clock, controller } = openWorld();
    ignore(controller.fetch(manual('stalled', issues).endpoint));
    controller.set(User, { id: '1' }, { name: 'ann' });
    await clock.pass(20 * MINUTE);
    expect(controller.get(User, { id: '1' })).toBeUndefined();
  });

  it('stays for any number of lifetimes where they count as Infinity, expired or not to be kept', async () => {
    const { clock, controller } = openWorld({ sweep: { lifetimes: Infinity } });
    const list = manual('list', issues);
    const file = manual('file', [User], { dataExpiryLength: 0 });
    controller.setResponse(list.endpoint, [{ id: '1' }]);
    controller.setResponse(file.endpoint, [{ id: 'u' }]);
    controller.expireAll(list.endpoint);
    await clock.pass(60 * MINUTE);
    expect(controller.getResponse(list.endpoint)).toMatchObject([{ id: '1' }]);
    expect(controller.getResponse(file.endpoint)).toMatchObject([{ id: 'u' }]);
  });

  it('stays while its lifetime is Infinity', async () => {
    const { clock, controller } = openWorld();
    const list = manual('list', issues, { dataExpiryLength: Infinity });
    ignore(controller.fetch(list.endpoint));
    await list.respond([{ id: '1', title: 'a' }]);
    await clock.pass(600 * MINUTE);
    expect(controller.get(issues, {})?.[0]?.title).toBe('a');
  });

  it('goes but for the rows that something kept still holds', async () => {
    const { clock, controller } = openWorld();
    controller.setResponse(manual('list', issues).endpoint, {}, [
      { id: '1', author: { id: 'u' } },
      { id: '2', author: { id: 'v' } },
    ]);
    listen(controller.observeQuery(Issue, { id: '2' }));
    await clock.pass(20 * MINUTE);
    expect(controller.get(issues, {})).toBeUndefined();
    expect(controller.get(Issue, { id: '1' })).toBeUndefined();
    expect(controller.get(User, { id: 'u' })).toBeUndefined();
    expect(controller.get(Issue, { id: '2' })?.author?.id).toBe('v');
  });

  it('is fetched anew when it is asked for again, as another instance; the old one stays as it is', async () => {
    const { clock, controller } = openWorld();
    const user = manual('user', User);
    ignore(controller.fetch(user.endpoint, { id: '1' }));
    await user.respond({ id: '1', name: 'ann', friend: { id: '2', name: 'bob' } });
    const held = controller.get(User, { id: '1' });
    await clock.pass(20 * MINUTE);
    expect(controller.observe(user.endpoint, { id: '1' }).needsLoad()).toBe(true);
    ignore(controller.fetch(user.endpoint, { id: '1' }));
    await user.respond({ id: '1', name: 'ann', friend: { id: '2', name: 'bob' } });
    expect([held?.name, held?.friend?.name]).toEqual(['ann', 'bob']);
    expect(controller.get(User, { id: '1' })).toEqual(held);
    expect(controller.get(User, { id: '1' })).not.toBe(held);
  });

  it('leaves nothing behind after eviction', async () => {
    const { clock, controller } = openWorld();
    const list = manual('list', issues);
    const user = manual('user', User);
    const failing = manual('failing', User);
    const create = mutation('create', issues.push, () => ({ title: 'b' }));
    const remove = mutation('remove', new Invalidate(Issue));
    ignore(controller.fetch(list.endpoint, {}));
    await list.respond([{ id: '1', author: { id: 'u', friend: 'nobody' } }]);
    ignore(controller.fetch(create.endpoint, { title: 'b' }));
    controller.get(issues, {});
    await create.respond({ id: '2', title: 'b' });
    ignore(controller.fetch(remove.endpoint, { id: '1' }));
    await remove.respond(null);
    ignore(controller.fetch(failing.endpoint, { id: '1' }));
    await failing.fail(new Error('no'));
    ignore(controller.fetch(user.endpoint, { id: 'x' }));
    await user.respond({ id: 'x' });
    void controller.invalidate(user.endpoint, { id: 'x' });
    void controller.invalidate(user.endpoint, { id: 'never asked' });
    controller.expireAll(list.endpoint);
    controller.setError(failing.endpoint, { id: '2' }, new Error('no'));
    const stop = controller.observeQuery(issues, { of: 'nobody' }).subscribe(() => {});
    expect(await isEmpty(clock)).toBe(false);
    stop();
    expect(await isEmpty(clock)).toBe(true);
  });

  it.each([0, 1])('is evicted by itself where results share a key (kept: %i)', async (kept) => {
    const { clock, controller } = openWorld();
    const user = manual('user', [User], { key: () => 'shared' });
    const plain = manual('plain', undefined, { key: () => 'shared' });
    controller.setResponse(user.endpoint, [{ id: '1' }]);
    controller.setResponse(plain.endpoint, [{ id: '1' }]);
    const views = [controller.observe(user.endpoint), controller.observe(plain.endpoint)];
    const stop = views[kept]?.subscribe(() => {});
    await clock.pass(20 * MINUTE);
    const found = [controller.getResponse(user.endpoint), controller.getResponse(plain.endpoint)];
    expect(found[kept]).toMatchObject([{ id: '1' }]);
    expect(found[1 - kept]).toBeUndefined();
    stop?.();
    expect(await isEmpty(clock)).toBe(true);
  });

  it('is not fresh again once it was expired without a reader', async () => {
    const { clock, controller } = openWorld({ dataExpiryLength: 60 * MINUTE });
    const list = manual('list', issues);
    controller.setResponse(list.endpoint, [{ id: '1', title: 'a' }]);
    controller.expireAll(list.endpoint);
    await clock.pass(20 * MINUTE);
    const view = controller.observe(list.endpoint);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: true });
    expect(view.needsLoad()).toBe(true);
    ignore(view.load());
    await list.respond([{ id: '1', title: 'b' }]);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: false });
    controller.expireAll(list.endpoint);
    await clock.pass(200 * MINUTE);
    expect(await isEmpty(clock)).toBe(true);
  });

  it('is not read out of other results once it was invalidated, however long ago', async () => {
    const { clock, controller } = openWorld();
    const user = manual('user', User);
    const list = manual('list', [User]);
    ignore(controller.fetch(list.endpoint));
    await list.respond([{ id: '1', name: 'ann' }]);
    const stop = controller.observe(list.endpoint).subscribe(() => {});
    void controller.invalidate(user.endpoint, { id: '1' });
    await clock.pass(60 * MINUTE);
    expect(controller.observe(user.endpoint, { id: '1' }).getSnapshot().status).toBe('pending');
    stop();
    expect(await isEmpty(clock)).toBe(true);
  });
});

describe('selections', () => {
  it('keep all records while a reader subscribes, and are made anew afterwards', async () => {
    const { clock, controller } = openWorld();
    for (const id of ['1', '2', '3']) controller.set(User, { id }, { name: id });
    const all = new All(User);
    const view = controller.observeQuery(all);
    const stop = view.subscribe(() => {});
    await clock.pass(20 * MINUTE);
    expect(dataOf(view)?.map(({ id }) => id)).toEqual(['1', '2', '3']);
    stop();
    await clock.pass(5 * MINUTE);
    expect(controller.get(all)).toBeUndefined();
    expect(await isEmpty(clock)).toBe(true);
    controller.set(User, { id: '4' }, { name: '4' });
    expect(dataOf(view)?.map(({ id }) => id)).toEqual(['4']);
  });

  it('by an indexed field lose evicted records, and keep those with a subscriber', async () => {
    const { clock, controller } = openWorld();
    controller.set(Login, { id: '1' }, { email: 'ann@example.com' });
    controller.set(Login, { id: '2' }, { email: 'bob@example.com' });
    const view = controller.observeQuery(Login, { email: 'ann@example.com' });
    const notified = listen(view);
    const other = controller.observeQuery(Login, { email: 'bob@example.com' });
    expect(dataOf(other)?.id).toBe('2');
    await clock.pass(20 * MINUTE);
    expect([dataOf(view)?.id, dataOf(other)]).toEqual(['1', undefined]);
    controller.set(Login, { id: '1' }, { email: 'anna@example.com' });
    expect([notified.count, dataOf(view)]).toEqual([1, undefined]);
  });
});

it('state of another store waits no longer than anything else is kept', async () => {
  const { clock, controller } = openWorld();
  const { controller: other } = openWorld();
  other.set(User, { id: '1' }, { name: 'ann' });
  other.set(Issue, { id: '1' }, { title: 'a' });
  hydrate(controller, getState(other));
  expect(controller.get(User, { id: '1' })?.name).toBe('ann');
  expect(await isEmpty(clock)).toBe(true);
  expect(controller.get(User, { id: '1' })).toBeUndefined();
  expect(controller.get(Issue, { id: '1' })).toBeUndefined();
});

describe('pending state is not evicted', () => {
  it('an optimistic change, and the values that a rollback restores', async () => {
    const { clock, controller } = openWorld();
    const edit = mutation('edit', Issue, () => ({ id: '1', author: 'v', title: 'optimistic' }));
    controller.set(Issue, { id: '1' }, { title: 'a', author: { id: 'u', name: 'ann' } });
    ignore(controller.fetch(edit.endpoint, { id: '1' }));
    await clock.pass(MINUTE);
    await edit.fail(new Error('no'));
    ignore(controller.fetch(edit.endpoint, { id: '1' }));
    await clock.pass(20 * MINUTE);
    expect(controller.get(Issue, { id: '1' })?.title).toBe('optimistic');
    await edit.fail(new Error('no'));
    expect(controller.get(Issue, { id: '1' })?.author?.name).toBe('ann');
    expect(await isEmpty(clock)).toBe(true);
  });

  it('values that a rollback restores, although only hidden records refer to them', async () => {
    const { clock, controller } = openWorld({ sweep: { interval: 10_000, lifetimes: 1 } });
    const users = new Collection([User]);
    const more = manual('more', users.getPage);
    for (const id of ['u', 'listed', 'paged']) controller.set(User, { id }, { name: id });
    // An older read keeps apart what comes now, which refers to the users without bringing them.
    ignore(controller.fetch(manual('older', Issue).endpoint));
    controller.set(Issue, { id: '1' }, { author: 'u' });
    controller.set(users, {}, ['listed']);
    controller.setResponse(more.endpoint, {}, ['paged']);
    const edit = mutation('edit', Issue, () => ({ id: '1', author: 'v' }));
    const clear = mutation('clear', users, () => []);
    ignore(controller.fetch(edit.endpoint, {}));
    ignore(controller.fetch(clear.endpoint, {}));
    expect(controller.get(users, {})).toEqual([]);
    await clock.pass(1.5 * MINUTE);
    await edit.fail(new Error('no'));
    await clear.fail(new Error('no'));
    expect(controller.get(Issue, { id: '1' })?.author?.name).toBe('u');
    expect(controller.get(users, {})?.map(({ name }) => name)).toEqual(['listed', 'paged']);
  });

  it('a record that was added to a list while a create is pending', async () => {
    const { clock, controller } = openWorld({ sweep: { interval: 10_000, lifetimes: 1 } });
    const users = new Collection([User]);
    const create = mutation('create', users.push, () => ({ name: 'new' }));
    const clear = mutation('clear', users, () => []);
    controller.set(users, {}, []);
    ignore(controller.fetch(create.endpoint, {}));
    controller.set(users.push, {}, { id: '1', name: 'added' });
    ignore(controller.fetch(clear.endpoint, {}));
    expect(controller.get(users, {})).toEqual([]);
    await clock.pass(1.5 * MINUTE);
    await clear.fail(new Error('no'));
    expect(controller.get(users, {})).toMatchObject([{ name: 'added' }, { name: 'new' }]);
  });

  it('a deletion, while an older response could bring the row back', async () => {
    const { clock, controller } = openWorld({ sweep: { interval: 10_000, lifetimes: 1 } });
    const list = manual('list', issues, { dataExpiryLength: 1_000 });
    const remove = mutation('remove', new Invalidate(Issue));
    ignore(controller.fetch(list.endpoint));
    ignore(controller.fetch(remove.endpoint, { id: '1' }));
    await remove.respond(null);
    await clock.pass(MINUTE);
    await list.respond([{ id: '1' }, { id: '2' }]);
    expect(controller.get(issues, {})?.map(({ id }) => id)).toEqual(['2']);
    expect(controller.get(Issue, { id: '1' })).toBeUndefined();
    expect(await isEmpty(clock)).toBe(true);
  });

  it.each([
    ['responds', (older: ReturnType<typeof manual>) => older.respond({ id: '1', name: 'old' })],
    ['fails', (older: ReturnType<typeof manual>) => older.fail(new Error('no'))],
  ])('a record that a response repeated, until an older request %s', async (_, settle) => {
    const { clock, controller } = openWorld({ sweep: { interval: 10_000, lifetimes: 1 } });
    const older = manual<unknown>('older', User);
    const newer = manual('newer', [User], { dataExpiryLength: 1_000 });
    const rows = [{ id: '1', name: 'ann', friend: '2' }];
    controller.setResponse(newer.endpoint, rows);
    controller.set(User, { id: '2' }, { name: 'bob' });
    ignore(controller.fetch(older.endpoint, { id: '1' }));
    ignore(controller.fetch(newer.endpoint));
    await newer.respond(rows);
    await clock.pass(MINUTE);
    expect(controller.get(User, { id: '1' })).toMatchObject({ friend: { name: 'bob' } });
    await settle(older);
    expect(controller.get(User, { id: '1' })?.name).toBe('ann');
    expect(await isEmpty(clock)).toBe(true);
  });

  it.each([
    ['read', false],
    ['mutation', true],
  ])(
    'a deletion, while a stalled %s from before it could bring the row back',
    async (_, sideEffect) => {
      const { clock, controller } = openWorld({ maxEntities: 1 });
      const slow = manual('slow', issues, { sideEffect });
      const remove = mutation('remove', new Invalidate(Issue));
      controller.set(Issue, { id: '1' }, { title: 'a' });
      ignore(controller.fetch(slow.endpoint, {}));
      ignore(controller.fetch(remove.endpoint, { id: '1' }));
      await remove.respond(null);
      // It no longer counts after two minutes, and the sweep of each five minutes finds no reader of the row.
      await clock.pass(30 * MINUTE);
      ignore(controller.fetch(remove.endpoint, { id: '2' }));
      await remove.respond(null);
      await clock.pass(30 * MINUTE);
      for (const id of ['8', '9']) controller.set(Issue, { id }, { title: 'other' });
      await clock.pass(0);
      await slow.respond([{ id: '1' }, { id: '2' }, { id: '3' }]);
      expect(controller.get(issues, {})?.map(({ id }) => id)).toEqual(['3']);
      expect(await isEmpty(clock)).toBe(true);
    },
  );

  it('a created row, for the list that is born later', async () => {
    const { clock, controller } = openWorld({ sweep: { interval: 10_000, lifetimes: 1 } });
    const list = manual('list', issues, { dataExpiryLength: MINUTE * 10 });
    const create = mutation('create', issues.push);
    ignore(controller.fetch(list.endpoint));
    ignore(controller.fetch(create.endpoint, { title: 'b' }));
    await create.respond({ id: '2', title: 'b' });
    await clock.pass(1.5 * MINUTE);
    await list.respond([{ id: '1' }]);
    expect(controller.get(issues, {})?.map(({ title }) => title)).toEqual(['', 'b']);
  });

  it('records that the function of a pending layer read', async () => {
    const { clock, controller } = openWorld({ sweep: { interval: 10_000, lifetimes: 1 } });
    const edit = mutation('edit', Issue, (snapshot) => ({
      id: '1',
      title: `by ${snapshot.get(User, { id: 'u' })?.name ?? 'nobody'}`,
    }));
    const late = manual('late', User);
    ignore(controller.fetch(late.endpoint));
    controller.set(Issue, { id: '1' }, { title: 'a' });
    controller.set(User, { id: 'u' }, { name: 'ann' });
    ignore(controller.fetch(edit.endpoint, { id: '1' }));
    expect(controller.get(Issue, { id: '1' })?.title).toBe('by ann');
    await clock.pass(1.5 * MINUTE);
    // The read began before the layer, so it is among what the layer sees.
    await late.respond({ id: 'w' });
    expect(controller.get(Issue, { id: '1' })?.title).toBe('by ann');
  });

  it('a row without a reader that a pending layer read: an older response about it still counts', async () => {
    const { clock, controller } = openWorld({ sweep: { interval: 10_000, lifetimes: 1 } });
    const user = manual('user', User);
    const edit = mutation('edit', Issue, (snapshot) => ({
      id: '1',
      title: `by ${snapshot.get(User, { id: 'u' })?.name ?? 'nobody'}`,
    }));
    controller.set(Issue, { id: '1' }, { title: 'a' });
    controller.set(User, { id: 'u' }, { name: 'ann' });
    ignore(controller.fetch(user.endpoint, { of: 'u' }));
    ignore(controller.fetch(edit.endpoint, { id: '1' }));
    await clock.pass(1.5 * MINUTE);
    await user.respond({ id: 'u', name: 'bob' });
    expect(controller.get(Issue, { id: '1' })?.title).toBe('by bob');
  });

  it('the temporary key of a created row, while something refers to it', async () => {
    const { clock, controller } = openWorld();
    const create = mutation('create', issues.push, () => ({ title: 'new' }));
    const list = manual('list', issues);
    ignore(controller.fetch(list.endpoint));
    await list.respond([]);
    ignore(controller.fetch(create.endpoint, {}));
    const temporary = controller.get(issues, {})?.[0]?.id ?? '';
    const view = controller.observeQuery(Issue, { id: temporary });
    const stop = view.subscribe(() => {});
    await create.respond({ id: '7', title: 'new' });
    await clock.pass(30 * MINUTE);
    expect(dataOf(view)?.id).toBe('7');
    controller.set(Issue, { id: '7' }, { title: 'newer' });
    expect(dataOf(view)?.title).toBe('newer');
    stop();
    expect(await isEmpty(clock)).toBe(true);
  });
});

it('a row with out-of-order mutations is kept for as long as any other', async () => {
  const { clock, controller } = openWorld();
  const slow = mutation('slow', Issue);
  const quick = mutation('quick', Issue);
  ignore(controller.fetch(slow.endpoint, {}));
  ignore(controller.fetch(quick.endpoint, {}));
  await quick.respond({ id: '1', title: 'b' });
  await clock.pass(4.5 * MINUTE);
  await slow.respond({ id: '1', title: 'a' });
  await clock.pass(MINUTE);
  expect(controller.get(Issue, { id: '1' })).toBeDefined();
  expect(await isEmpty(clock)).toBe(true);
});

describe('a view that was dropped', () => {
  it('goes on when it is used again, along with the one that took its place', async () => {
    const { clock, controller } = openWorld();
    const user = manual('user', User);
    const first = controller.observe(user.endpoint, { id: '1' });
    ignore(controller.fetch(user.endpoint, { id: '1' }));
    await user.respond({ id: '1', name: 'ann' });
    await clock.pass(20 * MINUTE);
    const second = controller.observe(user.endpoint, { id: '1' });
    expect(second).not.toBe(first);
    const [notified, toldToo] = [listen(second), listen(first)];
    void first.load();
    await user.respond({ id: '1', name: 'bob' });
    expect([dataOf(first)?.name, dataOf(second)?.name]).toEqual(['bob', 'bob']);
    expect([notified.count, toldToo.count]).toEqual([1, 1]);
    controller.resetEntireStore();
    expect([dataOf(first), dataOf(second)]).toEqual([undefined, undefined]);
  });

  it('is the view of its question again if there is no other', async () => {
    const { clock, controller } = openWorld();
    const view = controller.observeQuery(User, { id: '1' });
    view.getSnapshot();
    await clock.pass(20 * MINUTE);
    const notified = listen(view);
    expect(controller.observeQuery(User, { id: '1' })).toBe(view);
    controller.set(User, { id: '1' }, { name: 'ann' });
    expect([notified.count, dataOf(view)?.name]).toEqual([1, 'ann']);
  });
});

describe('data that is not to be kept', () => {
  it('a result with the lifetime 0 and its rows are evicted by the next garbage collection', async () => {
    const { clock, controller } = openWorld({ sweep: { interval: 1_000 } });
    const list = manual('list', issues, { dataExpiryLength: 0 });
    const fetched = controller.fetch(list.endpoint);
    await list.respond([{ id: '1' }]);
    expect((await fetched).length).toBe(1);
    await clock.pass(1_000);
    expect(clock.idleWaits).toBe(0);
  });

  it.each([
    ['the endpoint', {}, { dataExpiryLength: 0 }],
    ['the controller', { dataExpiryLength: 0 }, {}],
  ])(
    'a result with the lifetime 0 of %s is evicted with its last reader',
    async (_, options, own) => {
      const { controller } = openWorld(options);
      const file = manual('file', undefined, own);
      const view = controller.observe(file.endpoint);
      const [stop, stopToo] = [view.subscribe(() => {}), view.subscribe(() => {})];
      ignore(view.load());
      await file.respond('large');
      stop();
      await flush();
      expect(dataOf(view)).toBe('large');
      stopToo();
      await flush();
      expect([view.getSnapshot().status, view.needsLoad()]).toEqual(['pending', true]);
    },
  );

  it('the response of a mutation is no result', async () => {
    const { clock, controller } = openWorld();
    const upload = mutation('upload', undefined);
    const sent = controller.fetch(upload.endpoint, { id: '1' });
    await upload.respond({ big: true });
    expect(await sent).toEqual({ big: true });
    expect(controller.getResponse(upload.endpoint, { id: '1' })).toBeUndefined();
    expect(await isEmpty(clock)).toBe(true);
  });
});

describe('sweeping', () => {
  it('can be switched off', async () => {
    const { clock, controller } = openWorld({ sweep: false });
    controller.set(User, { id: '1' }, { name: 'ann' });
    await clock.pass(600 * MINUTE);
    expect(controller.get(User, { id: '1' })?.name).toBe('ann');
    expect(clock.idleWaits).toBe(0);
  });

  it.each<[string, ControllerOptions]>([
    ['sweep.interval', { sweep: { interval: 0 } }],
    ['sweep.lifetimes', { sweep: { lifetimes: 0.5 } }],
    ['maxEntities', { maxEntities: -1 }],
    ['maxEntities', { maxEntities: Number.NaN }],
  ])('refuses a wrong `%s`', (name, options) => {
    expect(() => new Controller(options)).toThrow(RangeError);
    expect(() => new Controller(options)).toThrow(`\`${name}\``);
  });

  it('waits for nothing before the first use, and after dispose', async () => {
    const { clock, controller } = openWorld();
    expect(clock.idleWaits).toBe(0);
    controller.set(User, { id: '1' }, { name: 'ann' });
    expect(clock.idleWaits).toBe(1);
    controller.dispose();
    expect([clock.idleWaits, clock.timers]).toEqual([0, 0]);
    await clock.pass(600 * MINUTE);
    expect(controller.get(User, { id: '1' })?.name).toBe('ann');
  });
});
