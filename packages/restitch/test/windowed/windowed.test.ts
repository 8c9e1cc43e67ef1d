import {
  byCursor,
  byLink,
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  flushUndoable,
  resource,
  undoable,
  windowed,
  type Pagination,
  type SparseList,
  type WindowView,
} from 'restitch';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Feed, numberedPage, startFeed } from '../infinite/feed.js';
import { readyData } from '../support/readyData.js';

class Post extends Entity {
  id = '';
  title = '';
  static override key = 'Post';
}

let feed: Feed;
beforeAll(async () => {
  feed = await startFeed(numberedPage);
});
beforeEach(() => {
  feed.rows = Array.from({ length: 60 }, (_, index) => ({ id: `r${index}`, title: `${index}` }));
  feed.asked.length = 0;
  feed.before = () => undefined;
});
afterAll(() => feed.server.close());

const offsets = byOffset({ param: 'offset', total: 'total' });
const numbers = byPage({ param: 'page', total: 'total' });

function open(pagination: Pagination) {
  const errors: unknown[] = [];
  const controller = new Controller({ environment: { report: (error) => errors.push(error) } });
  const Posts = resource({
    urlPrefix: feed.server.origin,
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as { tag?: string; limit?: number },
    nonFilterArgumentKeys: ['limit'],
    optimistic: true,
    pagination,
  }).extend('getList', { schema: { results: new Collection([Post]), total: 0 } });
  const view = windowed(controller, Posts.getList, {});
  return { controller, Posts, view, errors };
}

function listOf<E>(
  view: WindowView<E>,
): SparseList<{ readonly id?: string; readonly title?: string }> {
  return readyData(view) as SparseList<{ readonly id?: string; readonly title?: string }>;
}

/** The rows from one index to another; `_` stands for one that is not loaded. */
function rows<E>(view: WindowView<E>, start: number, end: number): string {
  const list = listOf(view);
  const ids = Array.from({ length: end - start }, (_, index) => list.at(start + index)?.id ?? '_');
  return ids.join(' ').replaceAll('r', '');
}

/** Waits until all rows from one index to another are there. */
const settled = (view: WindowView<unknown>, start: number, end: number): Promise<void> =>
  expect
    .poll(() => {
      const { length } = listOf(view);
      return length > 0 ? rows(view, start, Math.min(end, length)) : '_';
    })
    .not.toContain('_');

describe.each([
  ['offset', offsets, (page: number) => (page === 0 ? '' : `offset=${page * 3}`)],
  ['number', numbers, (page: number) => (page === 0 ? '' : `page=${page + 1}`)],
] as const)('a windowed list by %s (rule 12)', (kind, style, pageOf) => {
  it('loads the pages that the range touches, and jumps to a row', async () => {
    const { view } = open(style);
    expect(listOf(view).length).toBe(0);
    const range = view.open({ start: 0, end: 5 });
    await settled(view, 0, 5);
    await expect.poll(() => rows(view, 0, 6)).toBe('0 1 2 3 4 5');
    expect(listOf(view).length).toBe(60);
    expect(feed.asked).toEqual([pageOf(0), pageOf(1)]);
    range.move({ start: 40, end: 44 });
    await expect.poll(() => rows(view, 39, 45)).toBe('39 40 41 42 43 44');
    expect(feed.asked.slice(2).sort()).toEqual([pageOf(13), pageOf(14)].sort());
    expect(rows(view, 5, 7)).toBe('5 _');
    expect(listOf(view).at(60)).toBeUndefined();
    expect(listOf(view).at(-1)).toBeUndefined();
    range.close();
  });

  it('loads the whole list for a range without an end', async () => {
    const { controller, Posts } = open(
      kind === 'offset'
        ? byOffset({ param: 'offset', limit: 'limit', total: 'total' })
        : byPage({ param: 'page', size: 'limit', total: 'total' }),
    );
    const view = windowed(controller, Posts.getList, { limit: 20 });
    const range = view.open({ start: 0, end: Infinity });
    await settled(view, 0, 60);
    expect(rows(view, 57, 60)).toBe('57 58 59');
    range.close();
  });

  it('tells which rows are loading, and which failed', async () => {
    const { view } = open(style);
    const range = view.open({ start: 0, end: 3 });
    await expect.poll(() => rows(view, 0, 3)).toBe('0 1 2');
    let release = (): void => {};
    feed.before = () => new Promise((resolve) => (release = () => resolve(500)));
    range.move({ start: 9, end: 12 });
    await expect.poll(() => listOf(view).isLoading(10)).toBe(true);
    expect(listOf(view).isLoading(1)).toBe(false);
    await expect.poll(() => feed.asked.length).toBe(2);
    release();
    await expect.poll(() => listOf(view).errorAt(11)?.message).toContain('500');
    expect(listOf(view).isLoading(10)).toBe(false);
    expect(listOf(view).errorAt(1)).toBeUndefined();
    // It is asked for again by hand, or when a range comes back to it.
    feed.before = () => undefined;
    await listOf(view).refresh();
    expect(rows(view, 9, 12)).toBe('9 10 11');
    expect(listOf(view).errorAt(11)).toBeUndefined();
    expect(feed.asked).toHaveLength(3);
    range.close();
  });

  it('shares its pages with other windows of the same list', async () => {
    const { view, controller, Posts } = open(style);
    const first = view.open({ start: 0, end: 3 });
    await expect.poll(() => rows(view, 0, 3)).toBe('0 1 2');
    const again = windowed(controller, Posts.getList, {});
    expect(again).toBe(view);
    const second = again.open({ start: 0, end: 6 });
    await expect.poll(() => rows(view, 0, 6)).toBe('0 1 2 3 4 5');
    expect(feed.asked).toEqual([pageOf(0), pageOf(1)]);
    expect(windowed(controller, Posts.getList, { tag: 'x' })).not.toBe(view);
    first.close();
    second.close();
  });

  it('drops the pages used longest ago beyond `keep`, but none in a range', async () => {
    const { view } = open(style);
    const stays = view.open({ start: 57, end: 60, keep: 3 });
    await expect.poll(() => rows(view, 57, 60)).toBe('57 58 59');
    const range = view.open({ start: 0, end: 3, keep: 3 });
    for (const start of [3, 6, 9]) {
      await settled(view, start - 3, start);
      range.move({ start, end: start + 3, keep: 3 });
    }
    await expect.poll(() => rows(view, 9, 12)).toBe('9 10 11');
    await expect.poll(() => rows(view, 0, 12)).toBe('_ _ _ _ _ _ 6 7 8 9 10 11');
    expect(rows(view, 57, 60)).toBe('57 58 59');
    expect(listOf(view).length).toBe(60);
    feed.asked.length = 0;
    range.move({ start: 0, end: 3, keep: 3 });
    await expect.poll(() => rows(view, 0, 3)).toBe('0 1 2');
    expect(feed.asked).toEqual([pageOf(0)]);
    range.close();
    stays.close();
  });

  it('keeps ten pages by default', async () => {
    const { view } = open(style);
    const range = view.open({ start: 0, end: 3 });
    for (let start = 3; start < 60; start += 3) {
      await settled(view, start - 3, start);
      range.move({ start, end: start + 3 });
    }
    await settled(view, 57, 60);
    await expect.poll(() => rows(view, 27, 31)).toBe('_ _ _ 30');
    range.close();
  });

  it('a delete moves what follows up by one at once, also behind unknown rows', async () => {
    const { view, controller, Posts } = open(style);
    const top = view.open({ start: 0, end: 6 });
    const far = view.open({ start: 30, end: 33 });
    await settled(view, 0, 6);
    await settled(view, 30, 33);
    feed.asked.length = 0;
    const remove = controller.fetch(Posts.delete, { id: 'r1' });
    expect(rows(view, 0, 5)).toBe('0 2 3 4 5');
    expect(rows(view, 29, 32)).toBe('30 31 32');
    expect(listOf(view).length).toBe(59);
    await remove;
    // The rows that moved into the ranges are loaded.
    await expect.poll(() => rows(view, 0, 6)).toBe('0 2 3 4 5 6');
    await expect.poll(() => rows(view, 30, 33)).toBe('31 32 33');
    expect(feed.asked.length).toBeLessThanOrEqual(2);
    top.close();
    far.close();
  });

  it('a delete or create whose index is unknown loads the range again', async () => {
    const { view, controller, Posts } = open(style);
    const far = view.open({ start: 30, end: 33 });
    await settled(view, 30, 33);
    await controller.fetch(Posts.delete, { id: 'r10' });
    await expect.poll(() => rows(view, 30, 33)).toBe('31 32 33');
    expect(listOf(view).length).toBe(59);
    await controller.fetch(Posts.getList.unshift, {}, { id: 'rA', title: 'A' });
    await expect.poll(() => rows(view, 30, 33)).toBe('30 31 32');
    expect(listOf(view).length).toBe(60);
    // Rows outside of the range are asked for when it comes to them.
    const top = view.open({ start: 0, end: 3 });
    await expect.poll(() => rows(view, 0, 3)).toBe('A 0 1');
    top.close();
    far.close();
    feed.asked.length = 0;
    await controller.fetch(Posts.delete, { id: 'r20' });
    const again = view.open({ start: 30, end: 33 });
    await expect.poll(() => rows(view, 30, 33)).toBe('31 32 33');
    expect([...new Set(feed.asked)]).toEqual([pageOf(10)]);
    again.close();
  });

  it('loads all pages of the range again after the invalidation of its first page', async () => {
    const { view, controller, Posts } = open(style);
    const range = view.open({ start: 1, end: 6 });
    const stop = view.subscribe(() => {});
    await settled(view, 1, 6);
    void controller.invalidate(Posts.getList, {});
    expect(rows(view, 0, 6)).toBe('_ _ _ _ _ _');
    await expect.poll(() => rows(view, 0, 6)).toBe('0 1 2 3 4 5');
    stop();
    range.close();
  });

  it('a page that was loading outside of the range during a delete moves no row', async () => {
    const { view, controller, Posts } = open(style);
    const top = view.open({ start: 0, end: 3 });
    await settled(view, 0, 3);
    let release = (): void => {};
    feed.before = (query) =>
      query.toString() === pageOf(9)
        ? new Promise((resolve) => (release = () => resolve(undefined)))
        : undefined;
    const range = view.open({ start: 27, end: 30 });
    await expect.poll(() => feed.asked).toContain(pageOf(9));
    await controller.fetch(Posts.delete, { id: 'r1' });
    range.move({ start: 0, end: 3 });
    release();
    feed.before = () => undefined;
    // The range is loaded again after the response of that page.
    await expect.poll(() => feed.asked.slice(2)).toContain(pageOf(0));
    await expect.poll(() => listOf(view).length).toBe(59);
    await expect.poll(() => rows(view, 0, 3)).toBe('0 2 3');
    range.move({ start: 25, end: 30 });
    await expect.poll(() => rows(view, 25, 30)).toBe('26 27 28 29 30');
    range.close();
    top.close();
  });

  it('loads after a reset that aborted its first page', async () => {
    const { view, controller } = open(style);
    let release = (): void => {};
    feed.before = () => new Promise((resolve) => (release = () => resolve(undefined)));
    const range = view.open({ start: 0, end: 3 });
    const stop = view.subscribe(() => {});
    await expect.poll(() => feed.asked.length).toBe(1);
    feed.before = () => undefined;
    controller.resetEntireStore();
    release();
    await expect.poll(() => rows(view, 0, 3)).toBe('0 1 2');
    stop();
    range.close();
  });

  it('a delete that fails puts the row back', async () => {
    const { view, controller, Posts } = open(style);
    const top = view.open({ start: 0, end: 6 });
    await settled(view, 0, 6);
    const failing = Posts.delete.extend({
      path: '/nowhere/:id',
      fetch: () => Promise.reject(new Error('no')),
    });
    const remove = controller.fetch(failing, { id: 'r1' }).catch(() => {});
    expect(rows(view, 0, 5)).toBe('0 2 3 4 5');
    await remove;
    expect(rows(view, 0, 6)).toBe('0 1 2 3 4 5');
    expect(listOf(view).length).toBe(60);
    top.close();
  });

  it('starts again after an invalidation, and loads an expired page again', async () => {
    const { view, controller, Posts } = open(style);
    const top = view.open({ start: 0, end: 6 });
    const stop = view.subscribe(() => {});
    await settled(view, 0, 6);
    feed.rows = feed.rows.slice(2);
    controller.expireAll(Posts.getList);
    await expect.poll(() => rows(view, 0, 6)).toBe('2 3 4 5 6 7');
    expect(listOf(view).length).toBe(58);
    feed.rows = feed.rows.slice(2);
    void controller.invalidateAll(Posts.getList);
    await expect.poll(() => rows(view, 0, 6)).toBe('4 5 6 7 8 9');
    stop();
    top.close();
  });

  it('loads its pages again when the lists of all scopes expire', async () => {
    const { controller, Posts } = open(style);
    const view = windowed(controller, Posts.getList.extend({ scope: 'ada' }), {});
    const stop = view.subscribe(() => {});
    const top = view.open({ start: 0, end: 6 });
    await settled(view, 0, 6);
    feed.rows = feed.rows.slice(2);
    controller.expireAll(Posts.getList);
    await expect.poll(() => rows(view, 0, 6)).toBe('2 3 4 5 6 7');
    feed.rows = feed.rows.slice(2);
    void controller.invalidateAll(Posts.getList);
    await expect.poll(() => rows(view, 0, 6)).toBe('4 5 6 7 8 9');
    stop();
    top.close();
  });

  it('keeps the list and its rows the same objects while nothing changed', async () => {
    const { view, controller } = open(style);
    const top = view.open({ start: 0, end: 6 });
    await settled(view, 0, 6);
    const list = listOf(view);
    expect(listOf(view)).toBe(list);
    const row = list.at(2);
    controller.set(Post, { id: 'r4' }, { id: 'r4', title: 'new' });
    expect(listOf(view)).not.toBe(list);
    expect(listOf(view).at(2)).toBe(row);
    expect(listOf(view).at(4)?.title).toBe('new');
    await listOf(view).refresh();
    expect(listOf(view).at(2)).toBe(row);
    top.close();
  });

  it('follows a list that became shorter than the range', async () => {
    const { view } = open(style);
    const top = view.open({ start: 40, end: 44 });
    await settled(view, 40, 44);
    feed.rows = feed.rows.slice(0, 5);
    await listOf(view).refresh();
    await expect.poll(() => listOf(view).length).toBe(5);
    await expect.poll(() => rows(view, 3, 5)).toBe('3 4');
    top.close();
  });
});

describe('a windowed list', () => {
  it.each([-1, 2.5, '-3'])('refuses %s as the number of rows', async (total) => {
    const { view } = open(byOffset({ param: 'offset', total: () => total as number }));
    const range = view.open({ start: 0, end: 3 });
    await expect
      .poll(() => listOf(view).errorAt(0))
      .toMatchObject({ code: 'window-without-total' });
    expect(listOf(view).length).toBe(0);
    range.close();
  });

  it('is loading where a row is missing and its page did not fail', async () => {
    const { view } = open(offsets);
    expect(listOf(view).isLoading(0)).toBe(true);
    const range = view.open({ start: 0, end: 3 });
    await settled(view, 0, 3);
    // A reader that jumps renders before the range moves.
    expect(listOf(view).isLoading(40)).toBe(true);
    expect(listOf(view).isLoading(1)).toBe(false);
    expect(listOf(view).isLoading(60)).toBe(false);
    expect(listOf(view).isLoading(-1)).toBe(false);
    range.close();
  });

  it('asks for the range alone if the arguments have the page size', async () => {
    const sized = byOffset({ param: 'offset', limit: 'limit', total: 'total' });
    const { controller, Posts } = open(sized);
    const view = windowed(controller, Posts.getList, { limit: 10 });
    const range = view.open({ start: 42, end: 47 });
    await expect.poll(() => rows(view, 40, 44)).toBe('40 41 42 43');
    expect(feed.asked).toEqual(['limit=10&offset=40']);
    range.close();
  });

  it('keeps each of several pages that arrive while another request is in flight', async () => {
    const sized = byOffset({ param: 'offset', limit: 'limit', total: 'total' });
    const { controller, Posts } = open(sized);
    let release = (): void => {};
    const held = new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
    feed.before = (query) => (query.has('tag') ? held : undefined);
    const slow = controller.fetch(Posts.getList, { tag: 'x' });
    const view = windowed(controller, Posts.getList, { limit: 10 });
    const range = view.open({ start: 5, end: 35 });
    await settled(view, 5, 35);
    release();
    await slow;
    expect(rows(view, 28, 32)).toBe('28 29 30 31');
    expect(feed.asked).toHaveLength(5);
    range.close();
  });

  it('refuses cursors, links and endpoints without pagination', () => {
    for (const style of [byCursor({ param: 'cursor', next: 'next' }), byLink({ params: ['page'] })])
      expect(() => open(style)).toThrow(expect.objectContaining({ code: 'no-pagination' }));
  });

  it('refuses a pagination without a total, and reports a response without one', async () => {
    expect(() => open(byOffset({ param: 'offset' }))).toThrow(
      expect.objectContaining({ code: 'window-without-total' }),
    );
    const { view } = open(byOffset({ param: 'offset', total: 'meta.count' }));
    const range = view.open({ start: 0, end: 3 });
    await expect
      .poll(() => listOf(view).errorAt(0))
      .toMatchObject({ code: 'window-without-total' });
    expect(feed.asked).toHaveLength(1);
    range.close();
  });
});

it('a delete of the last row leaves the pages of a range behind the end as they are until it settles', async () => {
  feed.rows = ['r0', 'r1', 'r2', 'r3'].map((id) => ({ id, title: id }));
  const { controller, Posts, view } = open(offsets);
  let count = 0;
  view.subscribe(() => {
    count += 1;
    view.getSnapshot();
  });
  view.open({ start: 5, end: 7, keep: 1 });
  await settled(view, 3, 4);
  const before = count;
  await controller.fetch(Posts.delete, { id: 'r3' });
  await expect.poll(() => listOf(view).length).toBe(3);
  expect(count - before).toBeLessThan(20);
});

describe('a windowed list whose pages overlap with creates and deletes', () => {
  const sized = byOffset({ param: 'offset', limit: 'limit', total: 'total' });

  /** A delete that the server has carried out, and whose response waits. */
  function slowDelete({ Posts }: ReturnType<typeof open>) {
    let respond = (): void => {};
    const held = new Promise<void>((resolve) => (respond = resolve));
    const fetch = async ({ id }: { id: string }): Promise<object> => {
      feed.rows = feed.rows.filter((row) => row.id !== id);
      await held;
      return { id };
    };
    return {
      endpoint: Posts.delete.extend({ fetch }),
      notOptimistic: Posts.delete.extend({ fetch, getOptimisticResponse: undefined }),
      respond: () => respond(),
    };
  }

  it('drops the pages that were in flight together with a delete once the range has left them', async () => {
    feed.rows = feed.rows.slice(0, 10);
    const opened = open(sized);
    const { controller, Posts } = opened;
    const view = windowed(controller, Posts.getList, { limit: 2 });
    view.subscribe(() => {});
    const range = view.open({ start: 0, end: 4, keep: 3 });
    await settled(view, 0, 4);
    const waiting = new Map<string | null, () => void>();
    feed.before = (query) =>
      new Promise((resolve) => waiting.set(query.get('offset'), () => resolve(undefined)));
    const answer = async (offset: string | null): Promise<void> => {
      await expect.poll(() => waiting.has(offset)).toBe(true);
      waiting.get(offset)?.();
      waiting.delete(offset);
    };
    for (const [start, end, offset] of [
      [8, 13, '8'],
      [5, 7, '6'],
      [0, 1, null],
    ] as const) {
      range.move({ start, end, keep: 3 });
      await expect.poll(() => waiting.has(offset)).toBe(true);
    }
    await answer(null);
    await answer('4');
    await expect.poll(() => rows(view, 0, 2)).toBe('0 1');
    const slow = slowDelete(opened);
    const remove = controller.fetch(slow.notOptimistic, { id: 'r1' });
    await answer('8');
    await answer('6');
    // The server read them without the row that the list still has.
    await expect.poll(() => rows(view, 6, 9)).toBe('7 8 9');
    feed.before = () => undefined;
    slow.respond();
    await remove;
    await expect.poll(() => listOf(view).length).toBe(9);
    range.move({ start: 4, end: 8, keep: 3 });
    await expect.poll(() => rows(view, 4, 8)).toBe('5 6 7 8');
    range.close();
  });

  it('reads its range again after a delete of a temporary row was taken back', async () => {
    const { controller, Posts, view } = open(offsets);
    const range = view.open({ start: 0, end: 3 });
    await controller.fetch(Posts.getList);
    await settled(view, 0, 3);
    const named = { id: 'rA', title: 'A' };
    let respond = (): void => {};
    const held = new Promise<void>((resolve) => (respond = resolve));
    const unshift = Posts.getList.unshift.extend({
      fetch: async () => {
        feed.rows = [named, ...feed.rows];
        await held;
        return named;
      },
    });
    const create = controller.fetch(unshift, {}, { title: 'A' });
    const [temporary] = controller.getResponse(Posts.getList)?.results ?? [];
    const remove = controller.fetch(undoable(Posts.delete), { id: temporary?.id ?? '' });
    respond();
    await create;
    await expect.poll(() => rows(view, 0, 3)).toBe('0 1 2');
    remove.cancel();
    await expect(remove).rejects.toThrow();
    await expect.poll(() => rows(view, 0, 3)).toBe('A 0 1');
    expect(listOf(view).length).toBe(61);
    range.close();
  });

  it('shows each row at its index after two deletes and a move of the range meanwhile', async () => {
    const opened = open(offsets);
    const { controller, Posts, view } = opened;
    feed.rows = feed.rows.slice(0, 9);
    view.subscribe(() => {});
    const range = view.open({ start: 0, end: 3 });
    await settled(view, 0, 3);
    const later = controller.fetch(undoable(Posts.delete), { id: 'r0' });
    await expect.poll(() => rows(view, 0, 2)).toBe('1 2');
    const slow = slowDelete(opened);
    const remove = controller.fetch(slow.endpoint, { id: 'r1' });
    range.move({ start: 5, end: 8 });
    await expect.poll(() => rows(view, 4, 6)).toBe('7 8');
    slow.respond();
    await remove;
    await flushUndoable(controller);
    await later;
    await expect.poll(() => rows(view, 5, 7)).toBe('7 8');
    range.move({ start: 1, end: 2 });
    await expect.poll(() => rows(view, 1, 2)).toBe('3');
    range.move({ start: 0, end: 7 });
    await expect.poll(() => rows(view, 0, 7)).toBe('2 3 4 5 6 7 8');
    range.close();
  });

  it.each([true, false])(
    'reads each page of the range once after a delete of a row that is not loaded, optimistic: %s',
    async (optimistic) => {
      const { controller, Posts, view } = open(offsets);
      view.subscribe(() => {});
      const range = view.open({ start: 7, end: 11 });
      await settled(view, 7, 11);
      feed.asked.length = 0;
      const remove = optimistic
        ? Posts.delete
        : Posts.delete.extend({ getOptimisticResponse: undefined });
      await controller.fetch(remove, { id: 'r40' });
      await expect.poll(() => listOf(view).length).toBe(59);
      await controller.fetch(Posts.getList.unshift, {}, { id: 'rA', title: 'A' });
      await expect.poll(() => rows(view, 7, 11)).toBe('6 7 8 9');
      const pages = ['offset=6', 'offset=9'];
      expect(feed.asked).toEqual([...pages, ...pages]);
      range.close();
    },
  );

  it('keeps the loaded pages after a delete of a loaded row', async () => {
    const { controller, Posts, view } = open(offsets);
    const range = view.open({ start: 0, end: 6 });
    await settled(view, 0, 6);
    range.move({ start: 0, end: 2 });
    feed.asked.length = 0;
    await controller.fetch(Posts.delete, { id: 'r0' });
    await expect.poll(() => rows(view, 0, 6)).toBe('1 2 3 4 5 _');
    expect(feed.asked).toEqual([]);
    range.close();
  });

  it('loads a page again whose response is older than the invalidation of the list', async () => {
    const { controller, Posts, view } = open(numbers);
    feed.rows = feed.rows.slice(0, 6);
    const range = view.open({ start: 0, end: 6 });
    view.subscribe(() => {});
    await settled(view, 0, 6);
    let release = (): void => {};
    feed.before = (query) =>
      query.get('page') === '2'
        ? new Promise((resolve) => (release = () => resolve(undefined)))
        : undefined;
    controller.expireAll(Posts.getList);
    await expect.poll(() => feed.asked.length).toBe(4);
    feed.before = () => undefined;
    void controller.invalidate(Posts.getList, {});
    await expect.poll(() => rows(view, 0, 3)).toBe('0 1 2');
    release();
    await expect.poll(() => rows(view, 0, 6)).toBe('0 1 2 3 4 5');
    range.close();
  });
});

it('places the pages of an invalidated windowed list when the first page has told the page size', async () => {
  feed.rows = feed.rows.slice(0, 9);
  const { controller, Posts, view } = open(numbers);
  view.subscribe(() => {});
  const range = view.open({ start: 0, end: 3 });
  await settled(view, 0, 3);
  const waiting: (() => void)[] = [];
  feed.before = (query) =>
    query.get('page') === '3'
      ? new Promise((resolve) => waiting.push(() => resolve(undefined)))
      : undefined;
  range.move({ start: 6, end: 9 });
  await expect.poll(() => waiting.length).toBe(1);
  void controller.invalidateAll(Posts.getList);
  await expect.poll(() => waiting.length).toBe(2);
  await expect.poll(() => rows(view, 0, 3)).toBe('0 1 2');
  feed.before = () => undefined;
  waiting.forEach((respond) => respond());
  await expect.poll(() => rows(view, 0, 9)).toBe('0 1 2 _ _ _ 6 7 8');
  range.close();
});

describe('a windowed list of a server whose total is wrong', () => {
  it('asks for a missing row a few times, and then has an error', async () => {
    feed.rows = feed.rows.slice(0, 4);
    const { view } = open(byOffset({ param: 'offset', total: () => 6 }));
    const range = view.open({ start: 0, end: 6 });
    await expect.poll(() => listOf(view).errorAt(5)).toMatchObject({ code: 'window-without-row' });
    expect(rows(view, 0, 6)).toBe('0 1 2 3 _ _');
    expect(listOf(view).isLoading(5)).toBe(false);
    expect(listOf(view).errorAt(2)).toBeUndefined();
    expect(feed.asked).toHaveLength(6);
    feed.rows = [...feed.rows, { id: 'r4', title: '4' }, { id: 'r5', title: '5' }];
    await listOf(view).refresh();
    expect(rows(view, 0, 6)).toBe('0 1 2 3 4 5');
    expect(listOf(view).errorAt(5)).toBeUndefined();
    range.close();
  });

  it('comes to rest if its responses come from two copies that differ by a row', async () => {
    let count = 0;
    feed.rows = feed.rows.slice(0, 12);
    feed.before = () => {
      count += 1;
      feed.rows =
        count % 2 === 0
          ? feed.rows.slice(0, 11)
          : [...feed.rows.slice(0, 11), { id: 'rZ', title: '' }];
      return undefined;
    };
    const { view } = open(offsets);
    const range = view.open({ start: 0, end: 12 });
    view.subscribe(() => {});
    await settled(view, 0, 12);
    const before = count;
    await listOf(view).refresh();
    await settled(view, 0, 12);
    expect(count - before).toBeLessThan(20);
    range.close();
  });
});

it('after a refresh, a windowed list loads the pages outside of its range when the range comes to them', async () => {
  const { view } = open(offsets);
  const range = view.open({ start: 0, end: 6 });
  await settled(view, 0, 6);
  range.move({ start: 0, end: 3 });
  feed.rows = [{ id: 'rA', title: 'A' }, ...feed.rows];
  await listOf(view).refresh();
  expect(rows(view, 0, 6)).toBe('A 0 1 _ _ _');
  range.move({ start: 0, end: 6 });
  await expect.poll(() => rows(view, 0, 6)).toBe('A 0 1 2 3 4');
  range.close();
});
