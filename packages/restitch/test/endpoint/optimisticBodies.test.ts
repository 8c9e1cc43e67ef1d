/** What the bodies of mutations show before the server responds. */
import { Controller, Entity, resource } from 'restitch';
import { getState } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

class Todo extends Entity {
  id = '';
  title = '';
  tags: string[] = [];
  priority = 2;
  done = false;
}

/** A record in the store, and mutations that the server does not respond to. */
function open() {
  const controller = new Controller();
  const Todos = resource({
    urlPrefix: 'http://x',
    path: '/todos/:id',
    schema: Todo,
    optimistic: true,
    send: () => new Promise<Response>(() => {}),
    body: {} as object,
  });
  const row = { id: '1', title: 'first', tags: ['x'], priority: 3, done: true };
  controller.setResponse(Todos.getList, [row]);
  controller.setResponse(Todos.get, { id: '1' }, row);
  const shownNow = () => controller.get(Todo, { id: '1' });
  return { controller, Todos, shown: shownNow };
}

describe('an optimistic body', () => {
  it('says nothing of fields that are undefined, as its JSON does not', () => {
    const { controller, Todos, shown: shownNow } = open();
    void controller.fetch(Todos.partialUpdate, { id: '1' }, { title: undefined, tags: ['y'] });
    expect(shownNow()).toMatchObject({ title: 'first', tags: ['y'], priority: 3 });
    expect(controller.observe(Todos.get, { id: '1' }).getSnapshot().status).toBe('ready');
    void controller.fetch(Todos.getList.push, { title: undefined, priority: 5 });
    expect(controller.getResponse(Todos.getList)?.[1]).toMatchObject({ title: '', priority: 5 });
  });

  it('that is a form gives fields their values: numbers, booleans, arrays', () => {
    const { controller, Todos, shown: shownNow } = open();
    const form = new FormData();
    for (const [name, value] of Object.entries({ tags: 'y', priority: '5', done: 'false' }))
      form.append(name, value);
    void controller.fetch(Todos.partialUpdate, { id: '1' }, form);
    expect(shownNow()).toMatchObject({ title: 'first', tags: ['y'], priority: 5, done: false });
    const created = new FormData();
    created.append('done', 'on');
    created.append('priority', '7');
    void controller.fetch(Todos.getList.push, created);
    expect(controller.getResponse(Todos.getList)?.[1]).toMatchObject({ done: true, priority: 7 });
  });

  it('that is a form leaves out values without a field', () => {
    const { controller, Todos, shown: shownNow } = open();
    const form = new FormData();
    form.append('priority', 'high');
    form.append('done', 'maybe');
    void controller.fetch(Todos.partialUpdate, { id: '1' }, form);
    expect(shownNow()).toMatchObject({ priority: 3, done: true });
  });
});

describe('the files of a form', () => {
  class Doc extends Entity {
    id = '';
    title = '';
    file: string | null = null;
    pages: string[] = [];
    static override key = 'Doc';
  }
  const stored = { id: '1', title: 'old', file: '/old.txt', pages: ['/1.png'] };

  function openDocs(optimistic: boolean) {
    const controller = new Controller();
    const Docs = resource({
      urlPrefix: server.origin,
      path: '/docs/:id',
      schema: Doc,
      optimistic,
    });
    controller.setResponse(Docs.getList, [stored]);
    const form = new FormData();
    form.set('title', 'new');
    form.set('file', new File(['x'], 'new.txt'));
    form.append('pages', 'kept');
    form.append('pages', new File(['x'], '2.png'));
    form.append('pages', 'last');
    const rows = () => controller.getResponse(Docs.getList);
    return { controller, Docs, form, rows };
  }

  it('are no values of an optimistic record', async () => {
    const { controller, Docs, form, rows } = openDocs(true);
    server.respond(({ method }) => ({ id: method === 'POST' ? '2' : '1' }));
    const created = controller.fetch(Docs.getList.push, form as never);
    const updated = controller.fetch(Docs.partialUpdate, { id: '1' }, form as never);
    expect(rows()).toMatchObject([
      { ...stored, title: 'new' },
      { title: 'new', file: null, pages: [] },
    ]);
    await Promise.all([created, updated]);
  });

  it.each([true, false])(
    'are no values of a record whose response leaves them out, optimistic: %s',
    async (optimistic) => {
      const { controller, Docs, form, rows } = openDocs(optimistic);
      server.respond(({ method }) => ({ id: method === 'POST' ? '2' : '1' }));
      await controller.fetch(Docs.getList.push, form as never);
      await controller.fetch(Docs.partialUpdate, { id: '1' }, form as never);
      expect(rows()).toMatchObject([
        { ...stored, title: 'new' },
        { id: '2', title: 'new', file: null, pages: [] },
      ]);
      const exported = getState(controller).entities['Doc'];
      expect(JSON.stringify(exported)).toContain('{"title":"new","id":"2"}');
    },
  );
});

it('a created record whose response is only its key takes from a form what its fields hold', async () => {
  const controller = new Controller();
  const send = async (_: unknown, { method }: RequestInit) =>
    Response.json(method === 'POST' ? { id: '9' } : []);
  const Todos = resource({
    urlPrefix: 'http://x',
    path: '/todos/:id',
    schema: Todo,
    send,
    body: {} as object,
  });
  await controller.fetch(Todos.getList);
  const form = new FormData();
  form.append('priority', 'high');
  form.append('title', 'new');
  await controller.fetch(Todos.getList.push, form);
  expect(controller.get(Todo, { id: '9' })).toMatchObject({ title: 'new', priority: 2 });
});
