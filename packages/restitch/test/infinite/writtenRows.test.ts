/** Infinite lists whose rows `controller.set` or an optimistic update replaces, for example in another order. */
import {
  byCursor,
  byLink,
  byOffset,
  byPage,
  Collection,
  Controller,
  infinite,
  type Pagination,
  resource,
  RestEndpoint,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import { readyData } from '../support/readyData.js';
import { HidingPost, type Paging, PagingWorld } from './pagingWorld.js';

const cursor = { param: 'cursor', next: 'next', previousParam: 'before', previous: 'previous' };
const styles: [Paging['style'], Pagination][] = [
  ['page', byPage({ param: 'page', total: 'total' })],
  ['offset', byOffset({ param: 'offset', total: 'total' })],
  ['cursor', byCursor({ ...cursor, total: 'total' })],
  ['link', byLink({ params: ['cursor'], total: 'total' })],
];
const cases = styles.flatMap(([style, pagination]) =>
  [1, 2].map((pages) => [style, pages, pagination] as const),
);

/** The list has nine rows and pages of three rows. */
async function open(
  style: Paging['style'],
  pages: number,
  pagination: Pagination,
  chat?: Paging['chat'],
) {
  const world = new PagingWorld({ style, size: 3, hasTotal: true, chat }, 9);
  const controller = new Controller();
  // As in the guide: another endpoint changes the order of the same list.
  const posts = new Collection([HidingPost], { name: 'posts', argsKey: () => ({}) });
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: HidingPost,
    send: world.send,
    pagination,
  }).extend('getList', {
    schema: {
      results: posts,
      total: 0,
      next: null as string | null,
      previous: null as string | null,
    },
  });
  const reorder = new RestEndpoint({
    urlPrefix: 'http://x',
    path: '/posts/order/act',
    method: 'POST',
    body: {} as { readonly ids: readonly string[] },
    schema: posts,
    send: world.send,
    getOptimisticResponse: (_, { ids: order }) => order.map((id) => ({ id })),
  });
  const view = infinite(controller, Posts.getList);
  view.subscribe(() => {
    if (view.needsLoad(true)) void view.load();
  });
  const list = () => readyData(view);
  const ids = (): string =>
    list()
      .items.map(({ id }) => id)
      .join(' ');
  const rows = (): string => world.rows.map(({ id }) => id).join(' ');
  const write = (order: readonly string[], schema = Posts.getList.schema.results): void =>
    controller.set(
      schema,
      {},
      order.map((id) => ({ id })),
    );
  const { quiet } = world;
  const loadAll = async (): Promise<void> => {
    while (list().hasNext && !list().nextError) {
      void view.loadNext();
      await quiet();
    }
  };
  void view.load();
  await quiet();
  for (let page = 1; page < pages; page += 1) {
    void view.loadNext();
    await quiet();
  }
  const loaded = list().items.map(({ id }) => id);
  const opened = { world, controller, posts, Posts, view, list, ids, rows, write, quiet, loadAll };
  return { ...opened, reorder, loaded, reversed: [...loaded].reverse() };
}

describe.each(cases)('an infinite list by %s with %i loaded pages', (style, pages, pagination) => {
  it('keeps its pages if `controller.set` writes its rows in another order', async () => {
    const { world, view, list, ids, rows, write, quiet, loadAll, reversed } = await open(
      style,
      pages,
      pagination,
    );
    write(reversed);
    expect(ids()).toBe(reversed.join(' '));
    expect(list()).toMatchObject({ hasNext: true, total: 9 });
    const { sent } = world;
    void view.loadNext();
    await quiet();
    expect(world.sent).toBe(sent + 1);
    expect(list().items).toHaveLength(pages * 3 + 3);
    await loadAll();
    const rest = rows()
      .split(' ')
      .slice(pages * 3);
    expect(ids()).toBe([...reversed, ...rest].join(' '));
    void view.refresh('loaded');
    await quiet();
    expect(ids()).toBe(rows());
  });

  it('keeps its pages if a write names the list by a collection without pagination', async () => {
    const { posts, list, ids, rows, write, loadAll, reversed } = await open(
      style,
      pages,
      pagination,
    );
    write(reversed, posts as never);
    expect(list()).toMatchObject({ hasNext: true, total: 9 });
    await loadAll();
    const rest = rows()
      .split(' ')
      .slice(pages * 3);
    expect(ids()).toBe([...reversed, ...rest].join(' '));
  });

  it('keeps its pages if the last page is loaded', async () => {
    const { list, ids, write, loadAll } = await open(style, pages, pagination);
    await loadAll();
    write(['9', '8', '7', '6', '5', '4', '3', '2', '1']);
    expect(ids()).toBe('9 8 7 6 5 4 3 2 1');
    expect(list()).toMatchObject({ hasNext: false, total: 9 });
  });

  it('skips no row if a write removes a row that was deleted', async () => {
    const { world, list, ids, rows, write, loadAll, loaded } = await open(style, pages, pagination);
    world.delete('2');
    write(loaded.filter((id) => id !== '2'));
    expect(list()).toMatchObject({ hasNext: true, total: 8 });
    await loadAll();
    expect(ids()).toBe(rows());
  });

  it('skips no row if a write adds a row that was created at the start', async () => {
    const { world, list, ids, rows, write, loadAll, loaded } = await open(style, pages, pagination);
    const { id } = world.add('start');
    write([id, ...loaded]);
    expect(list()).toMatchObject({ hasNext: true, total: 10 });
    await loadAll();
    expect(ids()).toBe(rows());
  });

  it('keeps a row at the end that the client created', async () => {
    const { controller, Posts, ids, rows, write, quiet, loadAll, reversed } = await open(
      style,
      pages,
      pagination,
    );
    void controller.fetch(Posts.getList.push, { side: 'end' });
    await quiet();
    write([...reversed, '10']);
    expect(ids()).toBe([...reversed, '10'].join(' '));
    await loadAll();
    expect(ids().split(' ').sort()).toEqual(rows().split(' ').sort());
    expect(ids()).toMatch(/ 9 10$/);
  });

  it.each([false, true])(
    'keeps its pages if an optimistic update changes the order of its rows, answered: %s',
    async (isAnswered) => {
      const { world, controller, list, ids, rows, reorder, loadAll, reversed } = await open(
        style,
        pages,
        pagination,
      );
      const saving = controller.fetch(reorder, { ids: reversed });
      await settle();
      const answer = async (): Promise<void> => {
        await world.quiet();
        await saving;
      };
      if (isAnswered) await answer();
      expect(ids()).toBe(reversed.join(' '));
      expect(list()).toMatchObject({ hasNext: true, total: 9 });
      await loadAll();
      await answer();
      await loadAll();
      // A page that arrives before the response can make the list load again, in the server's order.
      expect(ids().split(' ').sort()).toEqual(rows().split(' ').sort());
      expect(list().hasNext).toBe(false);
    },
  );
});

it('a chat keeps its previous pages if `controller.set` writes its rows', async () => {
  const { view, list, ids, write, quiet, reversed } = await open(
    'cursor',
    1,
    byCursor(cursor),
    'linked',
  );
  write(reversed);
  expect(list()).toMatchObject({ hasPrevious: true, hasNext: false });
  void view.loadPrevious();
  await quiet();
  expect(ids()).toBe('4 5 6 9 8 7');
});

it('an unknown list whose rows `controller.set` wrote loads its first page next', async () => {
  const world = new PagingWorld({ style: 'cursor', size: 3, hasTotal: false }, 9);
  const controller = new Controller();
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: HidingPost,
    send: world.send,
    pagination: byCursor(cursor),
  }).extend('getList', {
    schema: { results: new Collection([HidingPost]), next: null as string | null },
  });
  controller.set(Posts.getList.schema.results, {}, [{ id: '1' }, { id: '2' }]);
  const view = infinite(controller, Posts.getList);
  view.subscribe(() => {});
  void view.load();
  await world.quiet();
  expect(readyData(view)).toMatchObject({ hasNext: true, items: { length: 3 } });
});
