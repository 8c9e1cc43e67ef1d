/** Infinite lists whose first rows another endpoint sends, for example a record with its first comments. */
import {
  byCursor,
  byLink,
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  infinite,
  type Pagination,
  resource,
  RestEndpoint,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { readyData } from '../support/readyData.js';

class Comment extends Entity {
  id = '';
}
const comments = new Collection([Comment], {
  name: 'comments',
  nestKey: (post: { id: string }) => ({ post: post.id }),
  argsKey: ({ post }: { post: string }) => ({ post }),
});
class Post extends Entity {
  id = '';
  title = '';
  thread: { comments: Comment[] } = { comments: [] };
  static override schema = { thread: { comments } };
}
const nested = new Collection([Post]);

const cases: [string, Pagination][] = [
  ['page', byPage({ param: 'page', total: 'total' })],
  ['offset', byOffset({ param: 'offset', total: 'total' })],
  ['cursor', byCursor({ param: 'cursor', next: 'next' })],
  ['link', byLink({ params: ['cursor'] })],
];

const SIZE = 2;

async function open(pagination: Pagination, pages: number) {
  const asked: string[] = [];
  const world = { rows: ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7'], top: SIZE };
  const recordsOf = (ids: readonly string[]) => ids.map((id) => ({ id }));
  const post = () => {
    const first = recordsOf(world.rows.slice(0, world.top));
    return { id: 'p1', title: 'Hello', thread: { comments: first } };
  };
  const pageOf = (query: URLSearchParams): Response => {
    const cursor = query.get('cursor');
    const page = Number(query.get('page') ?? 1) - 1;
    const index = cursor === null ? page * SIZE : world.rows.findIndex((id) => id > cursor);
    const start = Number(query.get('offset') ?? index);
    const end = start + SIZE;
    const next = end < world.rows.length ? world.rows[end - 1] : null;
    const link = next === null ? '' : `<http://x/posts/p1/comments?cursor=${next}>; rel="next"`;
    return Response.json(
      { comments: recordsOf(world.rows.slice(start, end)), total: world.rows.length, next },
      { headers: { link } },
    );
  };
  const send = async (input: string): Promise<Response> => {
    const { pathname, searchParams, search } = new URL(input);
    const path = pathname.replace('/posts', '');
    asked.push(path + search);
    if (path === '/p1/comments') return pageOf(searchParams);
    return Response.json(path === '/p1' ? post() : path === '' ? [post()] : post().thread.comments);
  };
  const shared = { urlPrefix: 'http://x', send };
  const Posts = resource({ ...shared, path: '/posts/:id', schema: Post }).extend('getList', {
    schema: nested,
  });
  const Comments = resource({
    ...shared,
    path: '/posts/:post/comments/:id',
    schema: Comment,
    pagination,
  }).extend('getList', { schema: { comments, next: null as string | null, total: 0 } });
  const top = { ...shared, path: '/posts/:post/top', schema: comments } as const;
  const getTop = new RestEndpoint(top);
  const sort = new RestEndpoint({ ...top, method: 'POST', body: undefined });
  const controller = new Controller();
  const args = { post: 'p1' };
  const predicted = sort.extend({
    getOptimisticResponse: () => recordsOf(world.rows.slice(0, world.top)),
  });
  const ways = {
    'a read': () => controller.fetch(getTop, args),
    'a mutation': () => controller.fetch(sort, args),
    'a predicted mutation': () => controller.fetch(predicted, args),
    'a record': () => controller.fetch(Posts.get, { id: 'p1' }),
    'a list of records': () => controller.fetch(Posts.getList),
    'an edit of the record': () => controller.fetch(Posts.partialUpdate, { id: 'p1' }, {}),
    'a written record': async () => controller.set(Post, { id: 'p1' }, post()),
  };
  const view = infinite(controller, Comments.getList, args);
  view.subscribe(() => {
    if (view.needsLoad(true)) void view.load();
  });
  await view.load();
  for (let page = 1; page < pages; page += 1) await view.loadNext();
  asked.length = 0;
  const list = () => readyData(view);
  const ids = (): string[] => list().items.map(({ id }) => id);
  const loadAll = async (): Promise<void> => {
    for (let count = 0; list().hasNext; count += 1) {
      expect(count).toBeLessThan(9);
      await view.loadNext();
    }
  };
  return { world, view, list, ids, ways, asked, loadAll };
}

type Way = keyof Awaited<ReturnType<typeof open>>['ways'];
const ways: Way[] = [
  'a read',
  'a mutation',
  'a predicted mutation',
  'a record',
  'a list of records',
  'an edit of the record',
  'a written record',
];

describe.each(cases)('an infinite list by %s whose first rows come from', (_, pagination) => {
  describe.each(ways)('%s', (way) => {
    it.each([1, 2, 3])('keeps its %i loaded pages if its first page is the same', async (pages) => {
      const { world, ids, ways: send, asked, loadAll } = await open(pagination, pages);
      const before = ids();
      await send[way]();
      expect(ids()).toEqual(before);
      asked.length = 0;
      await loadAll();
      expect(ids()).toEqual(world.rows);
      // No page is requested twice.
      expect(asked).toHaveLength(4 - pages);
    });

    it.each([1, 2, 3])('loads all rows after new rows before its %i pages', async (pages) => {
      const { world, view, ids, ways: send, loadAll } = await open(pagination, pages);
      world.rows = ['c0', ...world.rows];
      world.top = SIZE + 1;
      await send[way]();
      expect(ids().slice(0, 3)).toEqual(['c0', 'c1', 'c2']);
      await loadAll();
      expect(ids()).toEqual(world.rows);
      await view.refresh();
      await loadAll();
      expect(ids()).toEqual(world.rows);
    });

    it.each([1, 2, 3])('starts its %i pages again if rows may be missing', async (pages) => {
      const { world, view, ids, list, ways: send, loadAll } = await open(pagination, pages);
      world.rows = ['b8', 'b9', ...world.rows];
      await send[way]();
      expect(ids()).toEqual(['b8', 'b9']);
      expect(list().hasNext).toBe(true);
      await loadAll();
      expect(ids()).toEqual(world.rows);
      await view.refresh('loaded');
      expect(ids()).toEqual(world.rows);
      expect(list().hasNext).toBe(false);
    });

    it.each([1, 2, 3])('has all rows if the response contains the whole list', async (pages) => {
      const { world, ids, list, ways: send, loadAll } = await open(pagination, pages);
      world.top = 9;
      await send[way]();
      expect(ids()).toEqual(world.rows);
      await loadAll();
      expect(ids()).toEqual(world.rows);
      expect(list().gapAfter).toBe(undefined);
    });
  });
});

describe('an infinite list with `maxPages` whose first rows come from another endpoint', () => {
  it('starts again if it has dropped its first page', async () => {
    const pagination = byOffset({ param: 'offset', total: 'total', maxPages: 2 });
    const { world, view, ids, list, ways: send } = await open(pagination, 3);
    expect(ids()).toEqual(['c3', 'c4', 'c5', 'c6']);
    world.top = 4;
    await send['a read']();
    expect(ids()).toEqual(['c1', 'c2', 'c3', 'c4']);
    const seen = new Set<string>();
    while (list().hasNext) {
      await view.loadNext();
      ids().forEach((id) => seen.add(id));
    }
    expect([...seen].sort()).toEqual(world.rows);
    expect(list().firstIndex).toBe(4);
  });
});
