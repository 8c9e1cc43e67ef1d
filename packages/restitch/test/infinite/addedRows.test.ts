/** Rows that a create, a move or a message of a stream added at the end of a list whose last page is not loaded. */
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

const styles: [Paging['style'], Pagination][] = [
  ['page', byPage({ param: 'page', total: 'total' })],
  ['offset', byOffset({ param: 'offset', total: 'total' })],
  ['cursor', byCursor({ param: 'cursor', next: 'next' })],
  ['link', byLink({ params: ['cursor'] })],
];
const cases = styles.flatMap(([style, pagination]) =>
  [1, 2].map((pages) => [style, pages, pagination] as const),
);

/** The list has nine rows and pages of three rows. The row 10 is created at the end. */
async function open(style: Paging['style'], pages: number, pagination: Pagination) {
  const world = new PagingWorld({ style, size: 3, hasTotal: true }, 9);
  const controller = new Controller();
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: HidingPost,
    send: world.send,
    pagination,
  }).extend('getList', {
    schema: { results: new Collection([HidingPost]), total: 0, next: null as string | null },
  });
  const act = new RestEndpoint({
    urlPrefix: 'http://x',
    path: '/posts/:id/act',
    method: 'POST',
    body: undefined,
    schema: HidingPost,
    send: world.send,
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
  const rows = (): string[] => world.rows.map(({ id }) => id);
  const { quiet } = world;
  void view.load();
  await quiet();
  for (let page = 1; page < pages; page += 1) {
    void view.loadNext();
    await quiet();
  }
  const loaded = ids();
  const push = (): void => void controller.fetch(Posts.getList.push, { side: 'end' });
  const loadAll = async (): Promise<void> => {
    while (list().hasNext && !list().nextError) {
      void view.loadNext();
      await quiet();
    }
  };
  const causes = {
    'an action without a response': () => void controller.fetch(act, { id: '10' }),
    expireAll: () => controller.expireAll(Posts.getList),
    "refresh('loaded')": () => void view.refresh('loaded'),
  };
  const opened = { world, controller, Posts, view, list, ids, rows, quiet, loaded };
  return { ...opened, push, loadAll, causes };
}

const causes = ['an action without a response', 'expireAll', "refresh('loaded')"] as const;

describe.each(cases)('an infinite list by %s with %i loaded pages', (style, pages, pagination) => {
  it.each(causes)('shows an added row with its page after %s', async (cause) => {
    const opened = await open(style, pages, pagination);
    const { world, list, ids, rows, quiet, loaded, push, loadAll } = opened;
    push();
    await quiet();
    expect(ids()).toBe(`${loaded} 10`);
    opened.causes[cause]();
    await quiet();
    expect(ids()).toBe(loaded);
    expect(list().hasNext).toBe(true);
    await loadAll();
    expect(ids()).toBe(rows().join(' '));
    expect(list().items.at(-1)).toMatchObject({ id: '10', note: world.noteOf('10') });
    expect(list().hasNext).toBe(false);
  });

  it.each(causes)('does not show an added row that others deleted after %s', async (cause) => {
    const opened = await open(style, pages, pagination);
    const { world, ids, rows, quiet, loaded, push, loadAll } = opened;
    push();
    await quiet();
    world.delete('10');
    opened.causes[cause]();
    await quiet();
    expect(ids()).toBe(loaded);
    await loadAll();
    expect(ids()).toBe(rows().join(' '));
  });

  it('keeps an added row until its page is loaded', async () => {
    const { list, ids, rows, quiet, loaded, push, loadAll } = await open(style, pages, pagination);
    push();
    await quiet();
    expect(ids()).toBe(`${loaded} 10`);
    void list().loadNext();
    await quiet();
    expect(ids()).toMatch(/ 10$/);
    await loadAll();
    expect(ids()).toBe(rows().join(' '));
  });

  it('loses no row that is added while the next page loads', async () => {
    const { view, ids, rows, quiet, push, loadAll } = await open(style, pages, pagination);
    void view.loadNext();
    await settle();
    push();
    await quiet();
    await loadAll();
    expect(ids()).toBe(rows().join(' '));
  });

  it('loses no row that a message of a stream adds while all pages load again', async () => {
    const opened = await open(style, pages, pagination);
    const { world, controller, Posts, view, ids, rows, quiet, loadAll } = opened;
    void view.refresh('loaded');
    await settle();
    const { id } = world.add('end');
    controller.set(Posts.getList.schema.results.push, {}, { id });
    await quiet();
    await loadAll();
    expect(ids()).toBe(rows().join(' '));
  });
});

it.each(styles)('refresh() of a list of several pages keeps an added row: %s', async (...style) => {
  const { view, ids, quiet, loaded, push } = await open(style[0], 2, style[1]);
  push();
  await quiet();
  void view.refresh();
  await quiet();
  expect(ids()).toBe(`${loaded} 10`);
});
