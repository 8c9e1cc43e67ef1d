/** Windowed lists whose pages failed, were superseded, or lacked a row, and what ends that. */
import {
  byOffset,
  Collection,
  Controller,
  Entity,
  resource,
  windowed,
  type SparseList,
} from 'restitch';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Feed, numberedPage, startFeed } from '../infinite/feed.js';
import { settle } from '../support/clock.js';
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
  feed.rows = Array.from({ length: 12 }, (_, index) => ({ id: `r${index}`, title: `${index}` }));
  feed.asked.length = 0;
  feed.before = () => undefined;
});
afterAll(() => feed.server.close());

/** The first rows of the server. */
const first = (count: number): string => {
  const ids = feed.rows.slice(0, count).map(({ id }) => id);
  return ids.join(' ').replaceAll('r', '');
};

/** Without `limit`, the page size is known from the first page only. */
function open(args: { limit?: number } = {}, total: string | (() => number) = 'total') {
  const time = { now: 1e12 };
  const environment = { now: () => time.now };
  const controller = new Controller({ onError: () => {}, environment });
  const Posts = resource({
    urlPrefix: feed.server.origin,
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as { limit?: number },
    nonFilterArgumentKeys: ['limit'],
    optimistic: true,
    pagination: byOffset({ param: 'offset', limit: 'limit', total }),
  }).extend('getList', { schema: { results: new Collection([Post]), total: 0 } });
  const view = windowed(controller, Posts.getList, args);
  view.subscribe(() => {});
  const list = (): SparseList<{ readonly id?: string }> => readyData(view);
  /** The rows from one index to another; `_` stands for one that is not loaded. */
  const rows = (start: number, end: number): string =>
    Array.from({ length: end - start }, (_, index) => list().at(start + index)?.id ?? '_')
      .join(' ')
      .replaceAll('r', '');
  let created = 0;
  const create = () =>
    controller.fetch(Posts.getList.unshift, args, { id: `rN${(created += 1)}`, title: '' });
  const invalidate = () => void controller.invalidate(Posts.getList, args).catch(() => {});
  const expireStale = () => {
    time.now += 100_000;
    controller.expireStale();
  };
  return { controller, Posts, view, list, rows, create, invalidate, expireStale };
}
type Opened = ReturnType<typeof open>;

const EVENTS: readonly (readonly [name: string, act: (opened: Opened) => unknown])[] = [
  ['expireAll', ({ controller, Posts }) => controller.expireAll(Posts.getList)],
  ['expireStale', ({ expireStale }) => expireStale()],
  ['invalidate', ({ invalidate }) => invalidate()],
  ['invalidateAll', ({ controller, Posts }) => void controller.invalidateAll(Posts.getList)],
  ['a reset', ({ controller }) => controller.resetEntireStore()],
  ['a create', ({ create }) => create()],
  ['a delete', ({ controller, Posts }) => controller.fetch(Posts.delete, { id: 'r11' })],
];

describe.each([[{}], [{ limit: 3 }]])('a windowed list with the arguments %j', (args) => {
  it.each(EVENTS)('whose first page failed loads again after %s', async (_, act) => {
    const opened = open(args);
    feed.before = () => 500;
    const range = opened.view.open({ start: 0, end: 3 });
    await expect.poll(() => opened.list().errorAt(0)?.message).toContain('500');
    expect(feed.asked).toHaveLength(1);
    feed.before = () => undefined;
    await act(opened);
    await expect.poll(() => opened.rows(0, 3)).toBe(first(3));
    expect(opened.list().errorAt(0)).toBeUndefined();
    expect(feed.asked).toHaveLength(2);
    range.close();
  });

  it('whose first page failed has its error again if it fails once more', async () => {
    const opened = open(args);
    feed.before = () => 500;
    const range = opened.view.open({ start: 0, end: 3 });
    for (let count = 1; count < 9; count += 1) {
      await expect.poll(() => opened.list().errorAt(0)?.message).toContain('500');
      expect(feed.asked).toHaveLength(count);
      await EVENTS[count % EVENTS.length]?.[1](opened);
      await expect.poll(() => feed.asked.length).toBe(count + 1);
    }
    range.close();
  });

  it('whose first page failed loads when the range jumps away and back', async () => {
    const { view, list, rows } = open(args);
    feed.before = () => 500;
    const range = view.open({ start: 0, end: 3 });
    await expect.poll(() => list().errorAt(0)?.message).toContain('500');
    range.move({ start: 6, end: 9 });
    await expect.poll(() => feed.asked.length).toBe(2);
    await expect.poll(() => list().errorAt(6)?.message).toContain('500');
    range.move({ start: 7, end: 9 });
    feed.before = () => undefined;
    range.move({ start: 0, end: 3 });
    await expect.poll(() => rows(0, 3)).toBe('0 1 2');
    expect(feed.asked).toHaveLength(3);
    range.close();
  });

  it('whose page failed before an older response loads when the range jumps away and back', async () => {
    const { view, list, rows, create } = open(args);
    const ends: ((status?: number) => void)[] = [];
    feed.before = () => new Promise<number | undefined>((resolve) => ends.push(resolve));
    const range = view.open({ start: 0, end: 3 });
    await expect.poll(() => ends.length).toBe(1);
    await create();
    await expect.poll(() => ends.length).toBe(2);
    ends[1]?.(500);
    await expect.poll(() => list().errorAt(0)?.message).toContain('500');
    ends[0]?.();
    await expect.poll(() => list().length).toBe(13);
    feed.before = () => undefined;
    range.move({ start: 6, end: 9 });
    await expect.poll(() => rows(6, 9)).toBe('5 6 7');
    range.move({ start: 0, end: 3 });
    await expect.poll(() => rows(0, 3)).toBe('N1 0 1');
    expect(feed.asked).toHaveLength(4);
    range.close();
  });

  it('whose last range closes after a create drops the rows of a page that then fails', async () => {
    const { view, rows, create } = open(args);
    const range = view.open({ start: 0, end: 3 });
    await expect.poll(() => rows(0, 3)).toBe('0 1 2');
    let end = (_?: number): void => {};
    feed.before = () => new Promise<number | undefined>((resolve) => (end = resolve));
    await create();
    await expect.poll(() => feed.asked.length).toBe(2);
    range.close();
    end(500);
    await expect.poll(() => rows(0, 3)).toBe('_ _ _');
    feed.before = () => undefined;
    const again = view.open({ start: 0, end: 3 });
    await expect.poll(() => rows(0, 3)).toBe('N1 0 1');
    again.close();
  });

  it.each(EVENTS)('of which another page failed loads it again after %s', async (_, act) => {
    const opened = open(args);
    feed.before = (query) => (query.get('offset') === '3' ? 500 : undefined);
    const range = opened.view.open({ start: 0, end: 6 });
    await expect.poll(() => opened.list().errorAt(3)?.message).toContain('500');
    await expect.poll(() => opened.rows(0, 6)).toBe('0 1 2 _ _ _');
    feed.before = () => undefined;
    await act(opened);
    await expect.poll(() => opened.rows(0, 6)).toBe(first(6));
    range.close();
  });

  it('loads after any number of resets before the first response', async () => {
    const { controller, view, rows } = open(args);
    feed.before = () => new Promise(() => {});
    const range = view.open({ start: 0, end: 3 });
    for (let count = 1; count < 9; count += 1) {
      await expect.poll(() => feed.asked.length).toBe(count);
      controller.resetEntireStore();
    }
    feed.before = () => undefined;
    controller.resetEntireStore();
    await expect.poll(() => rows(0, 3)).toBe('0 1 2');
    range.close();
  });

  it('loads after any number of invalidations between a create and the response', async () => {
    const { view, list, rows, create, invalidate } = open(args);
    const range = view.open({ start: 0, end: 3 });
    await expect.poll(() => rows(0, 3)).toBe('0 1 2');
    for (let count = 1; count < 9; count += 1) {
      const before = feed.asked.length;
      await create();
      await expect.poll(() => feed.asked.length).toBeGreaterThan(before);
      invalidate();
    }
    await expect.poll(() => rows(0, 3)).toBe('N8 N7 N6');
    expect(list().errorAt(0)).toBeUndefined();
    range.close();
  });

  it('loads after many creates, each while the visible page is loading', async () => {
    const { view, list, rows, create } = open(args);
    const range = view.open({ start: 0, end: 3 });
    await expect.poll(() => rows(0, 3)).toBe('0 1 2');
    const waiting: (() => void)[] = [];
    const hold = () => new Promise<undefined>((resolve) => waiting.push(() => resolve(undefined)));
    feed.before = hold;
    for (let count = 1; count < 9; count += 1) {
      await create();
      await expect.poll(() => waiting.length).toBe(count);
      waiting[count - 2]?.();
    }
    feed.before = () => undefined;
    waiting.at(-1)?.();
    await expect.poll(() => rows(0, 3)).toBe('N8 N7 N6');
    expect(list().length).toBe(20);
    expect(list().errorAt(0)).toBeUndefined();
    range.close();
  });

  it('looks for a missing row again after each create, a few times', async () => {
    const { view, list, rows, create } = open(args, () => 14);
    const range = view.open({ start: 9, end: 14 });
    await expect.poll(() => list().errorAt(13)?.message).toContain('total');
    await create();
    await expect.poll(() => rows(9, 14)).toBe('8 9 10 11 _');
    await expect.poll(() => list().errorAt(13)?.message).toContain('total');
    await create();
    await expect.poll(() => rows(9, 14)).toBe('7 8 9 10 11');
    expect(list().errorAt(13)).toBeUndefined();
    expect(feed.asked.length).toBeLessThan(30);
    range.close();
  });
});

it('a windowed list is not loaded again after a mutation that contains its rows and adds another row', async () => {
  class Note extends Entity {
    id = '';
    static override key = 'Note';
  }
  const { controller, Posts, rows, view } = open({ limit: 3 });
  const notes = new Collection([Note]);
  const annotate = Posts.update.extend({
    schema: { post: Post, note: notes.push },
    fetch: () => Promise.resolve({ post: { id: 'r0', title: 'noted' }, note: { id: 'n' } }),
  });
  const range = view.open({ start: 0, end: 3 });
  await expect.poll(() => rows(0, 3)).toBe(first(3));
  await controller.fetch(annotate, { id: 'r0' }, {});
  await settle();
  expect(feed.asked).toEqual(['limit=3']);
  range.close();
});
