import { Collection, EntityMixin } from 'restitch';
import { getState } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { dataOf, idsOf, listen, manual, openWorld } from '../support/world.js';

/** A class that knows nothing of restitch. */
class Todo {
  static limit = 3;
  id = '';
  title = '';
  author: Writer | undefined = undefined;
  get slug(): string {
    return this.title.toLowerCase();
  }
  shout(): string {
    return `${this.title}!`;
  }
}
class Writer {
  handle = '';
}

class WriterEntity extends EntityMixin(Writer) {
  static override key = 'Writer';
  override pk() {
    return this.handle;
  }
}
class TodoEntity extends EntityMixin(Todo) {
  static override key = 'Todo';
  static override schema = { author: WriterEntity };
}

describe('EntityMixin', () => {
  it('makes records of a class that exists already: fields, getters, methods and statics stay', async () => {
    const { controller } = openWorld();
    const list = manual('getTodos', new Collection([TodoEntity]));
    const request = controller.fetch(list.endpoint);
    await list.respond([{ id: 1, title: 'Milk', author: { handle: 'ada' } }, { id: 2 }]);
    const [first, second] = await request;
    expect(first).toBeInstanceOf(Todo);
    expect(first).toBeInstanceOf(TodoEntity);
    expect([first?.slug, first?.shout(), TodoEntity.limit]).toEqual(['milk', 'Milk!', 3]);
    expect(first?.author).toBeInstanceOf(Writer);
    expect(second?.title).toBe('');
    const view = controller.observeQuery(TodoEntity, { id: 1 });
    const notified = listen(view);
    controller.set(WriterEntity, { handle: 'ada' }, { name: 'Ada' });
    expect(notified.count).toBe(1);
    expect(dataOf(view)?.author).toMatchObject({ name: 'Ada' });
  });

  it('takes key, schema and primary key as options', async () => {
    const Plain = EntityMixin(Todo, { key: 'PlainTodo', pk: 'title', schema: { at: Date } });
    const ByFunction = EntityMixin(Todo, { pk: ({ title, id }) => `${title}-${id}` });
    const { controller } = openWorld();
    controller.set(Plain, { title: 'Milk' }, { at: '2026-01-01' });
    expect(controller.get(Plain, { title: 'Milk' })).toMatchObject({ at: new Date('2026-01-01') });
    controller.set(ByFunction, {}, { title: 'a', id: 'b' });
    expect(controller.get(ByFunction, 'a-b')?.title).toBe('a');
    expect([Plain.key, ByFunction.key, ByFunction.name]).toEqual(['PlainTodo', undefined, 'Todo']);
  });

  it('keeps private fields and what reads them, also in functions that update', () => {
    class Account {
      #currency = 'EUR';
      id = '';
      amount = 0;
      note = 'none';
      get price(): string {
        return `${this.amount} ${this.#currency}`;
      }
    }
    class AccountEntity extends EntityMixin(Account) {
      static override key = 'Account';
    }
    const { controller } = openWorld();
    controller.set(AccountEntity, { id: '1' }, { amount: 3 });
    expect(controller.get(AccountEntity, { id: '1' })?.price).toBe('3 EUR');
    controller.set(AccountEntity, { id: '1' }, (account) => ({
      ...account,
      label: account?.price,
    }));
    expect(controller.get(AccountEntity, { id: '1' })).toMatchObject({ label: '3 EUR' });
    // The function got what is stored, without what the class adds.
    expect(Object.keys(getState(controller).entities['Account']?.[0]?.fields ?? {})).toEqual([
      'id',
      'amount',
      'label',
    ]);
  });

  it('leaves the class as it was', () => {
    expect(Object.getOwnPropertyNames(Todo).sort()).toEqual([
      'length',
      'limit',
      'name',
      'prototype',
    ]);
    expect('pk' in Todo.prototype).toBe(false);
    const { controller } = openWorld();
    const { endpoint } = manual('raw', { at: Todo });
    expect(endpoint.schema.at).toBe(Todo);
    expect(controller.get(TodoEntity, { id: 1 })).toBeUndefined();
  });

  it('gives the life cycle of records', () => {
    class Strict extends EntityMixin(Todo) {
      static override key = 'StrictTodo';
      static override validate(value: Readonly<Record<string, unknown>>): string | undefined {
        return value['title'] ? undefined : 'no title';
      }
      static override merge(
        existing: Readonly<Record<string, unknown>>,
        incoming: Readonly<Record<string, unknown>>,
      ) {
        return { ...super.merge(existing, incoming), merged: true };
      }
    }
    const { controller } = openWorld();
    expect(() => controller.set(Strict, { id: '1' }, {})).toThrow(/no title/);
    controller.set(Strict, { id: '1' }, { title: 'a' });
    controller.set(Strict, { id: '1' }, { title: 'b' });
    expect(controller.get(Strict, { id: '1' })).toMatchObject({ title: 'b', merged: true });
    expect(idsOf([Strict.fromJS({ id: '2', title: 'c' })])).toEqual(['2']);
  });

  it('refuses what is no class', () => {
    expect(() => EntityMixin(undefined as never)).toThrow(TypeError);
  });
});
