import { Collection, Entity, Invalidate, Union } from 'restitch';
import { describe, expect, it } from 'vitest';
import { flush, ignore, idsOf, listen, manual, mutation, openWorld } from '../support/world.js';

class Author extends Entity {
  id = '';
  name = '';
  static override key = 'Author';
}

class Article extends Entity {
  id = '';
  title = '';
  author = Author.fromJS({});
  editor: Author | undefined = undefined;
  related: Article[] = [];
  static override key = 'Article';
  static override schema: Record<string, unknown> = {};
}
Article.schema = { author: Author, editor: Author, related: [Article] };

const articles = new Collection([Article]);
const removeAuthor = () => mutation('removeAuthor', new Invalidate(Author));

/** Two articles by one author each; the first is edited by the second's author. */
async function openLibrary() {
  const world = openWorld();
  const list = manual('getArticles', articles);
  const remove = removeAuthor();
  ignore(world.controller.fetch(list.endpoint));
  await list.respond([
    { id: '1', title: 'one', author: { id: 'a' }, editor: { id: 'b' }, related: ['2'] },
    { id: '2', title: 'two', author: { id: 'b' }, related: ['1'] },
  ]);
  return {
    ...world,
    list,
    remove: async (id: string) => {
      const request = world.controller.fetch(remove.endpoint, { id });
      await remove.respond({ id });
      await request;
    },
  };
}

describe('a relation to a deleted record', () => {
  it('that is optional reads as undefined', async () => {
    const { controller, remove } = await openLibrary();
    expect(controller.get(Article, { id: '1' })?.editor?.id).toBe('b');
    await remove('b');
    expect(controller.get(Article, { id: '1' })).toMatchObject({ title: 'one' });
    expect(controller.get(Article, { id: '1' })?.editor).toBeUndefined();
  });

  it('that is required makes its owner missing, in lists, relations and lookups', async () => {
    const { controller, list, remove } = await openLibrary();
    expect(idsOf(controller.getResponse(list.endpoint))).toEqual(['1', '2']);
    await remove('b');
    expect(controller.get(Article, { id: '2' })).toBeUndefined();
    expect(idsOf(controller.getResponse(list.endpoint))).toEqual(['1']);
    expect(controller.get(Article, { id: '1' })?.related).toEqual([]);
  });

  it('makes readers of the owner wait, and the record comes back with the related one', async () => {
    const { controller, remove } = await openLibrary();
    const get = manual('getArticle', Article, { key: ({ id }: { id: string }) => `article ${id}` });
    const view = controller.observe(get.endpoint, { id: '2' });
    const notified = listen(view);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { title: 'two' } });
    await remove('b');
    expect(notified.count).toBe(1);
    expect(view.getSnapshot()).toEqual({ status: 'pending' });
    expect(view.needsLoad(true)).toBe(true);
    void view.load();
    await get.respond({ id: '2', title: 'two', author: { id: 'c', name: 'Cy' } });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { author: { name: 'Cy' } } });
  });

  it('that the server still refers to is an error, not a request without end', async () => {
    const { controller, remove } = await openLibrary();
    const get = manual('getArticle', Article, { key: ({ id }: { id: string }) => `article ${id}` });
    await remove('b');
    const view = controller.observe(get.endpoint, { id: '2' });
    for (let sent = 0; sent < 5 && view.needsLoad(); sent += 1) {
      void view.load();
      await get.respond({ id: '2', author: 'b' });
    }
    expect(get.calls.length).toBeLessThanOrEqual(2);
    expect(view.getSnapshot()).toMatchObject({
      status: 'error',
      error: { code: 'unreadable' },
    });
    controller.set(Author, { id: 'b' }, { name: 'Back' });
    expect(view.getSnapshot()).toMatchObject({
      status: 'ready',
      data: { author: { name: 'Back' } },
    });
  });

  it('comes back when an optimistic delete fails', async () => {
    const { controller } = await openLibrary();
    const remove = mutation('remove', new Invalidate(Author), (_, args: object) => args);
    const before = controller.get(Article, { id: '2' });
    ignore(controller.fetch(remove.endpoint, { id: 'b' }));
    expect(controller.get(Article, { id: '2' })).toBeUndefined();
    await remove.fail(new Error('no'));
    expect(controller.get(Article, { id: '2' })).toEqual(before);
  });

  it('comes back when an optimistic delete fails of a record that was not there', async () => {
    const { controller } = openWorld();
    const remove = mutation('remove', new Invalidate(Author), (_, args: object) => args);
    controller.set(Article, { id: '1' }, { author: 'unknown' });
    ignore(controller.fetch(remove.endpoint, { id: 'unknown' }));
    expect(controller.get(Article, { id: '1' })).toBeUndefined();
    await remove.fail(new Error('no'));
    expect(controller.get(Article, { id: '1' })?.author).toEqual(Author.fromJS({}));
  });

  it('stays one where a function that was set since makes nothing of the deleted row', async () => {
    const { controller } = await openLibrary();
    const older = manual('getAuthor', new Invalidate(Author));
    ignore(controller.fetch(older.endpoint));
    controller.set(Author, { id: 'b' }, (author) => author && { ...author, name: 'set' });
    expect(controller.get(Article, { id: '2' })?.author.name).toBe('set');
    await older.respond({ id: 'b' });
    expect(controller.get(Article, { id: '2' })).toBeUndefined();
  });

  it('is distinguished from one to a record that is only not there', async () => {
    const { controller } = openWorld();
    controller.set(Article, { id: '1' }, { author: 'unknown' });
    expect(controller.get(Article, { id: '1' })?.author).toEqual(Author.fromJS({}));
    const remove = removeAuthor();
    const request = controller.fetch(remove.endpoint, { id: 'unknown' });
    await remove.respond({ id: 'unknown' });
    await request;
    expect(controller.get(Article, { id: '1' })).toBeUndefined();
  });
});

describe('a required relation that is null', () => {
  it('is there: what counts as missing is a deleted record', () => {
    class Sheet extends Entity {
      id = '';
      owner: Author | null = Author.fromJS({});
      helper: Author | undefined = undefined;
      static override key = 'RelationsSheet';
      static override schema = { owner: Author, helper: Author };
    }
    const { controller } = openWorld();
    controller.set(Sheet, { id: '1' }, { owner: null, helper: { id: 'h' } });
    controller.set(new Invalidate(Author), {}, 'h');
    expect(controller.get(Sheet, { id: '1' })).toMatchObject({ owner: null, helper: undefined });
  });
});

describe('records that require one another', () => {
  class Person extends Entity {
    id = '';
    name = '';
    partner: object = { none: true };
    home: Author | undefined = undefined;
    static override key = 'Person';
    static override schema: Record<string, unknown> = {};
  }
  Person.schema = { partner: Person, home: Author };
  class Tenant extends Person {
    static override key = 'Tenant';
    static override defaults = { home: true };
    static override schema: Record<string, unknown> = {};
  }
  Tenant.schema = { partner: Tenant, home: Author };

  const couple = {
    id: '1',
    partner: { id: '2', partner: { id: '3', partner: '1' }, home: { id: 'h' } },
  };

  it('in a circle are there as long as all of them are', async () => {
    const { controller } = openWorld();
    controller.set(Person, {}, couple);
    expect(controller.get(Person, { id: '1' })).toMatchObject({ id: '1', partner: { id: '2' } });
    const remove = mutation('remove', new Invalidate(Person));
    const request = controller.fetch(remove.endpoint, { id: '3' });
    await remove.respond({ id: '3' });
    await request;
    expect(controller.get(Person, { id: '1' })).toBeUndefined();
    expect(controller.get(Person, { id: '2' })).toBeUndefined();
    controller.set(Person, { id: '3' }, { partner: '1' });
    expect(controller.get(Person, { id: '1' })).toMatchObject({ id: '1', partner: { id: '2' } });
  });

  it('go together when one of them lacks another record, and come back together', async () => {
    const { controller } = openWorld();
    controller.set(Tenant, {}, couple);
    const views = ['1', '2', '3'].map((id) => controller.observeQuery(Tenant, { id }));
    for (const view of views) view.subscribe(() => {});
    const shownNow = () =>
      views.map((view) => (view.getSnapshot().status === 'ready' ? dataIn(view) : 0));
    expect(shownNow()).toEqual(['1', '2', '3']);
    const remove = removeAuthor();
    const request = controller.fetch(remove.endpoint, { id: 'h' });
    await remove.respond({ id: 'h' });
    await request;
    expect(shownNow()).toEqual([undefined, undefined, undefined]);
    controller.set(Author, { id: 'h' }, { name: 'rebuilt' });
    await flush();
    expect(shownNow()).toEqual(['1', '2', '3']);
  });

  function dataIn(view: ReturnType<ReturnType<typeof openWorld>['controller']['observeQuery']>) {
    const snapshot = view.getSnapshot();
    const data: unknown = snapshot.status === 'ready' ? snapshot.data : undefined;
    return data instanceof Tenant ? data.id : undefined;
  }
});

describe('a required member of a union', () => {
  it('that is deleted makes its owner missing too', async () => {
    class Note extends Entity {
      id = '';
      about: object = { none: true };
      static override key = 'Note';
      static override schema = { about: new Union({ author: Author }, () => 'author') };
    }
    const { controller } = openWorld();
    controller.set(Note, { id: '1' }, { about: { id: 'a' } });
    expect(controller.get(Note, { id: '1' })?.about).toBeInstanceOf(Author);
    const remove = removeAuthor();
    const request = controller.fetch(remove.endpoint, { id: 'a' });
    await remove.respond({ id: 'a' });
    await request;
    expect(controller.get(Note, { id: '1' })).toBeUndefined();
  });
});
