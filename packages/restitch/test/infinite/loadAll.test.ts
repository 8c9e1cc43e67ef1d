/** Loops that load an infinite list to its end while creates and deletes of the list are in flight. */
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
  undoable,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { Clock, settle } from '../support/clock.js';
import { readyData } from '../support/readyData.js';
import { HidingPost, type Paging, PagingWorld } from './pagingWorld.js';

const cursor = { param: 'cursor', next: 'next', previousParam: 'before', previous: 'previous' };
const styles: [Paging['style'], Pagination][] = [
  ['page', byPage({ param: 'page', total: 'total' })],
  ['offset', byOffset({ param: 'offset', total: 'total' })],
  ['cursor', byCursor(cursor)],
  ['link', byLink({ params: ['cursor'] })],
];

/** The list has nine rows and pages of three rows. The first page is loaded. */
async function open(
  style: Paging['style'],
  pagination: Pagination,
  { optimistic = true, chat }: { optimistic?: boolean; chat?: Paging['chat'] } = {},
) {
  const clock = new Clock();
  const world = new PagingWorld({ style, size: 3, hasTotal: true, chat }, 9);
  const controller = new Controller({ environment: clock.environment, onError: () => {} });
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: HidingPost,
    send: world.send,
    optimistic,
    pagination,
  }).extend('getList', {
    schema: {
      results: new Collection([HidingPost]),
      total: 0,
      next: null as string | null,
      previous: null as string | null,
    },
  });
  const view = infinite(controller, Posts.getList);
  const stop = view.subscribe(() => {
    if (view.needsLoad(true)) void view.load().catch(() => {});
  });
  const list = () => readyData(view);
  const ids = (): string[] => list().items.map(({ id }) => id);
  const rows = (): string[] => world.rows.map(({ id }) => id);
  void view.load();
  await world.quiet();
  const calls = {
    unshift: () => controller.fetch(Posts.getList.unshift, { side: 'start' }),
    push: () => controller.fetch(Posts.getList.push, { side: 'end' }),
    delete: () => controller.fetch(Posts.delete, { id: '2' }),
    undo: () => controller.fetch(undoable(Posts.delete, 8_000), { id: '2' }),
  };
  /** A loop in a page, such as an export. Each call loads a page, or waits. */
  const loadAll = async (): Promise<number> => {
    let count = 0;
    for (; list().hasNext && !list().nextError; count += 1) {
      if (count > 20) throw new Error('The loop does not end.');
      await view.loadNext();
    }
    return count;
  };
  /** Answers reads, but no mutation. */
  const answerReads = async (): Promise<void> => {
    await settle();
    for (let read; (read = world.pending.find(({ method }) => method === 'GET'));) {
      world.carryOut(read);
      world.reply(read);
      await settle();
    }
  };
  const opened = { clock, world, controller, view, stop, list, ids, rows };
  return { ...opened, ...calls, loadAll, answerReads };
}

const moves = ['unshift', 'push', 'delete'] as const;

describe.each(styles)('a loop that loads all pages by %s', (style, pagination) => {
  it.each(moves.flatMap((move) => [true, false].map((optimistic) => ({ move, optimistic }))))(
    'waits for a create or delete in flight: %o',
    async ({ move, optimistic }) => {
      const opened = await open(style, pagination, { optimistic });
      const { world, list, ids, rows, loadAll, answerReads } = opened;
      const mutation = opened[move]();
      const loading = loadAll();
      await answerReads();
      expect(list()).toMatchObject({ hasNext: true, isLoadingNext: true });
      await world.quiet();
      await Promise.all([loading, mutation]);
      expect(ids()).toEqual(rows());
      expect(list()).toMatchObject({ hasNext: false, isLoadingNext: false, nextError: undefined });
    },
  );

  it.each(moves)('waits if the last page is loaded before: %s', async (move) => {
    const opened = await open(style, pagination);
    const { world, ids, rows, loadAll, answerReads } = opened;
    const whole = loadAll();
    await world.quiet();
    await whole;
    const mutation = opened[move]();
    const loading = loadAll();
    await answerReads();
    await world.quiet();
    await Promise.all([loading, loadAll(), mutation]);
    expect(ids()).toEqual(rows());
  });

  it('waits for the end of an undo delay', async () => {
    const { clock, world, ids, rows, list, loadAll, answerReads, undo } = await open(
      style,
      pagination,
    );
    const deletion = undo();
    const loading = loadAll();
    await answerReads();
    // The deleted row is hidden, and all other rows show.
    expect(ids()).toEqual(rows().filter((id) => id !== '2'));
    expect(list().hasNext).toBe(true);
    await clock.pass(8_000);
    await world.quiet();
    await Promise.all([loading, deletion]);
    expect(ids()).toEqual(rows());
  });

  it('waits two minutes at most for a mutation without a response', async () => {
    const { clock, world, ids, list, loadAll, answerReads, unshift } = await open(
      style,
      pagination,
    );
    void unshift();
    await clock.pass(60_000);
    const { length } = world.pending;
    let isDone = false;
    const loading = loadAll().then(() => (isDone = true));
    await answerReads();
    await clock.pass(59_000);
    expect(isDone).toBe(false);
    // The check repeats, because it began later than the mutation.
    await clock.pass(180_000);
    await answerReads();
    await loading;
    expect(world.pending).toHaveLength(length);
    expect(ids().slice(-9)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
    expect(list()).toMatchObject({ hasNext: false, isLoadingNext: false });
    expect(clock.idleWaits).toBeLessThan(2);
  });

  it.each(moves)('ends if a mutation of a loaded list has no response: %s', async (move) => {
    const opened = await open(style, pagination);
    const { clock, world, list, loadAll } = opened;
    const whole = loadAll();
    await world.quiet();
    await whole;
    void opened[move]();
    await loadAll();
    await clock.pass(300_000);
    await loadAll();
    expect(list().hasNext).toBe(false);
  });

  it('ends with an error if the pages cannot be loaded after the mutation', async () => {
    const { world, list, loadAll, answerReads, unshift } = await open(style, pagination);
    const mutation = unshift();
    const loading = loadAll();
    await answerReads();
    const request = world.pending[0];
    if (request) {
      world.carryOut(request);
      world.reply(request);
    }
    await settle();
    while (world.pending[0]) {
      world.pending[0].said = () => new Response(null, { status: 500 });
      world.reply(world.pending[0]);
      await settle();
    }
    await Promise.all([loading, mutation]);
    expect(list()).toMatchObject({ hasNext: true, nextError: { status: 500 } });
  });

  it.each(['reset', 'dispose', 'unmount', 'failure'] as const)(
    'does not wait for ever after: %s',
    async (what) => {
      const { world, controller, view, stop, answerReads, unshift } = await open(style, pagination);
      const mutation = unshift().catch(() => {});
      const loads = [view.loadNext(), view.refresh('loaded')];
      await answerReads();
      if (what === 'reset') controller.resetEntireStore();
      if (what === 'dispose') controller.dispose();
      if (what === 'unmount') stop();
      const [create] = world.pending;
      if (what === 'failure' && create) create.said = () => new Response(null, { status: 400 });
      await world.quiet();
      await Promise.all([...loads, mutation]);
      stop();
    },
  );
});

it('a loop that loads a chat to its start waits for a create in flight', async () => {
  const { world, view, list, ids, rows, answerReads, push } = await open(
    'cursor',
    byCursor(cursor),
    { chat: 'linked' },
  );
  const mutation = push();
  let count = 0;
  const loadAll = async (): Promise<void> => {
    for (; list().hasPrevious; count += 1) {
      if (count > 20) throw new Error('The loop does not end.');
      await view.loadPrevious();
    }
  };
  const loading = loadAll();
  await answerReads();
  await world.quiet();
  await Promise.all([loading, mutation]);
  await world.quiet();
  expect(ids()).toEqual(rows());
});

it('a loop ends if others shortened the list, and a create has no response', async () => {
  const opened = await open('page', byPage({ param: 'page', total: 'total' }));
  const { clock, world, view, list, loadAll, answerReads, push } = opened;
  void view.loadNext();
  await world.quiet();
  for (const id of ['7', '8', '9']) world.delete(id);
  void view.refresh();
  await world.quiet();
  expect(list()).toMatchObject({ hasNext: false, total: 6 });
  void push();
  await clock.pass(300_000);
  const loading = loadAll();
  await answerReads();
  await loading;
  expect(list().hasNext).toBe(false);
});

it('with `maxPages`, a loop ends that loads pages during a create', async () => {
  const { world, ids, rows, loadAll, answerReads, unshift } = await open(
    'offset',
    byOffset({ param: 'offset', total: 'total', maxPages: 2 }),
  );
  const mutation = unshift();
  const loading = loadAll();
  await answerReads();
  await world.quiet();
  await Promise.all([loading, mutation]);
  expect(ids().at(-1)).toBe(rows().at(-1));
});
