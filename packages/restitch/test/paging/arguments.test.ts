/** Where the value that says which page may stand: in the query, in an object there, or in the body. */
import { Collection, Controller, Entity, RestEndpoint } from 'restitch';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.js';

class Post extends Entity {
  id = 0;
  static override key = 'Post';
}

let server: TestServer;
let controller: Controller;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
beforeEach(() => {
  controller = new Controller();
  server.seen.length = 0;
  let count = 0;
  server.respond(() => [{ id: ++count }]);
});

const ids = (rows: readonly Post[] | undefined): number[] | undefined => rows?.map(({ id }) => id);
const sent = (): string[] =>
  server.seen.map(({ method, url, body }) => [method, url, body].join(' ').trim());

/** A search by POST, which only reads. */
const searching = () => ({
  urlPrefix: server.origin,
  path: '/search' as const,
  method: 'POST' as const,
  sideEffect: undefined,
  schema: new Collection([Post]),
});

describe('a page in the query of a read with an optional body', () => {
  it('is asked for without a body, and belongs to the list without one', async () => {
    const search = new RestEndpoint({
      ...searching(),
      body: {} as { q: string } | undefined,
      paginationField: 'page',
    });
    await controller.fetch(search);
    await controller.fetch(search.getPage, { page: 2 });
    expect(sent()).toEqual(['POST /search', 'POST /search?page=2']);
    expect(ids(controller.getResponse(search))).toEqual([1, 2]);
  });

  it('is asked for with one, and belongs to the list of that body', async () => {
    const search = new RestEndpoint({
      ...searching(),
      body: {} as { q: string } | undefined,
      paginationField: 'page',
    });
    await controller.fetch(search, { q: 'a' });
    await controller.fetch(search, { q: 'b' });
    await controller.fetch(search.getPage, { page: 2 }, { q: 'b' });
    expect(sent().at(-1)).toBe('POST /search?page=2 {"q":"b"}');
    expect(ids(controller.getResponse(search, { q: 'a' }))).toEqual([1]);
    expect(ids(controller.getResponse(search, { q: 'b' }))).toEqual([2, 3]);
  });

  it('stays in the query where the endpoint of the pages is extended', async () => {
    const { paginationField: _, ...options } = { ...searching(), paginationField: 'page' };
    const page = new RestEndpoint(options).paginated('page').extend({ dataExpiryLength: 5 });
    await controller.fetch(page, { page: 2 });
    expect(sent()).toEqual(['POST /search?page=2']);
  });
});

describe('a page in the body', () => {
  it('is one of its members, and no part of what identifies the list', async () => {
    const search = new RestEndpoint({
      ...searching(),
      body: {} as { q: string; cursor?: string },
      paginationField: 'body.cursor',
    });
    await controller.fetch(search, { q: 'a' });
    await controller.fetch(search, { q: 'b' });
    await controller.fetch(search.getPage, { q: 'a', cursor: 'x' });
    expect(sent().at(-1)).toBe('POST /search {"q":"a","cursor":"x"}');
    expect(ids(controller.getResponse(search, { q: 'a' }))).toEqual([1, 3]);
    expect(ids(controller.getResponse(search, { q: 'b' }))).toEqual([2]);
  });

  it('may stand beside parameters', async () => {
    const search = new RestEndpoint({
      ...searching(),
      path: '/search/:index',
      body: {} as { q: string; cursor?: string },
      paginationField: 'body.cursor',
    });
    await controller.fetch(search, { index: 1 }, { q: 'a' });
    await controller.fetch(search.getPage, { index: 1 }, { q: 'a', cursor: 'x' });
    expect(sent().at(-1)).toBe('POST /search/1 {"q":"a","cursor":"x"}');
    expect(ids(controller.getResponse(search, { index: 1 }, { q: 'a' }))).toEqual([1, 2]);
  });

  it('may be taken away by a function', async () => {
    const search = new RestEndpoint({ ...searching(), body: {} as { q: string } });
    const next = search.paginated(({ cursor: _, ...body }: { q: string; cursor: string }) => [
      body,
    ]);
    await controller.fetch(search, { q: 'a' });
    await controller.fetch(next, { q: 'a', cursor: 'x' });
    expect(sent().at(-1)).toBe('POST /search {"q":"a","cursor":"x"}');
    expect(ids(controller.getResponse(search, { q: 'a' }))).toEqual([1, 2]);
  });
});

describe('a page in an object of the query', () => {
  /** `page[number]=2`, as JSON:API servers take it. */
  const nested = <F extends string>(paginationField: F) =>
    new RestEndpoint({
      urlPrefix: server.origin,
      path: '/posts',
      searchParams: {} as { page?: { number?: number; size?: number } },
      schema: new Collection([Post]),
      searchToString: (params: Readonly<Record<string, Readonly<Record<string, unknown>>>>) =>
        Object.entries(params)
          .flatMap(([outer, inner]) =>
            Object.entries(inner).map(([name, value]) => `${outer}[${name}]=${String(value)}`),
          )
          .join('&'),
      paginationField,
    });

  it('is the whole object, or the member that the field names', async () => {
    const whole = nested('page');
    await controller.fetch(whole);
    await controller.fetch(whole.getPage, { page: { number: 2, size: 1 } });
    expect(sent().at(-1)).toBe('GET /posts?page[number]=2&page[size]=1');
    expect(ids(controller.getResponse(whole))).toEqual([1, 2]);
  });

  it('leaves the other members of the object to identify the list', async () => {
    const getPosts = nested('page[number]');
    await controller.fetch(getPosts, { page: { size: 1 } });
    await controller.fetch(getPosts, { page: { size: 5 } });
    await controller.fetch(getPosts.getPage, { page: { number: 2, size: 5 } });
    expect(ids(controller.getResponse(getPosts, { page: { size: 1 } }))).toEqual([1]);
    expect(ids(controller.getResponse(getPosts, { page: { size: 5 } }))).toEqual([2, 3]);
  });

  it('leaves nothing where it is the only member', async () => {
    const getPosts = nested('page[number]');
    await controller.fetch(getPosts);
    await controller.fetch(getPosts.getPage, { page: { number: 2 } });
    expect(ids(controller.getResponse(getPosts))).toEqual([1, 2]);
  });
});

it('a function may take the only argument away from a list without arguments', async () => {
  const getPosts = new RestEndpoint({
    urlPrefix: server.origin,
    path: '/posts',
    schema: new Collection([Post]),
  });
  const next = getPosts.paginated(({ cursor: _, ...list }: { cursor: string }) => [list]);
  await controller.fetch(getPosts);
  await controller.fetch(next, { cursor: 'x' });
  expect(ids(controller.getResponse(getPosts))).toEqual([1, 2]);
});
