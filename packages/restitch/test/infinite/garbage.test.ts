/** Garbage collection runs while the pages of a list load. No row is lost. */
import {
  byCursor,
  byLink,
  byOffset,
  byPage,
  Collection,
  Controller,
  type ControllerOptions,
  Entity,
  infinite,
  type Pagination,
  resource,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import { readyData } from '../support/readyData.js';
import { isEmpty } from '../support/sweeping.js';
import { type Paging, PagingWorld } from './pagingWorld.js';

class Author extends Entity {
  id = '';
  static override key = 'Author';
}

class Post extends Entity {
  id = '';
  side = '';
  author: Author | undefined = undefined;
  static override key = 'Post';
  static override schema = { author: Author };
}

/** Each post has an author of its own. */
class World extends PagingWorld {
  protected override page(query: URLSearchParams): unknown {
    const page = super.page(query) as { results: readonly { id: string }[] };
    return { ...page, results: page.results.map(({ id }) => ({ id, author: { id: `a${id}` } })) };
  }
}

const previous = { previousParam: 'before', previous: 'previous' };
const styles: Record<Paging['style'], Pagination> = {
  cursor: byCursor({ param: 'cursor', next: 'next', ...previous }),
  link: byLink({ params: ['cursor'] }),
  offset: byOffset({ param: 'offset', total: 'total' }),
  page: byPage({ param: 'page', total: 'total' }),
};

interface Chosen extends Pick<ControllerOptions, 'maxEntities' | 'sweep'> {
  readonly style: Paging['style'];
  readonly chat?: Paging['chat'];
}

async function open({ style, chat, ...options }: Chosen) {
  const world = new World({ style, size: 4, hasTotal: true, chat }, 12);
  const clock = new Clock();
  clock.now = 1_000_000;
  const controller = new Controller({ ...options, environment: clock.environment });
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: Post,
    dataExpiryLength: 10,
    send: world.send,
    pagination: styles[style],
  }).extend('getList', {
    schema: { results: new Collection([Post]), next: null as string | null, total: 0 },
  });
  const view = infinite(controller, Posts.getList);
  const stop = view.subscribe(() => {});
  /** Answers one request after another. In between, sweeps run and rows expire. */
  const quiet = async (): Promise<void> => {
    await clock.pass(30);
    for (let request = world.pending[0]; request; [request] = world.pending) {
      world.carryOut(request);
      world.reply(request);
      await clock.pass(30);
    }
  };
  const rows = (): string[] => world.rows.map(({ id }) => id);
  const shown = () => readyData(view).items.map(({ id, author }) => [id, author?.id]);
  const expectAll = (): void => {
    expect(shown()).toEqual(rows().map((id) => [id, `a${id}`]));
    expect(readyData(view)).toMatchObject({ hasNext: false, nextError: undefined });
  };
  const loadAll = async (): Promise<void> => {
    for (const side of ['Next', 'Previous'] as const) {
      for (let turn = 0; readyData(view)[`has${side}`]; turn += 1) {
        expect(turn).toBeLessThan(20);
        void view[`load${side}`]();
        await quiet();
      }
    }
  };
  void view.load();
  await quiet();
  await loadAll();
  expectAll();
  return { world, clock, controller, Posts, view, stop, quiet, loadAll, expectAll };
}

const sweeps = [
  ['above `maxEntities`', { maxEntities: 12 }],
  ['at each turn', { maxEntities: 0 }],
  ['at short intervals', { sweep: { interval: 10, lifetimes: 1 } }],
] as const;

describe.each(sweeps)('garbage collection %s', (_, options) => {
  const names = Object.keys(styles) as Paging['style'][];

  it.each(names)('during `refresh("loaded")`, by %s', async (style) => {
    const { world, view, quiet, loadAll, expectAll } = await open({ style, ...options });
    for (let count = 0; count < 12; count += 1) world.add('start');
    void view.refresh('loaded');
    await quiet();
    await loadAll();
    expectAll();
  });

  it.each(names)('during the reload after an overlapped create, by %s', async (style) => {
    const { world, controller, Posts, view, quiet, loadAll, expectAll } = await open({
      style,
      ...options,
    });
    for (let count = 0; count < 12; count += 1) world.add('start');
    void controller.fetch(Posts.getList.unshift, { side: 'start' });
    void view.refresh();
    await quiet();
    await loadAll();
    expectAll();
  });

  it.each(['linked', 'unlinked'] as const)(
    'during the reload of a chat, whose pages are %s',
    async (chat) => {
      const { world, view, quiet, loadAll, expectAll } = await open({
        style: 'cursor',
        chat,
        ...options,
      });
      for (let count = 0; count < 12; count += 1) world.add('end');
      void view.refresh('loaded');
      await quiet();
      await loadAll();
      expectAll();
    },
  );
});

it.each(['answered', 'failed', 'interrupted by a sign-out'])(
  'rows of a reload that was %s are evicted after the last reader has left',
  async (end) => {
    const { world, clock, controller, view, stop, quiet } = await open({ style: 'cursor' });
    for (let count = 0; count < 12; count += 1) world.add('start');
    void view.refresh('loaded');
    await clock.pass(0);
    world.execute(0);
    world.deliver(0);
    await clock.pass(0);
    const [request] = world.pending;
    if (request && end === 'failed') request.said = () => new Response(null, { status: 500 });
    stop();
    if (end.startsWith('interrupted')) controller.resetEntireStore();
    await quiet();
    expect(await isEmpty(clock)).toBe(true);
  },
);
