/** The values that an update sends are the stored ones; a body without readable fields is none. */
import { Controller, Entity, resource } from 'restitch';
import { describe, expect, it } from 'vitest';
import { flush } from '../support/world.js';

class Todo extends Entity {
  id = '';
  title = '';
  size: number | null = 0;
  static override key = 'TodoOfSentBodies';
}

class Form {
  readonly title = 'of the form';
  toJSON(): object {
    return { title: 'of toJSON' };
  }
}

function formWithFile(): FormData {
  const form = new FormData();
  form.append('avatar', new Blob(['png']), 'new.png');
  return form;
}

/** Sends the update of a stored record to a server that answers with 204, or with the key alone. */
function openUpdate(optimistic: boolean, isEmpty: boolean) {
  const controller = new Controller();
  const requests: RequestInit[] = [];
  const Todos = resource({
    urlPrefix: 'http://x',
    path: '/todos/:id',
    schema: Todo,
    optimistic,
    body: {} as object | string,
    async send(_: RequestInfo, init: RequestInit) {
      requests.push(init);
      const isRead = init.method === 'GET';
      if (!isRead && isEmpty) return new Response(null, { status: 204 });
      return Response.json(isRead ? { id: '1', title: 'read', size: 9 } : { id: '1' });
    },
  });
  controller.setResponse(Todos.get, { id: '1' }, { id: '1', title: 'old', size: 1 });
  const shown = () => controller.get(Todo, { id: '1' });
  return { controller, Todos, requests, shown };
}

describe.each([
  [false, false],
  [false, true],
  [true, false],
  [true, true],
])('an update (optimistic: %s, 204: %s)', (optimistic, isEmpty) => {
  it.each<[string, object, object]>([
    ['NaN as null', { size: Number.NaN }, { title: 'old', size: null }],
    ['Infinity as null', { size: Infinity }, { title: 'old', size: null }],
    ['the value of toJSON', new Form(), { title: 'of toJSON', size: 1 }],
  ])('stores %s, as its JSON does', async (_, body, expected) => {
    const { controller, Todos, shown } = openUpdate(optimistic, isEmpty);
    const update = controller.fetch(Todos.partialUpdate, { id: '1' }, body);
    if (optimistic) expect(shown()).toMatchObject(expected);
    await update;
    expect(shown()).toMatchObject(expected);
  });
});

describe.each([false, true])('a body without readable fields (optimistic: %s)', (optimistic) => {
  it.each<[string, object | string]>([
    ['a text', JSON.stringify({ title: 'new' })],
    ['a Blob', new Blob(['{ "title": "new" }'])],
    ['bytes', new TextEncoder().encode('{ "title": "new" }')],
    ['operations', [{ op: 'replace', path: '/title', value: 'new' }]],
    ['a form with a file alone', formWithFile()],
    ['a field that the class does not know', { notify: true }],
  ])('is fetched again after an empty response: %s', async (_, body) => {
    const { controller, Todos, shown, requests } = openUpdate(optimistic, true);
    const view = controller.observe(Todos.get, { id: '1' });
    view.subscribe(() => void (view.needsLoad(true) && view.load()));
    await controller.fetch(Todos.partialUpdate, { id: '1' }, body);
    await flush();
    expect(requests.map(({ method }) => method)).toEqual(['PATCH', 'GET']);
    expect(shown()).toMatchObject({ title: 'read', size: 9 });
  });
});

describe.each([false, true])('another record in the response (optimistic: %s)', (optimistic) => {
  const openOther = (response: object) => {
    const controller = new Controller();
    const Todos = resource({
      urlPrefix: 'http://x',
      path: '/todos/:id',
      schema: Todo,
      optimistic,
      send: async (_: RequestInfo, { method }: RequestInit) =>
        Response.json(method === 'GET' ? { id: '1', title: 'read', size: 9 } : response),
    });
    controller.setResponse(Todos.get, { id: '1' }, { id: '1', title: 'old', size: 1 });
    const view = controller.observe(Todos.get, { id: '1' });
    view.subscribe(() => void (view.needsLoad(true) && view.load()));
    const titleOf = (id: string) => controller.get(Todo, { id })?.title;
    return { controller, Todos, titleOf };
  };

  it('gets no sent fields, and the record of the call is fetched again', async () => {
    const { controller, Todos, titleOf } = openOther({ id: '99', size: 2 });
    await controller.fetch(Todos.partialUpdate, { id: '1' }, { title: 'sent' });
    await flush();
    expect([titleOf('1'), titleOf('99')]).toEqual(['read', '']);
  });

  it('gets the sent fields if they contain its key', async () => {
    const { controller, Todos, titleOf } = openOther({ id: '2', size: 2 });
    await controller.fetch(Todos.partialUpdate, { id: '1' }, { id: '2', title: 'sent' });
    await flush();
    expect(titleOf('2')).toBe('sent');
  });
});

class Contact extends Entity {
  id = '';
  declare phone?: string;
  declare since?: Date;
  static override key = 'ContactOfSentBodies';
  static override schema = { since: Date };
}

describe.each([
  [false, undefined],
  [false, { id: '1' }],
  [true, undefined],
  [true, { id: '1' }],
])('fields without a default (optimistic: %s, response: %j)', (optimistic, response) => {
  const Contacts = resource({
    urlPrefix: 'http://x',
    path: '/contacts/:id',
    schema: Contact,
    optimistic,
    body: {} as object,
    send: async () => (response ? Response.json(response) : new Response(null, { status: 204 })),
  });

  it('are stored if the record had them, or if the schema names them', async () => {
    const controller = new Controller();
    controller.setResponse(Contacts.get, { id: '1' }, { id: '1', phone: '111' });
    const body = { phone: '222', since: new Date(0) };
    await controller.fetch(Contacts.partialUpdate, { id: '1' }, body);
    expect(controller.get(Contact, { id: '1' })).toMatchObject(body);
  });
});
