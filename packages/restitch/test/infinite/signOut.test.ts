/** Requests that an infinite or windowed list was about to send when the store was reset. */
import {
  byCursor,
  byOffset,
  Collection,
  Controller,
  Entity,
  infinite,
  type InfiniteView,
  logout,
  type Pagination,
  resource,
  windowed,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import { readyData } from '../support/readyData.js';
import { PagingWorld } from './pagingWorld.js';

class Post extends Entity {
  id = '';
  static override key = 'Post';
}

const styles = {
  cursor: byCursor({ param: 'cursor', next: 'next' }),
  offset: byOffset({ param: 'offset', limit: 'limit', total: 'total' }),
};

function openWorld(pagination: Pagination, style: 'cursor' | 'offset', optimistic = true) {
  const world = new PagingWorld({ style, size: 3, hasTotal: true }, 60);
  const asked: string[] = [];
  const controller = new Controller({ onError: () => {} });
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as { limit?: number },
    send: (url: string, init: RequestInit) => {
      asked.push(`${init.method ?? 'GET'} ${url.slice('http://x'.length)}`);
      return world.send(url, init);
    },
    pagination,
    optimistic,
  }).extend('getList', {
    schema: { results: new Collection([Post]), total: 0, next: null as string | null },
  });
  return { world, asked, controller, Posts };
}

type World = ReturnType<typeof openWorld>;

async function openList(pagination: Pagination, style: 'cursor' | 'offset', optimistic: boolean) {
  const opened = openWorld(pagination, style, optimistic);
  const view = infinite(opened.controller, opened.Posts.getList);
  view.subscribe(() => {
    if (view.needsLoad(true)) void view.load();
  });
  void view.load();
  await opened.world.quiet();
  void view.loadNext();
  await opened.world.quiet();
  opened.asked.length = 0;
  return { ...opened, view };
}

type Act = (
  view: Pick<InfiniteView<World['Posts']['getList']>, 'loadNext' | 'loadPrevious' | 'refresh'>,
  controller: Controller,
  Posts: World['Posts'],
) => Promise<unknown>[];

const create = (controller: Controller, Posts: World['Posts']): Promise<unknown> =>
  controller.fetch(Posts.getList.push, {}).catch(() => {});

const acts: readonly (readonly [name: string, act: Act])[] = [
  ['loadNext', (view) => [view.loadNext()]],
  ['loadPrevious', (view) => [view.loadPrevious()]],
  ['refresh', (view) => [view.refresh()]],
  ["refresh('loaded')", (view) => [view.refresh('loaded')]],
  ['a create and loadNext', (view, own, Posts) => [create(own, Posts), view.loadNext()]],
  [
    "a create and refresh('loaded')",
    (view, own, Posts) => [create(own, Posts), view.refresh('loaded')],
  ],
  [
    "refresh('loaded') and refresh",
    (view) => [view.refresh('loaded'), view.refresh(), view.loadNext()],
  ],
  ['loadNext and a create', (view, own, Posts) => [view.loadNext(), create(own, Posts)]],
];

const cases = acts.flatMap(([name, act]) =>
  (['cursor', 'offset'] as const).flatMap((style) =>
    [true, false].map((optimistic) => ({ name, act, style, optimistic })),
  ),
);

// After a response, nothing waits for the list: it has not yet used the response at the logout.
describe.each(cases)('$name, by $style, optimistic: $optimistic', ({ act, style, optimistic }) => {
  it.each([0, 1, 2])('ends at a logout after %i responses', async (count) => {
    const opened = await openList(styles[style], style, optimistic);
    const { world, asked, controller, Posts, view } = opened;
    const all = act(view, controller, Posts);
    for (let response = 0; response < count; response += 1) {
      await settle();
      world.execute(0);
      world.deliver(0);
    }
    asked.length = 0;
    logout(controller);
    await world.quiet();
    await Promise.all(all);
    expect(asked).toEqual([]);
    expect(view.getSnapshot().status).toBe('pending');
  });

  it('does not hold up the same call for the next user', async () => {
    const { world, asked, controller, Posts, view } = await openList(
      styles[style],
      style,
      optimistic,
    );
    void Promise.all(act(view, controller, Posts));
    await settle();
    controller.resetEntireStore();
    const next = view.refresh();
    await world.quiet();
    await next;
    const more = view.loadNext();
    await world.quiet();
    await more;
    expect(readyData(view)).toMatchObject({ isLoadingNext: false, nextError: undefined });
    expect(readyData(view).items).toHaveLength(6);
    expect(asked.at(-1)).toMatch(/^GET \/posts\?/);
  });
});

describe.each([{ limit: 3 }, {}])('a windowed list with the arguments %j', (args) => {
  async function openWindow() {
    const opened = openWorld(styles.offset, 'offset');
    const view = windowed(opened.controller, opened.Posts.getList, args);
    view.subscribe(() => {});
    return { ...opened, view };
  }

  it('requests no other page after a logout, until the application resumes', async () => {
    const { world, asked, controller, Posts, view } = await openWindow();
    const range = view.open({ start: 0, end: 3, keep: 1 });
    await world.quiet();
    range.move({ start: 30, end: 33, keep: 1 });
    await world.quiet();
    asked.length = 0;
    logout(controller);
    // The list is now empty, so a table scrolls back to its start.
    range.move({ start: 0, end: 3, keep: 1 });
    await world.quiet();
    range.move({ start: 12, end: 15, keep: 1 });
    await world.quiet();
    expect(asked).toEqual([]);
    expect(readyData(view)).toMatchObject({ length: 0 });
    expect(readyData(view).errorAt(12)).toBeUndefined();
    controller.expireAll(Posts.getList);
    await world.quiet();
    expect(readyData(view).at(12)).toMatchObject({ id: '13' });
    range.close();
  });

  it('requests nothing after a logout in the task that opened or moved a range', async () => {
    const { world, asked, controller, view } = await openWindow();
    const range = view.open({ start: 0, end: 3 });
    logout(controller);
    await world.quiet();
    expect(asked).toEqual([]);
    controller.resetEntireStore();
    await world.quiet();
    expect(readyData(view).at(0)).toMatchObject({ id: '1' });
    asked.length = 0;
    range.move({ start: 30, end: 33 });
    logout(controller);
    await world.quiet();
    expect(asked).toEqual([]);
    controller.resetEntireStore();
    await world.quiet();
    expect(readyData(view).at(30)).toMatchObject({ id: '31' });
    range.close();
  });

  it('loads for a new reader after the paused one has left', async () => {
    const { world, asked, controller, view } = await openWindow();
    const range = view.open({ start: 0, end: 3 });
    await world.quiet();
    logout(controller);
    await world.quiet();
    range.close();
    await world.quiet();
    asked.length = 0;
    view.open({ start: 0, end: 3 });
    await world.quiet();
    expect(asked).toHaveLength(1);
    expect(readyData(view).at(0)).toMatchObject({ id: '1' });
  });
});
