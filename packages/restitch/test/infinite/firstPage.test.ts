/** A list that dropped no page begins with the first page of the server, however its requests overlap. */
import {
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  infinite,
  type Pagination,
  resource,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import { readyData } from '../support/readyData.js';
import { PagingWorld } from './pagingWorld.js';

class Post extends Entity {
  id = '';
  side = '';
  static override key = 'Post';
}

const total = 'total';
const paginations: readonly (readonly [string, Pagination])[] = [
  ['byPage with a size and a total', byPage({ param: 'page', size: 'size', total })],
  ['byPage with a total', byPage({ param: 'page', total })],
  ['byPage', byPage({ param: 'page', size: 'size' })],
  ['byOffset with a limit and a total', byOffset({ param: 'offset', limit: 'size', total })],
  ['byOffset', byOffset({ param: 'offset' })],
];

async function open(pagination: Pagination, size: number, count: number, optimistic: boolean) {
  const style = pagination.param as 'page' | 'offset';
  const world = new PagingWorld({ style, size, hasTotal: true }, count);
  const controller = new Controller();
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as { size?: number },
    nonFilterArgumentKeys: ['size'],
    optimistic,
    send: world.send,
    pagination,
  }).extend('getList', { schema: { results: new Collection([Post]), total: 0 } });
  const view = infinite(controller, Posts.getList, { size });
  view.subscribe(() => {
    if (view.needsLoad(true)) void view.load();
  });
  const { quiet } = world;
  void view.load();
  await quiet();
  /** The server carries out each call at once. Its response waits for `answer`. */
  const sent: (typeof world.pending)[number][] = [];
  const send = async (call: () => unknown): Promise<void> => {
    void call();
    await settle();
    for (const request of world.pending) {
      world.carryOut(request);
      if (!sent.includes(request)) sent.push(request);
    }
  };
  /** Lets the responses to these requests arrive, by their order of sending. */
  const answer = async (...order: readonly number[]): Promise<void> => {
    for (const index of order) {
      const request = sent[index];
      if (request) world.reply(request);
      await settle();
    }
    await quiet();
  };
  const remove = (id: string) => () => controller.fetch(Posts.delete, { id });
  const create = () => controller.fetch(Posts.getList.unshift, { size }, { side: 'start' });
  const loadAll = async (): Promise<void> => {
    for (let turn = 0; readyData(view).hasNext; turn += 1) {
      expect(turn).toBeLessThan(9);
      void view.loadNext();
      await quiet();
    }
  };
  const ids = () => readyData(view).items.map(({ id }) => id);
  const rows = () => world.rows.map(({ id }) => id);
  return { view, send, answer, quiet, remove, create, loadAll, ids, rows };
}

describe.each([true, false])('with optimistic updates: %s', (optimistic) => {
  it.each(paginations)(
    'all rows of the first page leave while it loads again: %s',
    async (_, pagination) => {
      const world = await open(pagination, 3, 7, optimistic);
      const { view, send, answer, quiet, remove, create, loadAll, ids, rows } = world;
      void remove('3')();
      await quiet();
      // By number, this is the first page again, because only two of its rows are left.
      await send(view.loadNext);
      await send(remove('1'));
      await send(create);
      await send(remove('2'));
      await answer(3, 1, 0, 2);
      expect(ids()).toEqual(rows().slice(0, ids().length));
      expect(readyData(view).hasPrevious).toBe(false);
      await loadAll();
      expect(ids()).toEqual(rows());
      void view.refresh();
      await quiet();
      expect(ids()).toEqual(rows());
    },
  );

  it.each(paginations)(
    'a page that contains all rows of the list ends at no gap: %s',
    async (_, pagination) => {
      const world = await open(pagination, 2, 3, optimistic);
      const { view, send, answer, quiet, remove, create, loadAll, ids, rows } = world;
      void create();
      await quiet();
      void remove('1')();
      await quiet();
      void create();
      await quiet();
      await send(view.loadNext);
      await send(remove('5'));
      await send(remove('2'));
      await answer(1, 2, 0);
      expect(readyData(view).gapAfter).toBeUndefined();
      await loadAll();
      expect(ids()).toEqual(rows());
    },
  );
});
