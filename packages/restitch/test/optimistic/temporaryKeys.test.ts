import { Collection, Controller, Entity, type Manager } from 'restitch';
import { describe, expect, it } from 'vitest';
import { flush, ignore, mutation } from '../support/world.js';

class Note extends Entity {
  id = '';
  text = '';
  static override key = 'Note of an operation';
}

class Numbered extends Entity {
  id = 0;
  text = '';
  static override key = 'Numbered of an operation';
}

/** A manager that gives each fetch action the id of its operation, as one that stores them does. */
const naming = (id: string): Manager => ({
  middleware: () => (next) => (action) =>
    next(action.type === 'fetch' && action.endpoint.sideEffect ? { ...action, id } : action),
});

function openList<E extends typeof Note | typeof Numbered>(entity: E, id: string) {
  const controller = new Controller({ managers: [naming(id)] });
  const list = new Collection([entity]);
  const create = mutation('create', list.push, (_, body: object | object[]) => body);
  controller.set(list, {}, []);
  // Whatever happened before the reload is no part of the keys.
  const keys = () => controller.get(list, {})?.map((record) => record.id);
  return { controller, list, create, keys };
}

describe('the temporary key of a created record whose fetch action has an id', () => {
  it.each([Note, Numbered])('is the same after a reload', (entity) => {
    const before = openList(entity, 'op-1');
    ignore(before.controller.fetch(before.create.endpoint, { text: 'a' }));
    const after = openList(entity, 'op-1');
    after.controller.set(entity, { id: 5 }, { text: 'another write' });
    ignore(after.controller.fetch(after.create.endpoint, { text: 'a' }));
    expect(after.keys()).toEqual(before.keys());
    const other = openList(entity, 'op-2');
    ignore(other.controller.fetch(other.create.endpoint, { text: 'a' }));
    expect(other.keys()).not.toEqual(before.keys());
  });

  it.each([Note, Numbered])(
    'is no key of another record, though a server returns it for one',
    async (entity) => {
      const { controller, create, keys } = openList(entity, 'op-1');
      const second = mutation('createSecond', create.endpoint.schema, (_, body: object) => body);
      ignore(controller.fetch(create.endpoint, [{ text: 'a' }, { text: 'b' }]));
      const [a, b] = keys() ?? [];
      ignore(controller.fetch(second.endpoint, { text: 'c' }));
      await create.respond([
        { id: b, text: 'a' },
        { id: a, text: 'b' },
      ]);
      await second.respond({ id: 7, text: 'c' });
      expect(keys()?.map(String)).toContain('7');
      expect(new Set(keys()).size).toBe(keys()?.length);
    },
  );

  it.each([Note, Numbered])('is different for each record of one create', (entity) => {
    const { controller, create, keys } = openList(entity, 'op-1');
    ignore(controller.fetch(create.endpoint, [{ text: 'a' }, { text: 'b' }]));
    expect(new Set(keys()).size).toBe(2);
  });

  it.each([Note, Numbered])(
    'is replaced by the real key, also in later requests',
    async (entity) => {
      const { controller, create, keys } = openList(entity, 'op: "1"');
      ignore(controller.fetch(create.endpoint, { text: 'a' }));
      const [id] = keys() ?? [];
      const edit = mutation('edit', entity);
      ignore(controller.fetch(edit.endpoint, { id, text: 'b' }));
      await flush();
      expect(edit.calls).toEqual([]);
      await create.respond({ id: 7, text: 'a' });
      expect(keys()).toEqual([7]);
      expect(edit.calls.map(({ args }) => args)).toEqual([[{ id: 7, text: 'b' }]]);
    },
  );
});

describe('a list whose argument is the temporary key of a created record', () => {
  it('keeps its members when another key begins with the same characters', async () => {
    const controller = new Controller();
    const authors = new Collection([Note]);
    const create = mutation('create', authors.push, (_, body: object[]) => body);
    controller.set(authors, {}, []);
    ignore(controller.fetch(create.endpoint, Array(11).fill({ text: 'an author' })));
    const last = controller.get(authors, {})?.at(-1);
    const books = new Collection([Numbered]);
    controller.set(books, { author: last?.id }, [{ id: 5 }]);
    await create.respond(Array.from({ length: 11 }, (_, index) => ({ id: `real ${index}` })));
    expect(controller.get(books, { author: 'real 10' })?.map(({ id }) => id)).toEqual([5]);
  });
});
