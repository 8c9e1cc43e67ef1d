/** A list in a record has no scope. The same list at a path of its own can have one. */
import { Collection, Controller, Entity, resource } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Note extends Entity {
  id = '';
  guest = '';
  static override key = 'ScopedNote';
}
const notes = new Collection([Note], {
  name: 'scoped notes',
  nestKey: (guest: { id: string }) => ({ guest: guest.id }),
  argsKey: ({ guest }: { guest: string }) => ({ guest }),
});
class Guest extends Entity {
  id = '';
  notes: Note[] = [];
  static override key = 'ScopedGuest';
  static override schema = { notes };
}

const server = await serverOfFile();
const urlPrefix = server.origin;

const open = (scope: string | undefined) => ({
  Guests: resource({ urlPrefix, path: '/guests/:id', schema: Guest, scope }),
  Notes: resource({
    urlPrefix,
    path: '/guests/:guest/notes/:id',
    schema: Note,
    body: {} as Partial<Note>,
    scope,
  }).extend('getList', { schema: notes }),
});

it.each([undefined, 'ann'])(
  'creates and moves change the list in its record (scope: %s)',
  async (scope) => {
    server.respond(({ method, url }) => {
      const [, , guest = '', list] = url.split('/');
      if (method === 'POST') return { id: '2', guest };
      if (method === 'PATCH') return { id: '1', guest: 'b' };
      const rows = guest === 'a' ? [{ id: '1', guest }] : [];
      return list ? rows : { id: guest, notes: rows };
    });
    const { Guests, Notes } = open(scope);
    const controller = new Controller();
    await controller.fetch(Guests.get, { id: 'a' });
    await controller.fetch(Guests.get, { id: 'b' });
    await controller.fetch(Notes.getList, { guest: 'a' });
    const inRecord = (id: string) =>
      controller.getResponse(Guests.get, { id })?.notes.map((note) => note.id);
    await controller.fetch(Notes.getList.push, { guest: 'a' }, { guest: 'a' });
    expect(inRecord('a')).toEqual(['1', '2']);
    expect(controller.getResponse(Notes.getList, { guest: 'a' })).toHaveLength(2);
    await controller.fetch(Notes.getList.move, { guest: 'a', id: '1' }, { guest: 'b' });
    expect([inRecord('a'), inRecord('b')]).toEqual([['2'], ['1']]);
  },
);

it('two scopes of a path have two lists', async () => {
  server.respond(({ method }) => (method === 'POST' ? { id: '2', guest: 'a' } : [{ id: '1' }]));
  const [ann, bob] = [open('ann').Notes, open('bob').Notes];
  const controller = new Controller();
  await controller.fetch(ann.getList, { guest: 'a' });
  expect(controller.observe(bob.getList, { guest: 'a' }).getSnapshot().status).toBe('pending');
  await controller.fetch(bob.getList, { guest: 'a' });
  await controller.fetch(ann.getList.push, { guest: 'a' }, { guest: 'a' });
  expect(controller.getResponse(ann.getList, { guest: 'a' })).toHaveLength(2);
  expect(controller.getResponse(bob.getList, { guest: 'a' })).toHaveLength(1);
});

it.each([undefined, 'ann'])(
  'creates and moves change a hydrated list in its record before the first read (scope: %s)',
  async (scope) => {
    server.respond(({ method, url }) => {
      const [, , guest = ''] = url.split('/');
      if (method === 'POST') return { id: '2', guest };
      if (method === 'PATCH') return { id: '1', guest: 'b' };
      return { id: guest, notes: guest === 'a' ? [{ id: '1', guest }] : [] };
    });
    const { Guests, Notes } = open(scope);
    const before = new Controller();
    await before.fetch(Guests.get, { id: 'a' });
    await before.fetch(Guests.get, { id: 'b' });
    const state = JSON.parse(JSON.stringify(getState(before)));
    const controller = new Controller();
    hydrate(controller, state);
    await controller.fetch(Notes.getList.push, { guest: 'a' }, { guest: 'a' });
    await controller.fetch(Notes.getList.move, { guest: 'a', id: '1' }, { guest: 'b' });
    const inRecord = (id: string) =>
      controller.getResponse(Guests.get, { id })?.notes.map((note) => note.id);
    expect([inRecord('a'), inRecord('b')]).toEqual([['2'], ['1']]);
    // The state that is exported before anybody reads the lists has the changes, too.
    const other = new Controller();
    hydrate(other, state);
    await other.fetch(Notes.getList.push, { guest: 'a' }, { guest: 'a' });
    const last = new Controller();
    hydrate(last, JSON.parse(JSON.stringify(getState(other))));
    const notes = last.getResponse(Guests.get, { id: 'a' })?.notes;
    expect(notes?.map((note) => note.id)).toEqual(['1', '2']);
  },
);
