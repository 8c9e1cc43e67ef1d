/** A page goes only behind what it was asked behind. It never leaves a hole. */
import { Collection, Controller, Entity, Invalidate, Values } from 'restitch';
import { getState, openStream } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { ignore, manual, mutation, outcomeOf } from '../support/world.js';
import { Clock } from '../support/clock.js';
import { openPages, payload, Post } from './support.js';

describe('a page whose place is gone when it comes', () => {
  it('is dropped, and the same number is asked for again: the first page moved', async () => {
    const { seed, page, list, shownNow } = openPages();
    seed({ ids: ['1', '2', '3'], next: 'b' });
    const second = page();
    await list().respond({ ids: ['8', '9', '1'], next: 'b' });
    await second.respond({ ids: ['4', '5', '6'], next: 'c' });
    expect(shownNow()).toBe('8 9 1 →b');
    expect(second.count).toBe(2);
    await second.respond({ ids: ['2', '3', '4'], next: 'c' });
    expect(shownNow()).toBe('8 9 1 2 3 4 →c');
    await expect(second.outcome).resolves.toMatchObject({
      results: [{ id: '2' }, { id: '3' }, { id: '4' }],
    });
  });

  it('is asked for again after a deletion, however many parts of the HTML stream repeated the list', async () => {
    const { controller, page, shownNow } = openPages();
    const stream = openStream(controller);
    const arrive = (): void => {
      const server = openPages();
      server.seed({ ids: ['8', '9'], next: 'b' });
      stream.hydrate(getState(server.controller));
    };
    arrive();
    expect(shownNow()).toBe('8 9 →b');
    const deletion = mutation('delete', new Invalidate(Post), () => ({ id: '9' }));
    ignore(controller.fetch(deletion.endpoint, { id: '9' }));
    arrive();
    const second = page({ page: 'b' });
    await deletion.respond({ id: '9' });
    await second.respond({ ids: ['4'], next: 'c' });
    expect([shownNow(), second.count]).toEqual(['8 →b', 2]);
    await second.respond({ ids: ['3', '4'], next: 'c' });
    expect(shownNow()).toBe('8 3 4 →c');
  });

  it('is asked for again where the page fields still say that it comes next', async () => {
    const { seed, page, list, shownNow } = openPages();
    seed({ ids: ['1', '2', '3'], next: 'b' });
    const second = page({ page: 'b' });
    await list().respond({ ids: ['1', '2'], next: 'b' });
    await second.respond({ ids: ['4'], next: 'c' });
    expect([shownNow(), second.count]).toEqual(['1 2 →b', 2]);
    await second.respond({ ids: ['4'], next: 'c' });
    expect(shownNow()).toBe('1 2 4 →c');
  });

  it('is dropped for good where its cursor no longer comes next; the caller gets the page', async () => {
    const { seed, page, list, shownNow } = openPages();
    seed({ ids: ['1', '2'], next: 'b' });
    await page({ page: 'b' }).respond({ ids: ['3', '4'], next: 'c' });
    const third = page({ page: 'c' });
    await list().respond({ ids: ['7', '8'], next: 'x' });
    await third.respond({ ids: ['5'], next: 'd' });
    expect([shownNow(), third.count]).toEqual(['7 8 →x', 1]);
    await expect(third.outcome).resolves.toMatchObject({ results: [{ id: '5' }], next: 'd' });
  });

  it('is dropped for good where its cursor looks like the number of members', async () => {
    const { seed, page, list, shownNow } = openPages();
    seed({ ids: ['1', '2'], next: '2' });
    const second = page({ page: '2' });
    await list().respond({ ids: ['10', '1'], next: '1' });
    await second.respond({ ids: ['3', '4'], next: '4' });
    expect([shownNow(), second.count]).toEqual(['10 1 →1', 1]);
  });

  it('is dropped for good where it is an offset that the page fields still give, and a row went', async () => {
    const { controller, seed, page, shownNow } = openPages();
    seed({ ids: ['1', '2', '3'], next: '3' });
    const second = page({ page: '3' });
    controller.set(new Invalidate(Post), {}, '3');
    await second.respond({ ids: ['4', '5', '6'], next: '6' });
    expect([shownNow(), second.count]).toEqual(['1 2 →3', 1]);
  });

  it('is dropped for good where it is the number of a page behind others that are gone', async () => {
    const { seed, page, list, shownNow } = openPages();
    seed({ ids: ['1', '2'], next: 'b' });
    await page().respond({ ids: ['3', '4'], next: 'c' });
    const third = page({ page: 3 });
    await list().respond({ ids: ['7', '8'], next: 'x' });
    await third.respond({ ids: ['5'], next: 'd' });
    expect([shownNow(), third.count]).toEqual(['7 8 →x', 1]);
  });

  it('is dropped where what it was asked behind is there only because it was added here', async () => {
    const { seed, page, list, create, shownNow } = openPages();
    seed({ ids: ['7'], next: 'b' });
    const creation = create({ id: '2' }, 'unshift');
    const [first, second] = [list(), list()];
    await first.respond({ ids: ['2'], next: 'b' });
    await creation.created({ id: '2' });
    await page().respond({ ids: ['1'], next: null });
    expect(shownNow()).toBe('2 1 →end');
    await second.respond({ ids: ['3'], next: 'c' });
    expect(shownNow()).toBe('2 3 →c');
    await list().respond({ ids: ['3'], next: 'c' });
    expect(shownNow()).toBe('3 →c');
  });

  it.each([
    ['as long as before: it is asked for again', ['7', '8', '9'], 2],
    ['shorter: it is dropped for good', ['7', '8'], 1],
  ])('an offset counts the members of the list, which is %s', async (_, ids, count) => {
    const { seed, page, list, shownNow } = openPages();
    seed({ ids: ['4', '5', '6'], next: null });
    const further = page({ page: 3 });
    await list().respond({ ids, next: null });
    await further.respond({ ids: ['1'], next: null });
    expect([shownNow(), further.count]).toEqual([[...ids, '→end'].join(' '), count]);
  });

  it('is dropped when the row behind which it goes was deleted, and asked for again', async () => {
    const { seed, page, remove, shownNow } = openPages();
    seed({ ids: ['1', '2', '3'], next: 'b' });
    const second = page({ page: 'b' });
    await remove('3').created({ id: '3' });
    await second.respond({ ids: ['4'], next: 'c' });
    expect([shownNow(), second.count]).toEqual(['1 2 →b', 2]);
    await second.respond({ ids: ['4'], next: 'c' });
    expect(shownNow()).toBe('1 2 4 →c');
  });

  it('is asked for as often as its place goes', async () => {
    const { seed, page, list, shownNow } = openPages();
    seed({ ids: ['1'], next: 'b' });
    const second = page();
    for (const id of ['6', '7', '8']) {
      await list().respond({ ids: [id], next: 'b' });
      await second.respond({ ids: ['9'], next: 'c' });
    }
    expect([shownNow(), second.count]).toEqual(['8 →b', 4]);
    await second.respond({ ids: ['5'], next: 'c' });
    expect(shownNow()).toBe('8 5 →c');
  });

  it('is dropped where the list is not empty any more', async () => {
    const { seed, page, list, shownNow } = openPages();
    seed({ ids: [], next: 'b' });
    const second = page({ page: 'b' });
    await list().respond({ ids: ['1'], next: 'c' });
    await second.respond({ ids: ['5'], next: 'd' });
    expect([shownNow(), second.count]).toEqual(['1 →c', 1]);
  });
});

describe('what a page is asked behind', () => {
  it('stays what it was when the request is sent again, though another first page is there', async () => {
    const { controller, getList, seed, page, list, shownNow } = openPages();
    seed({ ids: ['1', '2'], next: '2' });
    await page({ page: '2' }).respond({ ids: ['3', '4'], next: '4' });
    const third = page({ page: '4' });
    await list().respond({ ids: ['8', '9'], next: '9' });
    controller.expireAll(getList.extend({ testKey: () => true }));
    expect(third.count).toBe(2);
    await third.respond({ ids: ['5', '6'], next: '6' });
    expect([shownNow(), third.count]).toEqual(['8 9 →9', 2]);
  });

  it('is the place as it is now where the request that is sent again still names what comes next', async () => {
    const { controller, getList, seed, page, list, shownNow } = openPages();
    seed({ ids: ['1', '2'], next: 'b' });
    const second = page({ page: 'b' });
    await list().respond({ ids: ['8', '9'], next: 'b' });
    controller.expireAll(getList.extend({ testKey: () => true }));
    await second.respond({ ids: ['3'], next: 'c' });
    expect([shownNow(), second.count]).toEqual(['8 9 3 →c', 2]);
  });

  it('is the last row of a page that brought a pushed row, not the last one that shows', async () => {
    const { controller, getList, seed, page, create, remove, shownNow } = openPages();
    seed({ ids: ['1', '2'], next: '2' });
    for (const id of ['4', '5']) await create({ id }).created({ id });
    await page({ page: '2' }).respond({ ids: ['3', '4'], next: '4' });
    expect(shownNow()).toBe('1 2 3 4 5 →4');
    const third = page({ page: '4' });
    await remove('1').created({ id: '1' });
    void controller.invalidate(getList, undefined);
    seed({ ids: ['2', '3'], next: '3' });
    await third.respond({ ids: ['5'], next: null });
    expect(shownNow()).toBe('2 3 →3');
  });

  it('is no row that was only pushed since: others may stand between', async () => {
    const { seed, page, list, create, shownNow } = openPages();
    seed({ ids: ['1'], next: '1' });
    await page({ page: '1' }).respond({ ids: ['9'], next: '9' });
    const older = list();
    const creation = create({ id: '9' });
    const third = page({ page: '9' });
    await creation.created({ id: '9' });
    await older.respond({ ids: ['7', '8'], next: '8' });
    expect(shownNow()).toBe('7 8 9 →8');
    await third.respond({ ids: ['10'], next: null });
    expect(shownNow()).toBe('7 8 9 →8');
  });

  it('is no row before it where that row was deleted: the cursor names what came after it', async () => {
    const { seed, page, list, remove, shownNow } = openPages();
    seed({ ids: ['1', '2'], next: '2' });
    await page({ page: '2' }).respond({ ids: ['3', '4'], next: '4' });
    await remove('4').created({ id: '4' });
    const third = page({ page: '4' });
    const other = page({ page: '4', author: undefined });
    await third.respond({ ids: ['5'], next: '5' });
    expect([shownNow(), third.count]).toEqual(['1 2 3 5 →5', 1]);
    await remove('1').created({ id: '1' });
    await list().respond({ ids: ['7', '3'], next: '3' });
    await other.respond({ ids: ['5'], next: '5' });
    expect([shownNow(), other.count]).toEqual(['7 3 →3', 1]);
  });

  it.each([
    ['a count beside the list', { seed: { ids: ['5', '6', '7'], total: 7 }, next: '7' }],
    ['the number of members', { seed: { ids: ['8', '9', '3'] }, next: '3' }],
  ])('may look like %s: it is dropped for good once it is gone', async (_, given) => {
    const { controller, getList, page, shownNow } = openPages();
    const say = (ids: readonly string[], next: string): void => {
      const { results } = payload({ ids }) as { results: unknown };
      const { total } = given.seed as { total?: number };
      controller.setResponse(getList, undefined, { results, next, total });
    };
    say(given.seed.ids, given.next);
    const second = page({ page: given.next });
    say(['0', '1', '2'], '2');
    await second.respond({ ids: ['10'], next: null });
    expect([shownNow(), second.count]).toEqual(['0 1 2 →2', 1]);
  });

  it('may be the last row alone, whose key looks like the number of members', async () => {
    const { seed, page, list, shownNow } = openPages();
    seed({ ids: ['8', '9', '3'] });
    const second = page({ page: '3' });
    await list().respond({ ids: ['0', '1', '2'] });
    await second.respond({ ids: ['10'] });
    expect([shownNow(), second.count]).toEqual(['0 1 2 →end', 1]);
  });
});

describe('a page that was placed', () => {
  it('goes when an older refetch comes later and takes its place away', async () => {
    const { seed, page, list, shownNow } = openPages();
    seed({ ids: ['1', '2'], next: 'b' });
    const refetch = list();
    await page().respond({ ids: ['3'], next: 'c' });
    expect(shownNow()).toBe('1 2 3 →c');
    await refetch.respond({ ids: ['7', '8'], next: 'x' });
    expect(shownNow()).toBe('7 8 →x');
  });

  it('needs the last row of the pages alone, not what was created behind it', async () => {
    const { seed, page, create, remove, shownNow } = openPages();
    seed({ ids: ['1', '2'], next: 'b' });
    await create({ id: '9' }).created({ id: '9' });
    const second = page();
    await remove('9').created({ id: '9' });
    await second.respond({ ids: ['3'], next: 'c' });
    expect([shownNow(), second.count]).toEqual(['1 2 3 →c', 1]);
  });

  it('is placed where a pending create raises another over it', async () => {
    const { seed, page, create, shownNow } = openPages();
    seed({ ids: ['1', '2', '3'], next: 'b' });
    create({ id: '8' });
    await create({ id: '9' }).created({ id: '9' });
    const second = page();
    await second.respond({ ids: ['4'], next: 'c' });
    const third = page({ page: 3 });
    await third.respond({ ids: ['5'], next: 'd' });
    expect([second.count, third.count]).toEqual([1, 1]);
    expect(shownNow()).toBe('1 2 3 4 5 8 9 →d');
  });
});

it('nobody asks again for a page that nobody wants any more', async () => {
  const clock = new Clock();
  const controller = new Controller({ environment: clock.environment });
  class Post extends Entity {
    id = '';
    static override key = 'Post';
  }
  const posts = new Collection([Post]);
  const abort = new AbortController();
  const list = manual('list', posts);
  const page = manual('page', posts.paginated('page'));
  controller.set(posts, {}, [{ id: '1' }]);
  const asked = controller.fetch(page.endpoint.extend({ signal: abort.signal }), { page: 2 });
  ignore(asked);
  abort.abort();
  ignore(controller.fetch(list.endpoint, {}));
  await list.respond([{ id: '7' }]);
  await page.respond([{ id: '2' }]);
  expect(page.calls).toHaveLength(1);
  expect(await outcomeOf(asked)).toMatchObject({ status: 'rejected' });
  expect(controller.get(posts, {})).toMatchObject([{ id: '7' }]);
});

it('a page of a map goes behind the key that it was asked behind', async () => {
  class Rate extends Entity {
    id = '';
    static override key = 'Rate';
  }
  const controller = new Controller();
  const rates = new Collection(new Values(Rate));
  const page = manual('page', rates.paginated('page'));
  controller.set(rates, {}, { a: { id: '1' }, b: { id: '2' } });
  ignore(controller.fetch(page.endpoint, { page: 2 }));
  controller.set(rates, {}, { x: { id: '1' }, y: { id: '2' } });
  await page.respond({ c: { id: '3' } });
  expect(Object.keys(controller.get(rates, {}) ?? {})).toEqual(['x', 'y']);
  await page.respond({ z: { id: '3' } });
  expect(Object.keys(controller.get(rates, {}) ?? {})).toEqual(['x', 'y', 'z']);
});

it('a list is kept while a page of it is under way', async () => {
  class Post extends Entity {
    id = '';
    static override key = 'Post';
  }
  const clock = new Clock();
  const controller = new Controller({ environment: clock.environment, dataExpiryLength: 1 });
  const posts = new Collection([Post]);
  const page = manual('page', posts.paginated('page'));
  controller.set(posts, {}, [{ id: '1' }]);
  ignore(controller.fetch(page.endpoint, { page: 2 }));
  await clock.pass(600_000);
  await page.respond([{ id: '2' }]);
  expect(controller.get(posts, {})?.map(({ id }) => id)).toEqual(['1', '2']);
});

it.each(['remove', 'move'] as const)(
  'a late page brings no row back that a %s took out of its list',
  async (action) => {
    class Task extends Entity {
      id = '';
      status = '';
      static override key = 'PagedTask';
    }
    const controller = new Controller();
    const tasks = new Collection([Task]);
    const open = { status: 'open' };
    const page = manual('page', tasks.paginated('page'));
    const change = mutation('change', tasks[action]);
    controller.set(tasks, open, [
      { id: '9', ...open },
      { id: '1', ...open },
    ]);
    ignore(controller.fetch(page.endpoint, { ...open, page: 2 }));
    ignore(controller.fetch(change.endpoint, open, { id: '9', status: 'done' }));
    await change.respond({ id: '9', status: action === 'move' ? 'done' : 'open' });
    await page.respond([
      { id: '9', ...open },
      { id: '2', ...open },
    ]);
    expect(controller.get(tasks, open)?.map(({ id }) => id)).toEqual(['1', '2']);
  },
);
