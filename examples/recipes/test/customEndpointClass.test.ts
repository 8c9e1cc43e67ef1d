import { Controller, Entity, resource } from 'restitch';
import { expect, it } from 'vitest';
import { ApiEndpoint } from '../src/customEndpointClass.js';
import { startServer } from './support/server.js';

class User extends Entity {
  id = '';
  name = '';
}

it('keeps the old members, typed, along with those of RestEndpoint', async () => {
  const { origin } = await startServer(() => ({ body: { id: '1', name: 'Ada' } }));
  const getUser = new ApiEndpoint({ urlPrefix: origin, path: '/users/:id', schema: User });
  expect(getUser.buildUrl({ id: '1' })).toBe(`${origin}/users/1`);
  expect(getUser.buildUrl({ id: '1' })).toBe(getUser.url({ id: '1' }));
  expect(await getUser.request({ id: '1' })).toEqual({
    url: `${origin}/users/1`,
    data: { id: '1', name: 'Ada' },
  });
  // @ts-expect-error a misspelled parameter
  expect(() => getUser.buildUrl({ userId: '1' })).toThrow(TypeError);
});

it('has a prefix of its own that an option beats', () => {
  expect(new ApiEndpoint({ path: '/x' }).buildUrl()).toBe('https://api.example.com/x');
  expect(new ApiEndpoint({ path: '/x', urlPrefix: '/api' }).buildUrl()).toBe('/api/x');
});

it('makes the endpoints of a resource, which the cache understands', async () => {
  const { origin } = await startServer(() => ({ body: { id: '1', name: 'Ada' } }));
  const Users = resource({
    urlPrefix: origin,
    path: '/users/:id',
    schema: User,
    Endpoint: ApiEndpoint,
  });
  expect(Users.getList.buildUrl()).toBe(`${origin}/users`);
  const controller = new Controller();
  const user = await controller.fetch(Users.get, { id: '1' });
  expect(user).toBeInstanceOf(User);
  expect((await Users.get.request({ id: '1' })).data).toEqual({ id: '1', name: 'Ada' });
});
