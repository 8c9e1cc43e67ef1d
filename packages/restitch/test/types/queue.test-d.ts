/** Queued endpoints keep their types; only the promises of undoable ones have `cancel`. */
import { coalesced, Controller, Entity, resource, serial, undoable, type Undoable } from 'restitch';
import { expectTypeOf, test } from 'vitest';

class Note extends Entity {
  id = '';
  text = '';
}
const Notes = resource({ path: '/notes/:id', schema: Note }).extend((base) => ({
  ...base,
  partialUpdate: coalesced(base.partialUpdate),
  update: serial(base.update, ({ id }) => `${id}`),
  delete: undoable(serial(base.delete, 'deletes')),
}));
const controller = new Controller();

test('queued endpoints of a resource take the same arguments and resolve to the same values', () => {
  expectTypeOf(controller.fetch(Notes.partialUpdate, { id: 1 }, { text: '' })).toEqualTypeOf<
    Promise<Note>
  >();
  expectTypeOf(controller.fetch(Notes.update, { id: '1' }, { text: '' })).toEqualTypeOf<
    Promise<Note>
  >();
  // @ts-expect-error -- the body is missing
  void (() => controller.fetch(Notes.partialUpdate, { id: '1' }));
  // @ts-expect-error -- only undoable calls can be canceled
  void (() => controller.fetch(Notes.update, { id: '1' }, { text: '' }).cancel());
});

test('calls of an undoable endpoint can be canceled', () => {
  const deletion = controller.fetch(Notes.delete, { id: '1' });
  expectTypeOf(deletion.cancel).toEqualTypeOf<() => boolean>();
  expectTypeOf(deletion).toExtend<Undoable<unknown>>();
  expectTypeOf(deletion).resolves.toEqualTypeOf<Awaited<ReturnType<typeof fetchPlain>>>();
});

const { delete: plain } = resource({ path: '/notes/:id', schema: Note });
const fetchPlain = () => controller.fetch(plain, { id: '1' });
