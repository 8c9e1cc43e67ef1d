/** A record that is fetched while a deletion of it is under way: the promise never gives less than its type says. */
import { Entity, Invalidate, Union } from 'restitch';
import { describe, expect, it } from 'vitest';
import { ignore, manual, mutation, openWorld } from '../support/world.js';

class Note extends Entity {
  id = '';
  text = '';
  static override key = 'FetchedNote';
}

const said = { id: '1', text: 'said' };

describe('a record that is fetched while an optimistic deletion hides it', () => {
  it.each([
    ['a record', Note, said],
    ['an envelope', { data: Note, count: 0 }, { data: said, count: 1 }],
    ['a union', new Union({ a: Note, b: Note }, () => 'a'), said],
  ])('resolves to the response, as %s', async (_, schema, response) => {
    for (const isDeletedFirst of [false, true]) {
      const { controller } = openWorld();
      const get = manual('get', schema);
      const remove = mutation('remove', new Invalidate(Note), (__, { id }) => ({ id }));
      controller.set(Note, { id: '1' }, { id: '1', text: 'old' });
      ignore(controller.fetch(remove.endpoint, { id: '1' }));
      const fetched = controller.fetch(get.endpoint, { id: '1' });
      if (isDeletedFirst) await remove.respond({ id: '1' });
      await get.respond(response);
      expect(await fetched).toEqual(response);
      expect(controller.get(Note, { id: '1' })).toBeUndefined();
    }
  });

  it('is an instance of its class', async () => {
    const { controller } = openWorld();
    const get = manual('get', Note);
    const remove = mutation('remove', new Invalidate(Note), (_, { id }) => ({ id }));
    ignore(controller.fetch(remove.endpoint, { id: '1' }));
    const fetched = controller.fetch(get.endpoint, { id: '1' });
    await get.respond(said);
    expect(await fetched).toBeInstanceOf(Note);
  });

  it('rejects where its class refuses the response', async () => {
    class Valid extends Note {
      static override validate(fields: Readonly<Record<string, unknown>>): string | undefined {
        return fields['text'] === 'said' ? 'no' : undefined;
      }
    }
    const { controller } = openWorld();
    const get = manual('get', Valid);
    const fetched = controller.fetch(get.endpoint, { id: '1' });
    ignore(fetched);
    await get.respond(said);
    await expect(fetched).rejects.toThrow('FetchedNote');
  });

  it.each([
    ['an array', [Note], [said], []],
    ['an envelope with an array', { data: [Note] }, { data: [said] }, { data: [] }],
    [
      'an array beside other data',
      { page: { notes: [Note] }, note: Note },
      { page: { notes: [said] }, note: null },
      { page: { notes: [] }, note: null },
    ],
  ])('is omitted from %s', async (_, schema, response, rest) => {
    const { controller } = openWorld();
    const get = manual('get', schema);
    const remove = mutation('remove', new Invalidate(Note), (__, { id }) => ({ id }));
    const fetched = controller.fetch(get.endpoint, { id: '1' });
    ignore(controller.fetch(remove.endpoint, { id: '1' }));
    await remove.respond({ id: '1' });
    await get.respond(response);
    expect(await fetched).toEqual(rest);
  });
});
