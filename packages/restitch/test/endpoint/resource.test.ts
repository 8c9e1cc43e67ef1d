import {
  Collection,
  Controller,
  Entity,
  Invalidate,
  resource,
  RestEndpoint,
  type RestGenerics,
  type Snapshot,
} from 'restitch';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();
beforeEach(() => {
  server.respond((request) => request);
});

class Post extends Entity {
  id = '';
  title = '';
}

const make = (options: { Endpoint?: typeof RestEndpoint } = {}) =>
  resource({
    path: '/blogs/:blog/posts/:id',
    schema: Post,
    urlPrefix: server.origin,
    searchParams: {} as { notify?: boolean },
    ...options,
  });

/** Compares members; `toMatchObject` does not look into functions. */
function expectMembers(endpoint: object, members: Record<string, unknown>): void {
  const actual = Object.keys(members).map((key) => [key, Reflect.get(endpoint, key)]);
  expect(Object.fromEntries(actual)).toEqual(members);
}

describe('the endpoints of a resource', () => {
  test.each([
    ['get', 'GET', '/blogs/:blog/posts/:id', undefined],
    ['getList', 'GET', '/blogs/:blog/posts', undefined],
    ['update', 'PUT', '/blogs/:blog/posts/:id', true],
    ['partialUpdate', 'PATCH', '/blogs/:blog/posts/:id', true],
    ['delete', 'DELETE', '/blogs/:blog/posts/:id', true],
  ] as const)('%s is %s %s', (name, method, path, sideEffect) => {
    const endpoint = make()[name];
    expectMembers(endpoint, {
      method,
      path,
      sideEffect,
      name: `Post.${name}`,
      urlPrefix: server.origin,
    });
    expect(endpoint).toBeInstanceOf(RestEndpoint);
  });

  test('their schemas are the entity, a collection of it, and its end', () => {
    const Posts = make();
    for (const name of ['get', 'update', 'partialUpdate'] as const)
      expect(Posts[name].schema).toBe(Post);
    expect(Posts.getList.schema).toBeInstanceOf(Collection);
    expect(Posts.getList.schema.schema).toEqual([Post]);
    expect(Posts.delete.schema).toBeInstanceOf(Invalidate);
  });

  test('push and unshift create on the list’s path and are made once', async () => {
    const { getList } = make();
    for (const place of ['push', 'unshift'] as const) {
      const endpoint = getList[place];
      expectMembers(endpoint, {
        method: 'POST',
        path: '/blogs/:blog/posts',
        name: `Post.getList.${place}`,
        sideEffect: true,
      });
      expect(endpoint.schema).toBe(getList.schema[place]);
      expect(getList[place]).toBe(endpoint);
      const seen = await endpoint({ blog: 1, notify: true }, { title: 'x' });
      expect(seen).toMatchObject({
        method: 'POST',
        url: '/blogs/1/posts?notify=true',
        body: '{"title":"x"}',
      });
    }
  });

  test('push follows a list that is extended', () => {
    const list = make().getList.extend({
      path: '/all',
      schema: { results: new Collection([Post]), next: '' },
    });
    expect(list.push.path).toBe('/all');
    expect(list.push.schema).toBe(list.schema.results.push);
    expect((make().get as unknown as RestEndpoint).push).toBe(undefined);
  });

  test('a `paginationField` gives getPage, made once, on the list’s path', async () => {
    const { getList } = resource({
      path: '/blogs/:blog/posts/:id',
      schema: Post,
      urlPrefix: server.origin,
      paginationField: 'page',
    });
    expectMembers(getList.getPage, {
      method: 'GET',
      name: 'Post.getList.getPage',
      sideEffect: undefined,
    });
    expect(getList.getPage).toBe(getList.getPage);
    const seen = await getList.getPage({ blog: 1, page: 2 });
    expect(seen).toMatchObject({ method: 'GET', url: '/blogs/1/posts?page=2' });
    expect((make().getList as unknown as RestEndpoint).getPage).toBe(undefined);
  });

  test('`Collection` and `nonFilterArgumentKeys` make the schema of the list', () => {
    class Feed<S extends readonly unknown[]> extends Collection<S> {}
    const { getList } = resource({
      path: '/posts/:id',
      schema: Post,
      Collection: Feed,
      nonFilterArgumentKeys: ['sort'],
    });
    expect(getList.schema).toBeInstanceOf(Feed);
    expect(getList.schema.options).toEqual({ nonFilterArgumentKeys: ['sort'] });
  });

  test('any endpoint with a collection has push', () => {
    const endpoint = new RestEndpoint({ path: '/posts', schema: new Collection([Post]) });
    expectMembers(endpoint.push, { method: 'POST', name: '/posts.push' });
  });

  test.each([
    ['/posts/:id', '/posts'],
    ['/posts{/:id}', '/posts'],
    ['/posts/{:id}', '/posts'],
    ['/a/:a/b{/:b}', '/a/:a/b'],
    ['/a{/:a{/:b}}', '/a{/:a}'],
    ['{/:a}/b/:id', '{/:a}/b'],
    ['/posts/{draft/:id}', '/posts/{draft}'],
    [':id', ''],
    ['https\\://api.example.com/:id', 'https\\://api.example.com'],
    ['/files/*path', '/files'],
    ['/q/:"my:id"', '/q'],
    ['/posts/:id?version=:version', '/posts'],
    ['/posts/:id{?version=:version}', '/posts'],
    ['/posts/:"what?"?version=:version', '/posts'],
    ['/index.php?route=/posts/:id', '/index.php?route=/posts'],
  ])('the list of %s is %s', (path, list) => {
    const { getList } = resource({ path: path as string, schema: Post });
    expect(getList.path).toBe(list);
    expect(() => getList.url({ a: 1 })).not.toThrow();
  });

  test('a path without a placeholder throws', () => {
    expect(() => resource({ path: '/posts', schema: Post })).toThrow(
      /`path` "\/posts".*placeholder/,
    );
    expect(() => resource({ path: '/posts\\:id', schema: Post })).toThrow(TypeError);
  });

  test('without a schema it says what is missing', () => {
    expect(() => resource({ path: '/posts/:id' } as never)).toThrow(
      /resource\(\): set `schema` to an entity class/,
    );
  });

  test('options and the class go to every endpoint', () => {
    class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
      override urlPrefix = 'https://class.example';
      override dataExpiryLength: number = 5;
      override getHeaders(headers: HeadersInit): HeadersInit {
        return { ...headers, own: 'yes' };
      }
    }
    const Posts = resource({
      path: '/posts/:id',
      schema: Post,
      Endpoint: Api,
      invalidIfStale: true,
      dataExpiryLength: 7,
    });
    for (const endpoint of [
      Posts.get,
      Posts.getList,
      Posts.update,
      Posts.partialUpdate,
      Posts.delete,
      Posts.getList.push,
    ]) {
      expect(endpoint).toBeInstanceOf(Api);
      expectMembers(endpoint, {
        urlPrefix: 'https://class.example',
        dataExpiryLength: 7,
        invalidIfStale: true,
      });
      expect(endpoint.getHeaders({})).toEqual({ own: 'yes' });
    }
    expect(Posts.get.name).toBe('Post.get');
  });
});

describe('delete', () => {
  test.each([
    [204, undefined, ''],
    [200, 'application/json', ''],
    [200, 'text/plain', ''],
    [200, 'application/json', '{}'],
    [200, 'application/json', 'null'],
    [200, 'application/json', '""'],
    [200, 'application/json', '1'],
    [200, 'application/json', '{"success":true}'],
    [200, 'application/json', '{"id":"another"}'],
    [200, 'application/json', 'OK'],
    [200, 'text/plain', 'OK'],
    [200, 'text/html', '<p>deleted</p>'],
    [200, 'application/octet-stream', 'deleted'],
    [200, undefined, 'deleted'],
  ])('%s %s %s resolves to the row of the last path parameter', async (status, type, body) => {
    server.raw(status, type, body);
    expect(await make().delete({ blog: 1, id: 2 })).toBe(2);
  });

  test('resolves for a response that is parsed to nothing', async () => {
    const parseResponse = async (): Promise<void> => {};
    const options = { path: '/posts/:id', schema: Post, urlPrefix: server.origin, parseResponse };
    expect(await resource(options).delete({ id: 2 })).toBe(2);
  });

  test('without a schema resolves to the response, after the class’s process', async () => {
    class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
      override process(value: any): any {
        return { ...value, processed: true };
      }
    }
    server.respond(() => ({ id: '2' }));
    const bare = { schema: undefined };
    const { delete: processed } = make({ Endpoint: Api });
    const args = { blog: 1, id: 2 };
    expect(await processed.extend(bare)(args)).toEqual({ id: '2', processed: true });
    expect(await make().delete.extend(bare)(args)).toEqual({ id: '2' });
    expect(await processed(args)).toBe(2);
  });

  test('with a schema of its own resolves to the response, which that schema reads', async () => {
    const schema = { post: new Invalidate(Post), blog: Post };
    server.respond(() => ({ post: '2', blog: { id: '1' } }));
    expect(await make().delete.extend({ schema })({ blog: 1, id: 2 })).toEqual({
      post: '2',
      blog: { id: '1' },
    });
  });

  test('a Blob is a response', async () => {
    server.raw(200, 'image/png', 'abc');
    const endpoint = make().delete.extend({ schema: undefined, content: 'blob' });
    expect(await endpoint({ blog: 1, id: 2 })).toBeInstanceOf(Blob);
  });
});

describe('extend', () => {
  test('by name changes or adds one endpoint', () => {
    const Posts = make();
    const More = Posts.extend('get', { dataExpiryLength: 9 }).extend('latest', {
      path: '/latest',
      urlPrefix: 'p',
    });
    expectMembers(More.get, { dataExpiryLength: 9, name: 'Post.get' });
    expectMembers(More.latest, {
      path: '/latest',
      name: 'Post.latest',
      method: 'GET',
    });
    expect(More.extend('latest', { path: '/last' }).latest.url()).toBe('p/last');
    expect(Posts.get.dataExpiryLength).toBe(undefined);
    expect(More.delete).toBe(Posts.delete);
    expect('latest' in Posts).toBe(false);
  });

  test('a new name has the schema that it is given, or none', async () => {
    const Posts = make();
    const More = Posts.extend('bulkDelete', {
      path: '/posts/bulk-delete',
      method: 'POST',
      body: {} as { ids: string[] },
    }).extend('latest', { path: '/latest', schema: Post });
    expect(More.bulkDelete.schema).toBe(undefined);
    expect(More.latest.schema).toBe(Post);
    server.respond(() => ({ deleted: 2 }));
    const controller = new Controller();
    expect(await controller.fetch(More.bulkDelete, { ids: ['1', '2'] })).toEqual({ deleted: 2 });
  });

  test('a new name has no schema in the object form, and none of a class’s constructor either', () => {
    class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
      constructor(options: any) {
        super({ schema: Post, ...options });
      }
    }
    const Posts = make({ Endpoint: Api });
    expect(Posts.extend('stats', { path: '/stats' }).stats.schema).toBe(undefined);
    // By type it takes standard names only.
    const untyped = Posts as { extend(options: object): Record<string, { schema: unknown }> };
    expect(untyped.extend({ stats: { path: '/stats' } })['stats']?.schema).toBe(undefined);
  });

  test('a new name does not check its response as `get` does', async () => {
    const refuseAll = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: () => ({ issues: [{ message: 'refused' }] }),
      },
    } as const;
    const Posts = make().extend('get', { validate: refuseAll });
    const More = Posts.extend('stats', { path: '/stats' }).extend('get', { timeout: 5_000 });
    server.respond(() => ({ posts: 2 }));
    expect(await More.stats()).toEqual({ posts: 2 });
    await expect(More.get({ blog: '1', id: '1' })).rejects.toThrow('refused');
  });

  test('a known name keeps its schema', () => {
    const Posts = make()
      .extend('get', { timeout: 5 })
      .extend('latest', { path: '/latest', schema: Post })
      .extend('latest', { timeout: 5 });
    expect(Posts.get.schema).toBe(Post);
    expect(Posts.latest.schema).toBe(Post);
  });

  test('by an object changes several', () => {
    const Posts = make().extend({ get: { timeout: 1 }, getList: { path: '/all' } });
    expect(Posts.get.timeout).toBe(1);
    expect(Posts.getList.url()).toBe(`${server.origin}/all`);
    expect(Posts.update.method).toBe('PUT');
  });

  test('by a function adds what it returns', () => {
    const Posts = make().extend((base) => ({
      publish: base.partialUpdate.extend({ path: '/posts/:id/publish' }),
      get: base.get.extend({ timeout: 2 }),
    }));
    expectMembers(Posts.publish, { method: 'PATCH', path: '/posts/:id/publish' });
    expect(Posts.get.timeout).toBe(2);
    expect(Posts.getList.push.method).toBe('POST');
  });

  test('works on a spread copy', () => {
    const Posts = { ...make(), extra: 1 };
    expect(Posts.extend('get', { timeout: 3 })).toMatchObject({ extra: 1 });
  });
});

describe('optimistic: true', () => {
  const abort = new Error('abort');
  const snapshot = (row?: object): Snapshot =>
    ({
      get: () => row,
      getResponse: () => undefined,
      getError: () => undefined,
      abort,
      fetchedAt: 0,
    }) as unknown as Snapshot;
  const makePosts = () =>
    resource({ path: '/blogs/:blog/posts/:id', schema: Post, optimistic: true });
  let Posts: ReturnType<typeof makePosts>;
  beforeAll(() => {
    Posts = makePosts();
  });
  const optimistic = (endpoint: object, row: object | undefined, ...args: unknown[]): unknown =>
    (endpoint as RestEndpoint).getOptimisticResponse?.(snapshot(row), ...args);

  test('a read has no optimistic update, and without the option no endpoint has one', () => {
    expect(optimistic(Posts.get, {}, {})).toBe(undefined);
    expectMembers(Posts.getList, { getOptimisticResponse: undefined });
    expectMembers(make().update, { getOptimisticResponse: undefined });
  });

  test('an update predicts the body, and the key from the path', () => {
    for (const endpoint of [Posts.update, Posts.partialUpdate]) {
      expect(
        optimistic(endpoint, { id: 5, title: 'old' }, { id: '5', blog: 1 }, { title: 'new' }),
      ).toEqual({ id: '5', title: 'new' });
    }
    const form = new FormData();
    form.set('title', 'from a form');
    expect(optimistic(Posts.update, undefined, { id: '5' }, form)).toEqual({
      id: '5',
      title: 'from a form',
    });
  });

  test('a parameter named like a field changes no field', () => {
    const params = { id: '5', blog: 1, title: 'searched' };
    expect(optimistic(Posts.update, { id: 5, title: 'old' }, params, {})).toEqual({ id: '5' });
  });

  test('an update of an unknown record predicts its body and the key from the path', () => {
    const given = { id: '5', views: '3' };
    const predicted = { id: '5', title: 'new' };
    expect(optimistic(Posts.partialUpdate, undefined, given, { title: 'new' })).toEqual(predicted);
    expect(optimistic(Posts.update, undefined, given, { title: 'new' })).toEqual(predicted);
  });

  test('a move of an unknown record is skipped', () => {
    const { move } = Posts.getList;
    expect(() => optimistic(move, undefined, { id: '5' }, { title: 'new' })).toThrow(abort);
  });

  test('a delete predicts that the row of its last parameter is deleted', () => {
    expect(optimistic(Posts.delete, {}, { id: '5' })).toBe('5');
  });

  test('edits of the list predict their body', () => {
    const { push, unshift, remove } = Posts.getList;
    expect(optimistic(push, undefined, { blog: 1 }, { title: 'a' })).toEqual({ title: 'a' });
    expect(optimistic(push, undefined, { title: 'a' })).toEqual({ title: 'a' });
    expect(optimistic(remove, undefined, { blog: 1 }, { id: 1 })).toEqual({ id: 1 });
    expect(optimistic(unshift, undefined, { blog: 1 }, [{ title: 'a' }])).toEqual([{ title: 'a' }]);
    const form = new FormData();
    form.set('title', 'b');
    expect(optimistic(push, undefined, { blog: 1 }, form)).toEqual({ title: 'b' });
  });
});

test.each(['endpoint', 'collection'])('a lower-case `%s` is warned about', (option) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  resource({ path: '/posts/:id', schema: Post, [option]: RestEndpoint });
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(`\`${option}\``));
  warn.mockClear();
  resource({ path: '/posts/:id', schema: Post, Endpoint: RestEndpoint });
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});
