/** Creates, deletes and moves whose response is empty (204), with and without an optimistic update. */
import {
  byCursor,
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
import { PagingWorld } from './pagingWorld.js';
import { readyData } from '../support/readyData.js';

class Post extends Entity {
  id = '';
  side = '';
  tag = '';
  static override key = 'Post';
}

const styles = {
  cursor: byCursor({ param: 'cursor', next: 'next' }),
  offset: byOffset({ param: 'offset', total: 'total' }),
  page: byPage({ param: 'page', total: 'total' }),
  'offset without total': byOffset({ param: 'offset' }),
};
const cases = Object.entries(styles).flatMap(([name, pagination]) =>
  [true, false].map((optimistic) => ({ name, pagination, optimistic })),
);

async function open(pagination: Pagination, optimistic: boolean, count: number, pages: number) {
  const style = pagination.param as 'cursor' | 'offset' | 'page';
  const world = new PagingWorld({ style, size: 3, hasTotal: true }, count);
  world.isSilent = true;
  const asked: string[] = [];
  const send = (url: string, init: RequestInit): Promise<Response> => {
    asked.push(`${init.method ?? 'GET'} ${url.slice('http://x'.length)}`);
    return world.send(url, init);
  };
  const controller = new Controller();
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    searchParams: {} as { tag?: string },
    schema: Post,
    send,
    pagination,
    optimistic,
  }).extend('getList', {
    schema: { results: new Collection([Post]), total: 0, next: null as string | null },
  });
  const view = infinite(controller, Posts.getList);
  const look = (): void => {
    if (view.needsLoad(true)) void view.load();
  };
  view.subscribe(look);
  const list = () => readyData(view);
  const ids = (): string =>
    list()
      .items.map(({ id }) => id)
      .join(' ');
  const rows = (): string => world.rows.map(({ id }) => id).join(' ');
  const { quiet } = world;
  look();
  await quiet();
  for (let page = 1; page < pages; page += 1) {
    void view.loadNext();
    await quiet();
  }
  asked.length = 0;
  return { world, controller, Posts, view, list, ids, rows, quiet, asked };
}

describe.each(cases)('204: $name, optimistic: $optimistic', ({ pagination, optimistic }) => {
  it.each(['create', 'delete'])(
    'a page that was read before a %s skips no row',
    async (mutation) => {
      const { world, controller, Posts, view, list, ids, rows, quiet } = await open(
        pagination,
        optimistic,
        8,
        1,
      );
      void view.loadNext();
      await settle();
      // The server reads the page, but its response is late.
      world.execute(0);
      void (mutation === 'create'
        ? controller.fetch(Posts.getList.unshift, { side: 'start' })
        : controller.fetch(Posts.getList.remove, { id: '1' }));
      await settle();
      const sent = world.pending.find(({ method }) => method !== 'GET');
      if (!sent) throw new Error('No mutation was sent.');
      if (mutation === 'delete') world.delete('1');
      world.carryOut(sent);
      world.deliver(1);
      await quiet();
      while (list().hasNext) {
        void view.loadNext();
        await quiet();
      }
      expect(ids()).toBe(rows());
    },
  );

  it('a create at the end shows the real row, which the last page has', async () => {
    const { controller, Posts, list, ids, rows, quiet } = await open(pagination, optimistic, 5, 2);
    expect(list().hasNext).toBe(false);
    void controller.fetch(Posts.getList.push, { side: 'end' });
    await quiet();
    expect(ids()).toBe(rows());
  });

  it('a create loads each of several pages again, and a single page once', async () => {
    const several = await open(pagination, optimistic, 6, 2);
    void several.controller.fetch(several.Posts.getList.unshift, { side: 'start' });
    await several.quiet();
    expect(several.ids()).toBe(several.rows());
    const single = await open(pagination, optimistic, 6, 1);
    void single.controller.fetch(single.Posts.getList.unshift, { side: 'start' });
    await single.quiet();
    expect(single.asked).toEqual(['POST /posts', 'GET /posts']);
  });

  it('a delete during `refresh` is in the list too', async () => {
    const { world, controller, Posts, view, ids, rows, quiet } = await open(
      pagination,
      optimistic,
      8,
      3,
    );
    void controller.fetch(Posts.getList.unshift, { side: 'start' });
    await settle();
    world.execute(0);
    world.deliver(0);
    await settle();
    void view.refresh('loaded');
    await settle();
    world.execute(0);
    world.deliver(0);
    await settle();
    void controller.fetch(Posts.delete, { id: '5' });
    await quiet();
    expect(ids()).toBe(rows());
  });
});
