/** The four styles in which servers page their lists, each against a real one. */
import {
  Collection,
  Controller,
  Entity,
  resource,
  RestEndpoint,
  type RestGenerics,
} from 'restitch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.js';

class Post extends Entity {
  id = 0;
  title = '';
  static override key = 'Post';
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const ALL = Array.from({ length: 7 }, (_, index) => ({ id: index + 1, title: `${index + 1}` }));

/** The query of a request. */
function queryOf({ url }: { url: string }): URLSearchParams {
  return new URL(url, 'http://localhost').searchParams;
}

function ids(rows: readonly Post[] | undefined): number[] | undefined {
  return rows?.map(({ id }) => id);
}

describe('page numbers', () => {
  it('each further page is appended, and the fields beside the list say which comes next', async () => {
    server.respond((request) => {
      const page = Number(queryOf(request).get('page') ?? 1);
      return {
        results: ALL.slice((page - 1) * 3, page * 3),
        nextPage: page * 3 < ALL.length ? page + 1 : null,
        total: ALL.length,
      };
    });
    const Posts = resource({
      urlPrefix: server.origin,
      path: '/posts/:id',
      schema: Post,
      searchParams: {} as { tag?: string },
      paginationField: 'page',
    }).extend('getList', {
      schema: { results: new Collection([Post]), nextPage: 0 as number | null, total: 0 },
    });
    const controller = new Controller();
    await controller.fetch(Posts.getList, { tag: 'x' });
    for (let more = 0; more < 5; more++) {
      const nextPage = controller.getResponse(Posts.getList, { tag: 'x' })?.nextPage;
      if (nextPage == null) break;
      const page = await controller.fetch(Posts.getList.getPage, { tag: 'x', page: nextPage });
      expect(page.results.length).toBeLessThanOrEqual(3);
    }
    const current = controller.getResponse(Posts.getList, { tag: 'x' });
    expect(ids(current?.results)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(current).toMatchObject({ nextPage: null, total: 7 });
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/posts?tag=x',
      '/posts?page=2&tag=x',
      '/posts?page=3&tag=x',
    ]);
  });
});

describe('an offset', () => {
  it('is how many there are, and a page that overlaps adds none twice', async () => {
    server.respond((request) => {
      const offset = Number(queryOf(request).get('offset') ?? 0);
      return ALL.slice(offset, offset + 3);
    });
    const Posts = resource({
      urlPrefix: server.origin,
      path: '/posts/:id',
      schema: Post,
      paginationField: 'offset',
    });
    const controller = new Controller();
    const list = await controller.fetch(Posts.getList);
    await controller.fetch(Posts.getList.getPage, { offset: list.length });
    await controller.fetch(Posts.getList.getPage, { offset: 5 });
    expect(ids(controller.getResponse(Posts.getList))).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});

describe('a cursor', () => {
  it('is read beside the list, and given to the next page', async () => {
    server.respond((request) => {
      const from = Number(queryOf(request).get('cursor') ?? 0);
      const next = from + 3 < ALL.length ? `${from + 3}` : null;
      return { results: ALL.slice(from, from + 3), nextCursor: next };
    });
    const getPosts = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/blogs/:blog/posts',
      schema: { results: new Collection([Post]), nextCursor: '' as string | null },
      paginationField: 'cursor',
    });
    const controller = new Controller();
    let { nextCursor } = await controller.fetch(getPosts, { blog: 1 });
    while (nextCursor !== null) {
      ({ nextCursor } = await controller.fetch(getPosts.getPage, { blog: 1, cursor: nextCursor }));
    }
    expect(ids(controller.getResponse(getPosts, { blog: 1 })?.results)).toHaveLength(7);
    expect(controller.getResponse(getPosts, { blog: 1 })?.nextCursor).toBeNull();
    expect(controller.getResponse(getPosts, { blog: 2 })).toBeUndefined();
  });

  it('may be an argument of its own, which a function takes away', async () => {
    server.respond((request) => {
      const from = Number(queryOf(request).get('after') ?? 0);
      return ALL.slice(from, from + 3);
    });
    const getPosts = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/posts',
      searchParams: {} as { tag?: string },
      schema: new Collection([Post]),
    });
    const getNext = getPosts.paginated(({ after: _, ...list }: { tag?: string; after: number }) => [
      list,
    ]);
    const controller = new Controller();
    await controller.fetch(getPosts, { tag: 'x' });
    await controller.fetch(getNext, { tag: 'x', after: 3 });
    expect(ids(controller.getResponse(getPosts, { tag: 'x' }))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(server.seen.at(-1)?.url).toBe('/posts?after=3&tag=x');
  });
});

describe('a Link header', () => {
  /** Puts the header's `rel="next"` beside the records of a list. */
  class LinkedEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
    override async parseResponse(response: Response) {
      const results: unknown = await super.parseResponse(response);
      const link = response.headers.get('link') ?? '';
      const url = /<([^>]*)>[^,]*;\s*rel="?next"?/.exec(link)?.[1];
      const next = url === undefined ? null : new URL(url, response.url).searchParams.get('page');
      return Array.isArray(results) ? { results, next } : results;
    }
  }

  it('becomes a field beside the list, which says what comes next', async () => {
    server.respond((request, response) => {
      const page = Number(queryOf(request).get('page') ?? 1);
      if (page * 4 < ALL.length) {
        response.setHeader(
          'link',
          `</posts?page=1>; rel="first", </posts?page=${page + 1}>; rel="next"`,
        );
      }
      return ALL.slice((page - 1) * 4, page * 4);
    });
    const Posts = resource({
      urlPrefix: server.origin,
      path: '/posts/:id',
      schema: Post,
      Endpoint: LinkedEndpoint,
      paginationField: 'page',
    }).extend('getList', {
      schema: { results: new Collection([Post]), next: '' as string | null },
    });
    const controller = new Controller();
    const { next } = await controller.fetch(Posts.getList);
    expect(next).toBe('2');
    await controller.fetch(Posts.getList.getPage, { page: String(next) });
    const current = controller.getResponse(Posts.getList);
    expect(ids(current?.results)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(current?.next).toBeNull();
  });
});

describe('a list with pages', () => {
  it('takes created members at its end, and loses deleted ones', async () => {
    server.respond((request) => {
      if (request.method === 'POST') return { id: 9, title: 'new' };
      if (request.method === 'DELETE') return { id: 2 };
      const offset = Number(queryOf(request).get('offset') ?? 0);
      return ALL.slice(offset, offset + 3);
    });
    const Posts = resource({
      urlPrefix: server.origin,
      path: '/posts/:id',
      schema: Post,
      paginationField: 'offset',
    });
    const controller = new Controller();
    await controller.fetch(Posts.getList);
    await controller.fetch(Posts.getList.getPage, { offset: 3 });
    await controller.fetch(Posts.getList.push, { title: 'new' });
    await controller.fetch(Posts.delete, { id: 2 });
    expect(ids(controller.getResponse(Posts.getList))).toEqual([1, 3, 4, 5, 6, 9]);
  });

  it('an endpoint without a list has no pages, and says so', () => {
    const { get, getList } = resource({ path: '/posts/:id', schema: Post });
    // @ts-expect-error the field is not set
    expect(() => getList.getPage({ page: 2 })).toThrow(TypeError);
    expect(() => get.paginated('page')).toThrow('contains no Collection');
  });
});
