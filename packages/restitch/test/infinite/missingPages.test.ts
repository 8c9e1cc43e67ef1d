/** Later responses of an infinite or windowed list that lack their list. */
import {
  byCursor,
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  infinite,
  type Pagination,
  RestEndpoint,
  windowed,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import { readyData } from '../support/readyData.js';

class Post extends Entity {
  id = '';
  static override key = 'Post';
}

const FIRST = {
  results: [{ id: '3' }, { id: '4' }],
  next: 'n',
  previous: 'p',
  total: 6,
};

const NEXT = { ...FIRST, results: [{ id: '5' }, { id: '6' }], next: 'm', previous: null };

const styles: Record<string, Pagination> = {
  cursor: byCursor({ param: 'cursor', next: 'next', previous: 'previous' }),
  offset: byOffset({ param: 'offset', limit: 'limit', total: 'total' }),
  page: byPage({ param: 'page', total: 'total' }),
  more: byPage({ param: 'page', more: 'next' }),
};

const BODIES = [{ results: null, next: null }, { total: 6 }, null];

const cases = Object.keys(styles).flatMap((style) => BODIES.map((body) => ({ style, body })));

function open(style: string) {
  const asked: string[] = [];
  const server = { answer: (_: URLSearchParams): unknown => FIRST };
  const controller = new Controller({ onError: () => {} });
  const getPosts = new RestEndpoint({
    name: 'getPosts',
    urlPrefix: 'http://host',
    path: '/posts',
    searchParams: {} as { limit?: number },
    send: (url: string) => {
      const { searchParams } = new URL(url);
      asked.push(searchParams.toString());
      return Promise.resolve(Response.json(server.answer(searchParams)));
    },
    nullable: true,
    schema: {
      results: new Collection([Post]),
      next: '' as string | null,
      previous: '' as string | null,
      total: 0,
    },
    pagination: styles[style] ?? byCursor({ param: 'cursor' }),
  });
  return { asked, server, controller, getPosts };
}

async function openList(style: string) {
  const opened = open(style);
  const view = infinite(opened.controller, opened.getPosts, { limit: 2 });
  view.subscribe(() => {});
  await view.load();
  opened.asked.length = 0;
  const ids = () => readyData(view).items.map(({ id }) => id);
  return { ...opened, view, ids };
}

const UNREADABLE = { code: 'unreadable' };

describe.each(cases)('by $style, a response $body', ({ style, body }) => {
  it('to loadNext is `nextError`, after one request', async () => {
    const { asked, server, view, ids } = await openList(style);
    server.answer = () => body;
    await view.loadNext();
    expect(readyData(view)).toMatchObject({ hasNext: true, nextError: UNREADABLE });
    expect(readyData(view).nextError?.message).toContain('getPosts: the response cannot be read');
    expect(asked).toHaveLength(1);
    server.answer = () => NEXT;
    await view.loadNext();
    expect(readyData(view).nextError).toBeUndefined();
    expect(ids()).toEqual(['3', '4', '5', '6']);
  });

  it.skipIf(style !== 'cursor')('to loadPrevious is `previousError`', async () => {
    const { asked, server, view, ids } = await openList(style);
    server.answer = () => body;
    await view.loadPrevious();
    expect(readyData(view).previousError).toMatchObject(UNREADABLE);
    expect(asked).toHaveLength(1);
    expect(ids()).toEqual(['3', '4']);
  });

  it('to refresh is the error of the view, and the rows stay', async () => {
    const { asked, server, view, ids } = await openList(style);
    server.answer = () => body;
    await view.refresh();
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', error: UNREADABLE });
    expect(view.getSnapshot()).toBe(view.getSnapshot());
    expect(ids()).toEqual(['3', '4']);
    expect(asked).toHaveLength(1);
    expect(view.needsLoad(true)).toBe(false);
    server.answer = () => FIRST;
    await view.refresh();
    expect(view.getSnapshot()).not.toHaveProperty('error');
  });

  it("to refresh('loaded') is `nextError`, and the rows stay", async () => {
    const { asked, server, view, ids } = await openList(style);
    server.answer = () => NEXT;
    await view.loadNext();
    asked.length = 0;
    server.answer = ({ size }) => (size > 1 ? body : FIRST);
    await view.refresh('loaded');
    expect(readyData(view).nextError).toMatchObject(UNREADABLE);
    expect(ids()).toEqual(['3', '4', '5', '6']);
    expect(asked.filter((query) => query.includes('&'))).toHaveLength(1);
    server.answer = () => body;
    asked.length = 0;
    await view.refresh('loaded');
    expect(readyData(view).nextError).toMatchObject(UNREADABLE);
    expect(ids()).toEqual(['3', '4', '5', '6']);
    expect(asked.length).toBeLessThanOrEqual(2);
  });

  it.skipIf(style === 'cursor' || style === 'more')(
    'to a page of a window is the error of its rows, after one request',
    async () => {
      const { asked, server, controller, getPosts } = open(style);
      const view = windowed(controller, getPosts, { limit: 2 });
      view.subscribe(() => {});
      server.answer = ({ size }) => (size > 1 ? body : FIRST);
      view.open({ start: 0, end: 4 });
      for (let turn = 0; turn < 10; turn += 1) await settle();
      const list = readyData(view);
      expect(list.at(0)).toMatchObject({ id: '3' });
      expect(list.errorAt(2)).toMatchObject(UNREADABLE);
      expect(list.errorAt(0)).toBeUndefined();
      expect(asked).toHaveLength(2);
    },
  );
});
