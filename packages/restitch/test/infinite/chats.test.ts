/** Lists that open with their last page, as chats do, and load the pages before it. */
import {
  byCursor,
  Collection,
  Controller,
  Entity,
  infinite,
  resource,
  RestEndpoint,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import { PagingWorld } from './pagingWorld.js';
import { readyData } from '../support/readyData.js';

class Message extends Entity {
  id = '';
  side = '';
  static override key = 'Message';
}

async function open(
  chat: 'linked' | 'unlinked',
  count: number,
  before: number,
  maxPages?: number,
  hydrated?: Controller,
) {
  const world = new PagingWorld({ style: 'cursor', size: 3, hasTotal: false, chat }, count);
  const asked: string[] = [];
  const controller = new Controller();
  if (hydrated) hydrate(controller, getState(hydrated));
  const Messages = resource({
    urlPrefix: 'http://x',
    path: '/messages/:id',
    schema: Message,
    send(url: string, init: RequestInit): Promise<Response> {
      asked.push(`${init.method ?? 'GET'} ${url.slice('http://x/messages'.length)}`);
      return world.send(url, init);
    },
    pagination: byCursor({
      param: 'cursor',
      next: 'next',
      previousParam: 'before',
      previous: 'previous',
      maxPages,
    }),
  }).extend('getList', {
    schema: { results: new Collection([Message]), next: '', previous: '' },
  });
  const view = infinite(controller, Messages.getList);
  view.subscribe(() => {
    if (view.needsLoad(true)) void view.load();
  });
  const list = () => readyData(view);
  const ids = (): string =>
    list()
      .items.map(({ id }) => id)
      .join(' ');
  const rows = (): string => world.rows.map(({ id }) => id).join(' ');
  const { quiet } = world;
  void view.load();
  await quiet();
  for (let page = 0; page < before; page += 1) {
    void view.loadPrevious();
    await quiet();
  }
  asked.length = 0;
  const add = (messages: number): void => {
    for (let message = 0; message < messages; message += 1) world.add('end');
  };
  const remove = (...messages: readonly string[]): void =>
    messages.forEach((id) => world.delete(id));
  /** If the pages are linked, new messages may be behind the last loaded page. */
  const loadNext = async (): Promise<void> => {
    while (list().hasNext) {
      void view.loadNext();
      await quiet();
    }
  };
  const refresh = async (): Promise<void> => {
    void view.refresh('loaded');
    await quiet();
    if (maxPages === undefined) await loadNext();
  };
  /** Loads all pages before the list. */
  const loadAll = async (): Promise<void> => {
    while (list().hasPrevious) {
      void view.loadPrevious();
      await quiet();
    }
    await loadNext();
  };
  const fetch = (): Promise<unknown> => controller.fetch(Messages.getList);
  const poll = async (): Promise<void> => {
    void fetch();
    await quiet();
  };
  const loads = { refresh, loadAll, fetch, poll };
  return { controller, world, view, list, ids, rows, quiet, asked, add, remove, ...loads };
}

describe.each(['linked', 'unlinked'] as const)('a chat whose pages are %s', (chat) => {
  it('loses no row if the page before the first one is empty now', async () => {
    const { ids, rows, list, add, remove, refresh } = await open(chat, 4, 1);
    remove('1');
    add(1);
    await refresh();
    expect(ids()).toBe(rows());
    expect(list()).toMatchObject({ hasPrevious: false, hasNext: false, gapAfter: undefined });
  });

  it.each([1, 2, 3, 4, 7])('loses no row if there are %d new messages', async (count) => {
    const { ids, rows, list, add, refresh, loadAll } = await open(chat, 7, 2);
    expect(ids()).toBe(rows());
    add(count);
    await refresh();
    expect(ids()).toBe(rows());
    add(1);
    await refresh();
    await loadAll();
    expect(ids()).toBe(rows());
    expect(list()).toMatchObject({ hasPrevious: false, hasNext: false, gapAfter: undefined });
  });

  it('is refreshed again and again', async () => {
    const { ids, rows, add, remove, refresh, loadAll, asked, world } = await open(chat, 7, 2);
    for (let count = 0; count < 6; count += 1) {
      add(1);
      remove(world.rows[(count * 3) % world.rows.length]?.id ?? '');
      await refresh();
      await loadAll();
      expect(ids()).toBe(rows());
    }
    asked.length = 0;
    await refresh();
    expect(asked.length).toBeLessThan(8);
  });

  it('has no hole if far more messages are new than it has', async () => {
    const { ids, rows, list, add, refresh, loadAll } = await open(chat, 6, 1);
    add(40);
    await refresh();
    expect(rows().endsWith(ids())).toBe(true);
    expect(list().items.length).toBeGreaterThanOrEqual(6);
    await loadAll();
    expect(ids()).toBe(rows());
  });

  it('loses no row if messages are deleted at its end', async () => {
    const { ids, rows, remove, refresh } = await open(chat, 9, 2);
    remove('8', '9');
    await refresh();
    expect(ids()).toBe(rows());
    remove('5', '6', '7');
    await refresh();
    expect(ids()).toBe(rows());
  });

  it('loses no row if a message is new between two pages before the first one', async () => {
    const { world, ids, rows, refresh } = await open(chat, 9, 2);
    world.add('middle');
    await refresh();
    expect(ids()).toBe(rows());
  });

  it.each([1, 2, 4])('keeps all rows if a poll finds %d new messages', async (count) => {
    const { ids, rows, list, add, poll, loadAll } = await open(chat, 7, 2);
    add(count);
    await poll();
    expect(rows().startsWith(ids())).toBe(true);
    await loadAll();
    expect(ids()).toBe(rows());
    expect(list()).toMatchObject({ hasNext: false, gapAfter: undefined });
  });

  it('with `maxPages`, loses no row', async () => {
    const { ids, rows, list, add, refresh, view, quiet } = await open(chat, 9, 1, 2);
    add(2);
    await refresh();
    const seen = new Set<string>();
    const look = (): void => {
      expect(rows()).toContain(ids());
      list().items.forEach(({ id }) => seen.add(id));
    };
    look();
    expect(list().items).toHaveLength(6);
    while (list().hasNext) {
      void view.loadNext();
      await quiet();
      look();
    }
    expect(seen).toContain('11');
    while (list().hasPrevious) {
      void view.loadPrevious();
      await quiet();
      look();
    }
    expect([...seen].sort()).toEqual(rows().split(' ').sort());
  });
});

describe('the errors of a chat', () => {
  const failAll = async ({ world, quiet }: Awaited<ReturnType<typeof open>>): Promise<void> => {
    await settle();
    for (const request of world.pending) request.said = () => new Response(null, { status: 500 });
    await quiet();
  };

  it.each(['linked', 'unlinked'] as const)(
    'end when all loaded pages have loaded again: %s',
    async (pages) => {
      const chat = await open(pages, 9, 1);
      const { view, list, fetch, refresh } = chat;
      void view.refresh();
      await failAll(chat);
      expect(list().nextError).toMatchObject({ status: 500 });
      void view.loadPrevious();
      await failAll(chat);
      expect(list()).toMatchObject({ nextError: undefined, previousError: { status: 500 } });
      fetch().catch(() => {});
      await failAll(chat);
      expect(view.getSnapshot()).toMatchObject({ error: { status: 500 } });
      await refresh();
      expect(list()).toMatchObject({ nextError: undefined, previousError: undefined });
      expect(view.getSnapshot()).not.toHaveProperty('error');
    },
  );

  it('show also after the page before all others was loaded', async () => {
    const chat = await open('unlinked', 6, 1);
    expect(chat.list().hasPrevious).toBe(false);
    void chat.view.refresh();
    await failAll(chat);
    expect(chat.list().nextError).toMatchObject({ status: 500 });
    void chat.view.refresh();
    await chat.quiet();
    expect(chat.list().nextError).toBeUndefined();
  });
});

it('a poll after a refresh of all pages of a chat finds the new messages', async () => {
  const { ids, rows, add, refresh, poll, asked } = await open('linked', 9, 2);
  await refresh();
  expect(asked).toHaveLength(3);
  add(1);
  await poll();
  expect(ids()).toBe(rows());
  await refresh();
  add(2);
  await poll();
  expect(ids()).toBe(rows());
});

it.each([1, 2])('a refresh keeps %d of the three pages of a server', async (maxPages) => {
  const server = await open('unlinked', 9, 2);
  const { list, ids, refresh } = await open('unlinked', 9, 0, maxPages, server.controller);
  expect(list().items).toHaveLength(9);
  await refresh();
  expect(ids()).toBe('4 5 6 7 8 9'.slice(maxPages === 1 ? 6 : 0));
});

it('with `maxPages`, a chat keeps its newest page if no other page names it', async () => {
  const { ids, rows, list, add, poll, refresh } = await open('unlinked', 12, 3, 2);
  expect(ids()).toBe(rows());
  add(1);
  await poll();
  expect(ids()).toBe(rows());
  expect(list().hasNext).toBe(false);
  await refresh();
  expect(rows().endsWith(ids())).toBe(true);
  expect(list().items).toHaveLength(6);
});

it('a poll of a linked chat finds new messages after `maxPages` dropped its opening page', async () => {
  const { view, list, ids, rows, add, poll, quiet } = await open('linked', 12, 3, 2);
  while (list().hasNext) {
    void view.loadNext();
    await quiet();
  }
  expect(ids()).toBe('7 8 9 10 11 12');
  for (const count of [1, 3, 4]) {
    add(count);
    await poll();
    while (list().hasNext) {
      void view.loadNext();
      await quiet();
    }
    expect(rows().endsWith(ids())).toBe(true);
  }
});

it('a poll of a linked chat loads no page again while its last messages are not loaded', async () => {
  const { list, add, poll, asked } = await open('linked', 12, 3, 2);
  expect(list().hasNext).toBe(true);
  add(1);
  await poll();
  expect(asked).toEqual(['GET ']);
});

const records = [1, 2, 3, 4].flatMap((newest) =>
  [0, 1, 2, 5].flatMap((added) => [0, 1].map((pages) => ({ newest, added, pages }))),
);

it.each(records)(
  'a record with the newest $newest messages, $added of them new, hides no message: $pages pages before',
  async ({ newest, added, pages }) => {
    let rows = ['1', '2', '3', '4', '5', '6', '7'];
    const messages = new Collection([Message], {
      name: 'messages',
      nestKey: ({ id }: { id: string }) => ({ room: id }),
      argsKey: ({ room }: { room: string }) => ({ room }),
    });
    class Room extends Entity {
      id = '';
      messages: Message[] = [];
      static override key = 'Room';
      static override schema = { messages };
    }
    const recordsOf = (ids: readonly string[]) => ids.map((id) => ({ id }));
    const send = async (input: string): Promise<Response> => {
      const { pathname, searchParams } = new URL(input);
      if (pathname === '/rooms/1')
        return Response.json({ id: '1', messages: recordsOf(rows.slice(-newest)) });
      const before = searchParams.get('before');
      const earlier = rows.slice(0, before === null ? rows.length : rows.indexOf(before));
      const page = earlier.slice(-3);
      const older = page[0] === rows[0] ? null : page[0];
      return Response.json({ messages: recordsOf(page), older, newer: null });
    };
    const shared = { urlPrefix: 'http://x', send };
    const getRoom = new RestEndpoint({ ...shared, path: '/rooms/:id', schema: Room });
    const getMessages = new RestEndpoint({
      ...shared,
      path: '/rooms/:room/messages',
      schema: { messages, older: '', newer: '' },
      pagination: byCursor({
        param: 'after',
        next: 'newer',
        previousParam: 'before',
        previous: 'older',
      }),
    });
    const controller = new Controller();
    const view = infinite(controller, getMessages, { room: '1' });
    view.subscribe(() => {
      if (view.needsLoad(true)) void view.load();
    });
    await view.load();
    for (let page = 0; page < pages; page += 1) await view.loadPrevious();
    rows = [...rows, ...['8', '9', '10', '11', '12'].slice(0, added)];
    await controller.fetch(getRoom, { id: '1' });
    const list = () => readyData(view);
    for (let call = 0; call < 20 && list().hasNext; call += 1) await view.loadNext();
    for (let call = 0; call < 20 && list().hasPrevious; call += 1) await view.loadPrevious();
    expect(list().items.map(({ id }) => id)).toEqual(rows);
    expect(list()).toMatchObject({ hasNext: false, hasPrevious: false });
  },
);
