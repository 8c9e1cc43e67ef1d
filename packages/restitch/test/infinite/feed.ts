import { Collection, Controller, Entity, infinite, resource, type Pagination } from 'restitch';
import { byCursor } from 'restitch';
import { startServer, type Seen, type TestServer } from '../support/server.js';
import { readyData } from '../support/readyData.js';

export class Post extends Entity {
  id = '';
  title = '';
  static override key = 'Post';
}

/** A server with a list of posts, and the requests that it answered. */
export interface Feed {
  readonly server: TestServer;
  /** The posts in order. A test may change them, as another user does. */
  rows: { id: string; title: string }[];
  /** The query of each list request so far, in order of arrival. */
  readonly asked: string[];
  /** Called before a list request is answered: it may fail, or wait. */
  before: (
    query: URLSearchParams,
    count: number,
  ) => number | undefined | Promise<number | undefined>;
}

/** How many rows a page has. */
export const SIZE = 3;

/** Rows with these ids, one letter each. */
export const rowsOf = (ids: string): { id: string; title: string }[] =>
  [...ids].map((id) => ({ id, title: id }));

/** Starts a server with a page of a list for each request; `pageOf` cuts it. */
export async function startFeed(
  pageOf: (rows: Feed['rows'], query: URLSearchParams, seen: Seen) => unknown,
): Promise<Feed> {
  const server = await startServer();
  const feed: Feed = { server, rows: [], asked: [], before: () => undefined };
  server.respond((seen, response) => {
    const url = new URL(seen.url, server.origin);
    const id = url.pathname.split('/')[2];
    if (seen.method === 'POST') {
      const row = JSON.parse(seen.body) as Feed['rows'][number];
      feed.rows = [row, ...feed.rows];
      return row;
    }
    if (seen.method === 'DELETE') {
      feed.rows = feed.rows.filter((row) => row.id !== id);
      return { id };
    }
    feed.asked.push(url.search.slice(1));
    const count = feed.asked.length;
    const send = (status: number | undefined): void => {
      response.statusCode = status ?? 200;
      const body = status === undefined ? pageOf(feed.rows, url.searchParams, seen) : {};
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    };
    void Promise.resolve(feed.before(url.searchParams, count)).then(send);
    return undefined;
  });
  return feed;
}

/** Pages by cursor: the id of the last row. */
export function cursorPage(rows: Feed['rows'], query: URLSearchParams): object {
  const cursor = query.get('cursor');
  const before = query.get('before');
  if (before !== null) {
    const end = rows.findIndex(({ id }) => id === before);
    const start = Math.max(0, end - SIZE);
    return { results: rows.slice(start, end), prevCursor: start > 0 ? rows[start]?.id : null };
  }
  const start = cursor === null ? 0 : rows.findIndex(({ id }) => id > cursor);
  const page = start < 0 ? [] : rows.slice(start, start + SIZE);
  const isMore = start >= 0 && start + SIZE < rows.length;
  return {
    results: page,
    nextCursor: isMore ? page.at(-1)?.id : null,
    prevCursor: null,
    total: rows.length,
  };
}

/** Pages by offset or number, with a total. */
export function numberedPage(rows: Feed['rows'], query: URLSearchParams): unknown {
  const limit = Number(query.get('limit') ?? SIZE);
  const page = query.get('page');
  const start = page === null ? Number(query.get('offset') ?? 0) : (Number(page) - 1) * limit;
  return { results: rows.slice(start, start + limit), total: rows.length };
}

/** Returns the resource of a feed and a controller with its infinite list. */
export function openFeed<P extends Pagination>(feed: Feed, pagination: P) {
  const errors: unknown[] = [];
  const controller = new Controller({ environment: { report: (error) => errors.push(error) } });
  const Posts = resource({
    urlPrefix: feed.server.origin,
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as { tag?: string },
    pagination,
  }).extend('getList', {
    schema: {
      results: new Collection([Post]),
      nextCursor: null as string | null,
      total: 0,
    },
  });
  const view = infinite(controller, Posts.getList, {});
  const shownNow = (): string => {
    const snapshot = view.getSnapshot();
    if (snapshot.status !== 'ready') return snapshot.status;
    const { items, hasNext, gapAfter } = snapshot.data;
    const ids = items.map(({ id }, index) => (index === gapAfter ? `${id}|` : id)).join('');
    return hasNext ? `${ids}…` : ids;
  };
  const list = () => readyData(view);
  return { controller, Posts, view, shownNow, list, errors };
}

export const cursors = byCursor({ param: 'cursor', next: 'nextCursor', total: 'total' });
