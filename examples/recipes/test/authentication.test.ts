import { Controller, Entity, type RestGenerics, resource } from 'restitch';
import { expect, it } from 'vitest';
import { ApiKeyEndpoint } from '../src/apiKey.js';
import { BasicAuthEndpoint } from '../src/basicAuth.js';
import { BearerEndpoint } from '../src/bearerToken.js';
import { startServer } from './support/server.js';

const noContent = () => startServer(() => ({ status: 204 }));

it('sends the bearer token that is current when the call is made', async () => {
  const server = await noContent();
  const tokens = ['first', undefined, 'second'];
  class Api<O extends RestGenerics = any> extends BearerEndpoint<O> {
    override getToken() {
      return Promise.resolve(tokens.shift());
    }
  }
  const get = new Api({ urlPrefix: server.origin, path: '/me' });
  await get();
  await get();
  await get();
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer first',
    undefined,
    'Bearer second',
  ]);
});

it('adds to the headers that are there, and replaces an older authorization', async () => {
  const server = await noContent();
  const post = new BearerEndpoint({
    urlPrefix: server.origin,
    path: '/me',
    body: {} as { name: string },
    requestInit: { headers: { Authorization: 'Bearer old', 'X-Trace': '1' } },
    getToken: () => 'new',
  });
  await post({ name: 'Ada' });
  expect(server.seen[0]?.headers).toMatchObject({
    authorization: 'Bearer new',
    'content-type': 'application/json',
    'x-trace': '1',
  });
});

it('authenticates every endpoint of a resource', async () => {
  class User extends Entity {
    id = '';
  }
  class Api<O extends RestGenerics = any> extends BearerEndpoint<O> {
    override getToken() {
      return 'abc';
    }
  }
  const server = await startServer(({ method, url }) => ({
    body: method === 'GET' && url === '/users' ? [] : { id: '1' },
  }));
  const Users = resource({
    urlPrefix: server.origin,
    path: '/users/:id',
    schema: User,
    Endpoint: Api,
  });
  const controller = new Controller();
  await controller.fetch(Users.getList);
  await controller.fetch(Users.getList.push, {});
  await controller.fetch(Users.delete, { id: '1' });
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(
    Array(3).fill('Bearer abc'),
  );
});

it.each([
  ['Aladdin', 'open sesame', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
  ['Zoë', 'pa:ss·字', `Basic ${Buffer.from('Zoë:pa:ss·字').toString('base64')}`],
])('sends %s and a password as base64', async (username, password, header) => {
  const server = await noContent();
  await new BasicAuthEndpoint({ urlPrefix: server.origin, path: '/me', username, password })();
  expect(server.seen[0]?.headers.authorization).toBe(header);
});

it('sends an API key in its header, also of extended endpoints', async () => {
  const server = await noContent();
  const get = new ApiKeyEndpoint({ path: '/me', apiKey: 'k-1' });
  await get.extend({ urlPrefix: server.origin })();
  expect(server.seen[0]?.headers['x-api-key']).toBe('k-1');
});
