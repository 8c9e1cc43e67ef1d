import fc from 'fast-check';
import { RestEndpoint } from 'restitch';
import { describe, expect, test } from 'vitest';

const url = (path: string, params?: object, urlPrefix = ''): string =>
  new RestEndpoint({ path, urlPrefix }).url(params as never);

describe('path templates', () => {
  test.each([
    ['/users/:id', { id: 'a b/c?d#e' }, '/users/a%20b%2Fc%3Fd%23e'],
    ['/users/:id', { id: 5 }, '/users/5'],
    ['/users/:id', { id: 0 }, '/users/0'],
    ['/users/:id', { id: 2 ** 53 }, '/users/9007199254740992'],
    ['/:a-:b/:c.json', { a: 1, b: 2, c: 3 }, '/1-2/3.json'],
    ['/items{/:id}', {}, '/items'],
    ['/items{/:id}', { id: undefined }, '/items'],
    ['/items{/:id}', { id: null }, '/items'],
    ['/items{/:id}', { id: 1 }, '/items/1'],
    ['/a{/:b}{/:c}/d', { c: 2 }, '/a/2/d'],
    ['/a{/:b{/:c}}/d', { b: 1 }, '/a/1/d'],
    ['/a{/:b{/:c}}/d', { c: 1 }, '/a/d'],
    ['/files/*path', { path: ['a', 'b c', 'd/e'] }, '/files/a/b%20c/d%2Fe'],
    ['/files{/*path}', {}, '/files'],
    ['/files{/*path}', { path: [] }, '/files'],
    ['/q/:"my-id"/x', { 'my-id': 7 }, '/q/7/x'],
    ['https\\://example.com/:id', { id: 1 }, 'https://example.com/1'],
    ['/a\\?b\\:c\\*d\\{e\\}f\\+g\\&h', {}, '/a?b:c*d{e}f+g&h'],
    ['/no-parameters', undefined, '/no-parameters'],
  ])('%s with %j gives %s', (path, params, expected) => {
    expect(url(path, params)).toBe(expected);
  });

  test.each([
    ['/search?{q=:q}{&page=:page}', {}, '/search'],
    ['/search?{q=:q}{&page=:page}', { q: 'a&b=c' }, '/search?q=a%26b%3Dc'],
    ['/search?{q=:q}{&page=:page}', { page: 2 }, '/search?page=2'],
    ['/search?{q=:q}{&page=:page}', { q: 'x', page: 2 }, '/search?q=x&page=2'],
    ['/search?{q=:q}', { q: '' }, '/search?q='],
    ['/search?q=:q&x=1', { q: 'y' }, '/search?q=y&x=1'],
    ['/search?fixed=1', { more: 2 }, '/search?fixed=1&more=2'],
    ['/search{?q=:q}', { other: 1 }, '/search?other=1'],
  ])('a literal ? starts a query: %s with %j gives %s', (path, params, expected) => {
    expect(url(path, params)).toBe(expected);
  });

  test('the prefix is joined by plain concatenation', () => {
    expect(url('/users/:id', { id: 1 }, 'https://a.example/v1')).toBe(
      'https://a.example/v1/users/1',
    );
    expect(url('users/:id', { id: 1 }, 'https://a.example/')).toBe('https://a.example/users/1');
  });

  test('a malformed template is a TypeError', () => {
    expect(() => url('/a/:')).toThrow(TypeError);
  });
});

describe('values that are refused', () => {
  test.each([
    [{}, 'is missing'],
    [{ id: undefined }, 'is missing'],
    [{ id: null }, 'is missing'],
    [{ id: '' }, 'is empty'],
    [{ id: { a: 1 } }, 'must be a string or a number'],
    [{ id: ['a'] }, 'must be a string or a number'],
    [{ id: '.' }, 'leave the path'],
    [{ id: '..' }, 'leave the path'],
  ])('%j', (params, problem) => {
    const endpoint = new RestEndpoint({ path: '/users/:id', name: 'User.get' });
    const call = (): string => endpoint.url(params as never);
    expect(call).toThrow(TypeError);
    expect(call).toThrow('User.get: the path parameter `id` of `/users/:id` ');
    expect(call).toThrow(expect.objectContaining({ code: 'path-parameter' }));
    expect(call).toThrow(problem);
  });

  test('a wildcard takes an array only, without empty segments', () => {
    expect(() => url('/f/*path', { path: 'a/b' })).toThrow(/array/);
    expect(() => url('/f/*path', { path: [] })).toThrow(/missing/);
    expect(() => url('/f/*path', { path: ['', 'evil.example'] })).toThrow(/empty/);
    expect(() => url('/f/*path', { path: ['a', '..', 'b'] })).toThrow(/leave the path/);
  });

  test('an empty optional value in the path throws, instead of naming the whole list', () => {
    expect(() => url('/items{/:id}', { id: '' })).toThrow(/empty/);
  });

  test('text and value together may not form a dot segment', () => {
    expect(() => url('/a/.:id', { id: '.' })).toThrow(TypeError);
    expect(() => url('/a/%2e:id', { id: '.' })).toThrow(TypeError);
    expect(url('/a/x:id', { id: '..' })).toBe('/a/x..');
    expect(url('/a/../:id', { id: 1 })).toBe('/a/../1');
  });

  test('a dropped group does not make the next value a host', () => {
    expect(() => url('/{:a}/:b', { b: 'evil.example' })).toThrow(TypeError);
    expect(url('{//:host}/x', { host: 'a' })).toBe('//a/x');
  });

  test('a call rejects with it before any request', async () => {
    const endpoint = new RestEndpoint({
      path: '/users/:id',
      fetchResponse: () => Promise.reject(new Error('was asked')),
    });
    await expect(endpoint({} as never)).rejects.toThrow(/missing/);
  });
});

describe('a value cannot lead to another path or host', () => {
  const prefix = 'https://api.example.com/v1';
  const nasty = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom(
        '.',
        '/',
        '\\',
        '?',
        '#',
        '@',
        ':',
        '%',
        '2',
        'e',
        'f',
        '\r',
        '\n',
        '\t',
        '\0',
        ' ',
        ';',
      ),
    }),
    fc.constantFrom(
      '..',
      '.',
      '%2e%2e',
      '..%2f',
      '//evil.example',
      '\\\\evil.example',
      'https://evil.example',
      '\ud800',
    ),
  );

  test.each(['/users/:id/posts', '/users{/:id}/posts', '/u.:id.x/posts', '/:id', '/a?{x=:id}'])(
    '%s',
    (path) => {
      const endpoint = new RestEndpoint({ path: path as string, urlPrefix: prefix });
      const segments = new URL(
        prefix + path.replaceAll(/[{}?]/g, '').replace(':id', 'x'),
      ).pathname.split('/').length;
      fc.assert(
        fc.property(nasty, (id) => {
          let text: string;
          try {
            text = endpoint.url({ id });
          } catch (error) {
            expect(error).toBeInstanceOf(TypeError);
            return;
          }
          const parsed = new URL(text);
          expect(parsed.origin).toBe('https://api.example.com');
          expect(parsed.hash).toBe('');
          expect(parsed.href.replaceAll('%00', '')).toBe(new URL(text).href.replaceAll('%00', ''));
          expect(text).toMatch(/^[\x21-\x7e]*$/);
          if (path.includes('?')) {
            expect(parsed.pathname).toBe('/v1/a');
            expect([...parsed.searchParams].length).toBe(1);
          } else {
            expect(parsed.search).toBe('');
            expect(parsed.pathname.startsWith('/v1/')).toBe(true);
            expect(parsed.pathname.split('/').length).toBe(segments);
          }
        }),
        { numRuns: 500 },
      );
    },
  );

  test('in a wildcard or a search parameter', () => {
    const endpoint = new RestEndpoint({ path: '/f/*rest' as string, urlPrefix: prefix });
    fc.assert(
      fc.property(
        fc.array(nasty, { minLength: 1, maxLength: 4 }),
        nasty,
        nasty,
        (rest, key, value) => {
          let text: string;
          try {
            text = endpoint.url({ rest, [`k${key}`]: value });
          } catch (error) {
            expect(error).toBeInstanceOf(TypeError);
            return;
          }
          const parsed = new URL(text);
          expect(parsed.origin).toBe('https://api.example.com');
          expect(parsed.pathname.split('/').length).toBe(3 + rest.length);
          expect(parsed.pathname.startsWith('/v1/f/')).toBe(true);
          expect([...parsed.searchParams.keys()].length).toBe(1);
          expect(parsed.hash).toBe('');
        },
      ),
      { numRuns: 500 },
    );
  });
});
