/** Prefix and path make one URL, on the host that the definition names. */
import { Controller, resource, RestEndpoint, Entity } from 'restitch';
import { describe, expect, it } from 'vitest';

class User extends Entity {
  id = '';
  static override key = 'PrefixUser';
}

const make = (urlPrefix: string, path: string): RestEndpoint =>
  new RestEndpoint({ urlPrefix, path, name: 'getIt' });

describe('urlPrefix and path', () => {
  it.each([
    ['/', '/users/:id', '/users/1'],
    ['/', '{/:id}', '/1'],
    ['/', '{/:id}/users', '/1/users'],
    ['/api/', '/users/:id', '/api/users/1'],
    ['https://a.example/', '/users/:id', 'https://a.example/users/1'],
    ['https://a.example/v1/', '/users/:id', 'https://a.example/v1/users/1'],
    ['https://a.example', 'users/:id', 'https://a.example/users/1'],
    ['https://a.example', ':id', 'https://a.example/1'],
    ['https://a.example:80', '{:id}', 'https://a.example:80/1'],
    ['//a.example', 'users/:id', '//a.example/users/1'],
    ['https://a.example', '/users/:id', 'https://a.example/users/1'],
    ['https://a.example', '?id=:id', 'https://a.example?id=1'],
    ['https://a.example/users-', ':id', 'https://a.example/users-1'],
    ['https://a.example/users/', ':id', 'https://a.example/users/1'],
    ['https://a.example/users/', '?id=:id', 'https://a.example/users/?id=1'],
    ['', '/users/:id', '/users/1'],
    ['', 'users/:id', 'users/1'],
  ])('%j and %j give %j, as URL and in keys', (urlPrefix, path, url) => {
    const get = make(urlPrefix, path);
    expect(get.url({ id: 1 })).toBe(url);
    expect(get.testKey(get.key({ id: 1 }))).toBe(true);
    expect(get.testKey('GET /a/b/c')).toBe(false);
  });

  it('are the prefix when the path is left out', () => {
    expect(make('/', '{/:id}').url({})).toBe('/');
    expect(make('https://a.example/api/', '{/:id}').url({})).toBe('https://a.example/api');
  });

  it('name an endpoint as they stand in the URL', () => {
    expect(new RestEndpoint({ urlPrefix: '/', path: '/users/:id' }).name).toBe('/users/:id');
  });

  it('are joined for the list of a resource as well', () => {
    const Users = resource({ urlPrefix: '/', path: '/users/:id', schema: User });
    expect(Users.getList.key()).toBe('GET /users');
    expect(Users.get.key({ id: '5' })).toBe('GET /users/5');
  });

  it('cannot be made to name another host by a value', () => {
    expect(make('https://a.example', ':id').url({ id: '.evil.example' })).toBe(
      'https://a.example/.evil.example',
    );
    expect(() => make('', '/{:a}/:id').url({ id: 'evil.example' })).toThrow(/name a host/);
  });

  it('that is undefined counts as empty', () => {
    class Api extends RestEndpoint {
      override urlPrefix = undefined as never;
    }
    expect(new Api({ path: '/users' }).url()).toBe('/users');
  });
});

describe('a path that cannot be read', () => {
  it.each([
    ['http://host:3000/users/:id', /set `urlPrefix: 'http:\/\/host:3000'`.*`\\\\:`/i],
    ['https://host/users/:id', /urlPrefix: 'https:\/\/host'/],
    ['https\\://host:3000/users/:id', /Missing parameter name/],
    ['/users/:', /Missing parameter name/],
    ['/users/{:id', /Unexpected end/],
  ])('%j is refused where it is defined, with what to do', (path, message) => {
    const refused = { name: 'TypeError', code: 'path-template' };
    for (const define of [
      () => new RestEndpoint({ path, name: 'getIt' }),
      () => new RestEndpoint({ path: '/a', name: 'getIt' }).extend({ path }),
      () => resource({ path: `${path}/:key`, schema: User, name: 'getIt' }),
    ]) {
      expect(define).toThrow(expect.objectContaining(refused));
      expect(define).toThrow(/getIt/);
      expect(define).toThrow(message);
    }
  });

  it('is escaped', () => {
    const get = new RestEndpoint({ path: 'http\\://host\\:3000/users/:id' });
    expect(get.url({ id: 1 })).toBe('http://host:3000/users/1');
  });

  it('as a class field is refused by the first use, in the same words', async () => {
    class Api extends RestEndpoint {
      override path = 'http://host:3000/users';
    }
    const get = new Api({ name: 'getIt' } as never);
    await expect(get()).rejects.toMatchObject({ code: 'path-template' });
    await expect(new Controller().fetch(get)).rejects.toThrow(/urlPrefix/);
    expect(get.errorPolicy(await get().catch((error: unknown) => error))).toBe('hard');
  });
});
