/** Identity 2.7: a `Collection` that is used by itself before the endpoint that reads it is loaded. */
import { Collection, Controller, Entity, Query, RestEndpoint } from 'restitch';
import { describe, expect, it } from 'vitest';
import { listen } from '../support/world.js';

class Note extends Entity {
  id = '';
  text = '';
}

const newNotes = (): Collection<[typeof Note]> => new Collection([Note]);
const notesOf = (list: Collection<[typeof Note]>, path: string) =>
  new RestEndpoint({ urlPrefix: 'http://127.0.0.1:9', path, schema: list });

describe('a Collection that is used by itself before an endpoint reads it', () => {
  it('keeps what was written to it, for the first endpoint', () => {
    const controller = new Controller();
    const notes = newNotes();
    controller.set(notes, {}, [{ id: '1', text: 'kept' }]);
    const getNotes = notesOf(notes, '/notes');
    expect(controller.get(notes, {})).toMatchObject([{ text: 'kept' }]);
    expect(controller.get(getNotes.schema, {})).toMatchObject([{ text: 'kept' }]);
  });

  it('is the current value of its observers, once the response to the endpoint arrives', () => {
    const controller = new Controller();
    const notes = newNotes();
    const view = controller.observeQuery(notes, {});
    const count = controller.observeQuery(new Query(notes, (list) => list.length), {});
    listen(view);
    listen(count);
    controller.setResponse(notesOf(notes, '/notes'), {}, [{ id: '1', text: 'read' }]);
    expect(view.getSnapshot()).toMatchObject({ data: [{ text: 'read' }] });
    expect(count.getSnapshot()).toMatchObject({ data: 1 });
  });

  it('is no other endpoint’s list', () => {
    const controller = new Controller();
    const notes = newNotes();
    controller.set(notes, {}, [{ id: '1', text: 'kept' }]);
    const [first, second] = [notesOf(notes, '/notes'), notesOf(notes, '/archive')];
    expect(controller.get(first.schema, {})).toHaveLength(1);
    expect(controller.get(second.schema, {})).toBeUndefined();
    expect(() => controller.get(notes, {})).toThrow(
      expect.objectContaining({ code: 'ambiguous-list' }),
    );
  });

  it('stands for the endpoint that was declared, not for one with other defaults made of it', () => {
    const controller = new Controller();
    const notes = newNotes();
    const getNotes = notesOf(notes, '/notes');
    getNotes.extend({ searchParams: { archived: 'yes' } });
    controller.setResponse(getNotes, {}, [{ id: '1', text: 'current' }]);
    expect(controller.get(notes, {})).toMatchObject([{ text: 'current' }]);
  });
});
