import { Controller, Entity, resource } from 'restitch';
import { expect, it } from 'vitest';
import { IdFromPathEndpoint } from '../src/missingId.js';
import { startServer } from './support/server.js';

class Profile extends Entity {
  username = '';
  bio = '';

  override pk(): string {
    return this.username;
  }
}

it('copies the path parameter into the field that is the primary key', async () => {
  const { origin } = await startServer(() => ({ body: { bio: 'Mathematician' } }));
  const getProfile = new IdFromPathEndpoint({
    urlPrefix: origin,
    path: '/users/:username/profile',
    schema: Profile,
    idParam: 'username',
  });
  const controller = new Controller();
  const profile = await controller.fetch(getProfile, { username: 'ada' });
  expect(profile).toBeInstanceOf(Profile);
  expect(profile).toMatchObject({ username: 'ada', bio: 'Mathematician' });
  expect(controller.get(Profile, { username: 'ada' })).toBe(profile);
});

it('uses `id` by default', async () => {
  const { origin } = await startServer(() => ({ body: { name: 'x' } }));
  const get = new IdFromPathEndpoint({ urlPrefix: origin, path: '/things/:id' });
  expect(await get({ id: 5 })).toEqual({ id: 5, name: 'x' });
});

it('leaves lists and empty responses as they are', async () => {
  const replies = [{ body: [{ bio: 'x' }] }, { status: 204 }];
  const { origin } = await startServer(() => replies.shift() ?? {});
  const get = new IdFromPathEndpoint({ urlPrefix: origin, path: '/things/:id' });
  expect(await get({ id: '1' })).toEqual([{ bio: 'x' }]);
  expect(await get({ id: '1' })).toBeNull();
});

it('serves the reads and changes of a resource', async () => {
  const { origin } = await startServer(({ method }) =>
    method === 'DELETE' ? { status: 204 } : { body: { bio: method } },
  );
  class ProfileEndpoint extends IdFromPathEndpoint {
    override readonly idParam = 'username';
  }
  const Profiles = resource({
    urlPrefix: origin,
    path: '/profiles/:username',
    schema: Profile,
    Endpoint: ProfileEndpoint,
  });
  const controller = new Controller();
  await controller.fetch(Profiles.get, { username: 'ada' });
  await controller.fetch(Profiles.update, { username: 'ada' }, { bio: 'new' });
  expect(controller.get(Profile, { username: 'ada' })?.bio).toBe('PUT');
  await controller.fetch(Profiles.delete, { username: 'ada' });
  expect(controller.get(Profile, { username: 'ada' })).toBeUndefined();
});
