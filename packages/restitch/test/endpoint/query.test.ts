import { Controller, RestEndpoint, type RestGenerics } from 'restitch';
import { describe, expect, test, vi } from 'vitest';

const list = (options: object = {}): RestEndpoint =>
  new RestEndpoint({ path: '/items', ...options }) as unknown as RestEndpoint;

describe('search parameters', () => {
  test.each([
    [{ b: 2, a: 1 }, '/items?a=1&b=2'],
    [{ on: true, off: false, zero: 0, empty: '' }, '/items?empty=&off=false&on=true&zero=0'],
    [{ a: undefined, b: null }, '/items'],
    [{ tag: ['x', undefined, 'y', null] }, '/items?tag=x&tag=y'],
    [{ at: new Date(0) }, '/items?at=1970-01-01T00%3A00%3A00.000Z'],
    [{ host: new URL('http://a.example') }, '/items?host=http%3A%2F%2Fa.example%2F'],
    [{ 'a&b': 'c=d e+f' }, '/items?a%26b=c%3Dd%20e%2Bf'],
    [{ cut: 'x\ud83d' }, '/items?cut=x%EF%BF%BD'],
  ])('%j', (params, expected) => {
    expect(list().url(params)).toBe(expected);
  });

  test('a nested object throws and names the override', () => {
    expect(() => list({ name: 'Item.getList' }).url({ filter: { a: 1 } })).toThrow(
      /Item\.getList.*`filter`.*searchToString/,
    );
    const maps = [new Set([1]), new Map([[1, 2]]), new (class Range {})()];
    for (const filter of [{ a: 1 }, Object.create(null), [{ a: 1 }], ...maps]) {
      const code = 'search-parameter';
      expect(() => list().url({ filter })).toThrow(expect.objectContaining({ code }));
    }
    expect(() => list().url({ filter: [[1]] })).toThrow(TypeError);
    expect(list().url({ at: new URL('https://a.example/x') })).toContain(
      'at=https%3A%2F%2Fa.example%2Fx',
    );
  });

  test('values in the option are defaults that a call overrides or removes', () => {
    const endpoint = list({ searchParams: { limit: 10, page: 1 } });
    expect(endpoint.url()).toBe('/items?limit=10&page=1');
    expect(endpoint.url({ page: 2 })).toBe('/items?limit=10&page=2');
    expect(endpoint.url({ page: undefined })).toBe('/items?limit=10');
  });

  test('searchToString may change the parameters or be replaced', () => {
    class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
      override searchToString(params: Record<string, any>): string {
        return super.searchToString({ ...params, key: 'k' });
      }
    }
    expect(new Api({ path: '/items' as string }).url({ z: 1, a: 2 })).toBe('/items?a=2&key=k&z=1');
    const json = list({
      searchToString: (params: object) => `q=${encodeURIComponent(JSON.stringify(params))}`,
    });
    expect(json.key({ filter: { a: 1 } })).not.toBe(json.key({ filter: { a: 2 } }));
  });

  test('a bare string or number is no search parameter', () => {
    expect(list().url('abc' as never)).toBe('/items');
  });
});

describe('key', () => {
  test('is the method and the URL with a sorted query', () => {
    expect(list().key({ b: 1, a: 2 })).toBe('GET /items?a=2&b=1');
    expect(list({ path: '/items?z=1' }).key({ b: [21, 12] })).toBe('GET /items?b=21&b=12&z=1');
    expect(list({ path: '/items?ab=1' }).key({ a: 2 })).toBe('GET /items?a=2&ab=1');
    expect(list({ method: 'POST' }).key()).toBe('POST /items');
    expect(list({ path: '?b=1' }).key({ a: 2 })).toBe('GET ?a=2&b=1');
  });

  test('is sorted also where url() is overridden', () => {
    const endpoint = new RestEndpoint({ url: (id: string) => `/x/${id}?b=1&a=2` });
    expect(endpoint.key('5')).toBe('GET /x/5?a=2&b=1');
    expect(endpoint.url('5')).toBe('/x/5?b=1&a=2');
  });

  test('does not depend on how values are written', () => {
    const endpoint = new RestEndpoint({ path: '/users/:id' });
    expect(endpoint.key({ id: 5 })).toBe(endpoint.key({ id: '5' }));
  });
});

describe('testKey', () => {
  test.each([
    ['/users/:id', { id: 'a.b*c(d)/e?f' }],
    ['/users/:id{/posts/:post}', { id: 1, post: 2 }],
    ['/users/:id{/posts/:post}', { id: 1, x: 2 }],
    ['/files/*path', { path: ['a', 'b'] }],
    ['/files{/*path}', {}],
    ['/a.b+c'.replace('+', '\\+'), { q: '$&' }],
    ['/search?{q=:q}{&page=:page}', { page: 1, more: 'x' }],
    ['/search?q=:q&fixed=1', { q: 'z', a: 1 }],
    ['/search{?q=:q}', { q: 'z' }],
    ['/search{?q=:q}', { other: 1 }],
    ['https\\://api.example.com/:id', { id: '$' }],
  ])('accepts what %s with %j gives', (path, params) => {
    const endpoint = new RestEndpoint({ path: path as string, urlPrefix: 'p(.' });
    expect(endpoint.testKey(endpoint.key(params))).toBe(true);
  });

  test.each([
    'GET /users',
    'GET /users/',
    'GET /users/1/posts',
    'POST /users/1',
    'GET /usersX/1',
    'GET x/users/1',
    'GET /users/1x/y',
  ])('GET /users/:id refuses %s', (key) => {
    expect(new RestEndpoint({ path: '/users/:id' }).testKey(key)).toBe(false);
  });

  test('a pair that the template requires must be there', () => {
    const endpoint = new RestEndpoint({ path: '/search?q=:q&fixed=1' });
    expect(endpoint.testKey('GET /search?q=1')).toBe(false);
    expect(endpoint.testKey('GET /search?fixed=1&q=1')).toBe(true);
  });

  test('follows a prefix that changes', () => {
    let tenant = '/one';
    const endpoint = list();
    Object.defineProperty(endpoint, 'urlPrefix', { get: () => tenant });
    expect(endpoint.testKey('GET /one/items')).toBe(true);
    tenant = '/two';
    expect(endpoint.testKey('GET /two/items')).toBe(true);
    expect(endpoint.testKey('GET /one/items')).toBe(false);
  });

  test('remembers no keys of an overridden url(): invalidateAll finds results by who asked', () => {
    const endpoint = new RestEndpoint({ url: (id: string) => `/x/${id}` });
    const other = new RestEndpoint({ url: (id: string) => `/y/${id}` });
    expect(endpoint.testKey(endpoint.key('5'))).toBe(false);
    const controller = new Controller();
    controller.setResponse(endpoint, '5', 'five');
    controller.setResponse(endpoint, '6', 'six');
    controller.setResponse(other, '5', 'other');
    void controller.invalidateAll(endpoint);
    expect([endpoint, other].map((one) => controller.getResponse(one, '5'))).toEqual([
      undefined,
      'other',
    ]);
    expect(controller.getResponse(endpoint, '6')).toBeUndefined();
  });
});

test('an endpoint without path and url() says so', () => {
  const endpoint = new RestEndpoint({ name: 'Nowhere' } as never) as unknown as RestEndpoint;
  expect(() => endpoint.url()).toThrow(/Nowhere.*path/);
});

test('a class may take over url(), and calls and keys follow', async () => {
  const fetchResponse = vi.fn(
    async (_input: RequestInfo) =>
      new Response('{}', { headers: { 'content-type': 'application/json' } }),
  );
  class Versioned<O extends RestGenerics = any> extends RestEndpoint<O> {
    override url(...args: Parameters<RestEndpoint<O>['url']>): string {
      return `${super.url(...args)}?v=2`;
    }
  }
  const endpoint = new Versioned({ path: '/users/:id', fetchResponse });
  await endpoint({ id: 1 });
  expect(fetchResponse.mock.calls[0]?.[0]).toBe('/users/1?v=2');
  expect(endpoint.key({ id: 1 })).toBe('GET /users/1?v=2');
});
