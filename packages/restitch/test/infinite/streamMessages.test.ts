/** Messages of a stream that add or remove rows while pages of an infinite list are in flight. */
import { byCursor, byPage, Collection, Controller, Entity, infinite, resource } from 'restitch';
import { describe, expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import { PagingWorld } from './pagingWorld.js';
import { readyData } from '../support/readyData.js';

class Message extends Entity {
  id = '';
  static override key = 'StreamMessage';
}

/** A list of which some pages of two rows are loaded. */
async function open(style: 'cursor' | 'page', count: number, pages: number) {
  const world = new PagingWorld({ style, size: 2, hasTotal: style === 'page' }, count);
  const controller = new Controller();
  const Messages = resource({
    urlPrefix: 'http://x',
    path: '/messages/:id',
    schema: Message,
    send: world.send,
    pagination:
      style === 'page'
        ? byPage({ param: 'page', total: 'total' })
        : byCursor({ param: 'cursor', next: 'next' }),
  }).extend('getList', {
    schema: {
      results: new Collection([Message]),
      next: null as string | null,
      total: undefined as number | undefined,
    },
  });
  const view = infinite(controller, Messages.getList);
  view.subscribe(() => {
    if (view.needsLoad(true)) void view.load();
  });
  const list = () => readyData(view);
  const ids = (): string[] => list().items.map(({ id }) => id);
  const rows = (): string[] => world.rows.map(({ id }) => id);
  const loadNext = async (): Promise<void> => {
    void view.loadNext();
    await world.quiet();
  };
  void view.load();
  await world.quiet();
  for (let page = 1; page < pages; page += 1) await loadNext();
  const first = world.rows[0]?.id ?? '';
  /** Changes the list on the server, which sends a message of the change. */
  const messages = {
    unshift: () => {
      const { id } = world.add('start');
      controller.setResponse(Messages.getList.unshift, {}, { id });
    },
    push: () => {
      const { id } = world.add('end');
      controller.setResponse(Messages.getList.push, {}, { id });
    },
    delete: () => {
      world.delete(first);
      controller.setResponse(Messages.delete, { id: first }, undefined);
    },
  };
  /** The server carries out each request in flight; its response arrives later. */
  const read = async (): Promise<void> => {
    await settle();
    for (const request of world.pending) world.carryOut(request);
  };
  /** Lets the oldest response arrive, and the server carry out the requests that follow. */
  const advance = async (): Promise<void> => {
    await read();
    const [request] = world.pending;
    if (request) world.reply(request);
    await read();
  };
  /** Loads the pages that are left, and expects each row of the server once. */
  const expectAll = async (): Promise<void> => {
    await world.quiet();
    expect(ids()).toEqual(rows().slice(0, ids().length));
    for (let page = 0; list().hasNext && page < 10; page += 1) await loadNext();
    expect(ids()).toEqual(rows());
    expect(list()).toMatchObject({ hasNext: false, isRefreshing: false, nextError: undefined });
  };
  return { controller, world, view, list, ids, rows, messages, read, advance, expectAll, Messages };
}

/** By cursor, a later page contains a new last row by itself, and a delete moves no row to another page. */
const changes = [
  ['adds a first row', 'cursor', 'first', 'unshift', 2],
  ['adds a first row', 'cursor', 'last', 'unshift', 2],
  ['adds a first row', 'page', 'first', 'unshift', 2],
  ['adds a first row', 'page', 'last', 'unshift', 2],
  ['adds a last row', 'cursor', 'last', 'push', 3],
  ['adds a last row', 'page', 'first', 'push', 3],
  ['adds a last row', 'page', 'last', 'push', 3],
  ['deletes a row', 'page', 'first', 'delete', 2],
  ['deletes a row', 'page', 'last', 'delete', 2],
] as const;

it.each(changes)(
  'a stream message that %s of a list by %s before the %s page arrives is kept by a reload of all pages',
  async (_, style, page, message, pages) => {
    const { view, messages, read, advance, expectAll } = await open(style, 6, pages);
    void view.refresh('loaded');
    await read();
    for (let count = 1; page === 'last' && count < pages; count += 1) await advance();
    messages[message]();
    await expectAll();
  },
);

describe('stream messages that follow each other', () => {
  it.each(['cursor', 'page'] as const)(
    'are kept while the next page loads, and while the list reloads for it: by %s',
    async (style) => {
      const { view, messages, read, advance, expectAll } = await open(style, 6, 2);
      void view.loadNext();
      await read();
      messages.unshift();
      // The page has arrived: all pages are loaded again, because rows moved.
      await advance();
      messages.unshift();
      await advance();
      messages.unshift();
      await expectAll();
    },
  );

  it.each(['cursor', 'page'] as const)(
    'are kept while the list reloads by itself: by %s',
    async (style) => {
      const { view, list, messages, read, advance, expectAll } = await open(style, 6, 2);
      void view.refresh();
      await read();
      messages.unshift();
      await advance();
      expect(list().isRefreshing).toBe(true);
      messages.unshift();
      await expectAll();
    },
  );

  it('are kept if one arrives during each attempt to reload, and the reload ends', async () => {
    const { view, world, list, messages, read, ids, rows } = await open('cursor', 6, 2);
    let hasEnded = false;
    void view.refresh('loaded').then(() => (hasEnded = true));
    for (let count = 0; !hasEnded && count < 40; count += 1) {
      await read();
      const [request] = world.pending;
      if (request?.url.search === '') messages.unshift();
      if (request) world.reply(request);
      await settle();
    }
    expect(hasEnded).toBe(true);
    expect(ids()).toEqual(rows().slice(0, ids().length));
    await world.quiet();
    expect(ids()).toEqual(rows().slice(0, ids().length));
    expect(list().isRefreshing).toBe(false);
  });
});

describe('a stream message that changes a row', () => {
  it('starts no second reload', async () => {
    const { view, world, controller, Messages, read, ids } = await open('cursor', 6, 2);
    const before = world.sent;
    void view.refresh('loaded');
    await read();
    controller.setResponse(Messages.partialUpdate, { id: '1' }, {}, { id: '1' });
    await world.quiet();
    expect(world.sent - before).toBe(2);
    expect(ids()).toEqual(['1', '2', '3', '4']);
  });
});
