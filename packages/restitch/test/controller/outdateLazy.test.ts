/** `expireWhere` and `invalidateWhere` by a record that a result reaches only through a `Lazy` field. */
import {
  Collection,
  Controller,
  Entity,
  expireWhere,
  invalidateWhere,
  Lazy,
  resource,
} from 'restitch';
import { expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

class User extends Entity {
  id = '';
  name = '';
}

class Ticket extends Entity {
  id = '';
  watchers: readonly string[] = [];
  static override schema = { watchers: new Lazy(new Collection([User])) };
}

class Board extends Entity {
  id = '';
  tickets: readonly Ticket[] = [];
  static override schema = { tickets: [Ticket] };
}

const ticket = (id: string, watcher: string) => ({ id, watchers: [{ id: watcher, name: 'a' }] });
const Boards = resource({ urlPrefix: server.origin, path: '/boards/:id', schema: Board });

async function open() {
  server.respond(({ url }) => {
    const id = url.slice(-1);
    return { id, tickets: [ticket(`first of ${id}`, id), ticket(`second of ${id}`, '3')] };
  });
  const controller = new Controller();
  await controller.fetch(Boards.get, { id: '1' });
  await controller.fetch(Boards.get, { id: '2' });
  const views = ['1', '2'].map((id) => controller.observe(Boards.get, { id }));
  return { controller, needed: () => views.map((view) => view.needsLoad()) };
}

it.each([expireWhere, invalidateWhere])('%o selects the results that reach it', async (outdate) => {
  const { controller, needed } = await open();
  await outdate(controller, { entity: User, pk: '9' });
  expect(needed()).toEqual([false, false]);
  await outdate(controller, { entity: User, pk: '2' });
  expect(needed()).toEqual([false, true]);
  await outdate(controller, { entity: User, pk: '3' });
  expect(needed()).toEqual([true, true]);
});

it('a class selects the results that reach any of its records', async () => {
  const { controller, needed } = await open();
  await expireWhere(controller, { entity: User });
  expect(needed()).toEqual([true, true]);
});
