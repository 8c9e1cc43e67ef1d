import { Controller, Entity, resource } from 'restitch';
import { describe, expect, it } from 'vitest';
import { openWorld } from '../support/browserWorld.js';

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}

describe('a cross-origin read', () => {
  it('causes no preflight, while a write of JSON does', async () => {
    const world = await openWorld({
      'GET /users?sort=name': { body: [{ id: 1, name: 'Ada' }] },
      'GET /users/1': { body: { id: 1, name: 'Ada' } },
      'PATCH /users/1': { body: { id: 1, name: 'Grace' } },
    });
    expect(new URL(world.url).origin).not.toBe(location.origin);
    const Users = resource({
      urlPrefix: world.url,
      path: '/users/:id',
      schema: User,
      searchParams: {} as { sort?: string },
    });
    const controller = new Controller();
    await controller.fetch(Users.getList, { sort: 'name' });
    await controller.fetch(Users.get, { id: 1 });
    expect(await world.preflights()).toEqual([]);
    await controller.fetch(Users.partialUpdate, { id: 1 }, { name: 'Grace' });
    expect(await world.preflights()).toHaveLength(1);
  });
});
