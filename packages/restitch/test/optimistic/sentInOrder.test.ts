/** A request that waits for the key of a created row is sent before all requests that follow it. */
import {
  All,
  coalesced,
  Controller,
  type EndpointInterface,
  Entity,
  resource,
  serial,
  undoable,
} from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import { flush, ignore } from '../support/world.js';

class Todo extends Entity {
  id = '';
  title = '';
  parent = '';
  static override key = 'Todo';
  static override merge(
    existing: Readonly<Record<string, unknown>>,
    incoming: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    if (incoming['title'] === 'unreadable') throw new Error('unreadable');
    return { ...existing, ...incoming };
  }
}

interface Sent {
  readonly text: string;
  respond(body: unknown): Promise<void>;
}

const sent: Sent[] = [];
beforeEach(() => void sent.splice(0));
async function respond(index: number, body: object): Promise<void> {
  await flush();
  await sent[index]?.respond(body);
}

const log = (): readonly string[] => sent.map(({ text }) => text);

const Todos = resource({ path: '/todos/:id', schema: Todo, optimistic: true }).extend((base) => {
  const send = (url: string, { method, body, signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const { title, parent } = JSON.parse(typeof body === 'string' ? body : '{}') as Partial<Todo>;
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
      sent.push({
        text: [method, url, title, parent].filter(Boolean).join(' '),
        respond: (value) => (resolve(Response.json(value)), flush()),
      });
    });
  const extended = <E extends EndpointInterface>(endpoint: E): E => endpoint.extend({ send }) as E;
  return {
    create: extended(base.getList.push),
    edit: extended(base.partialUpdate),
    get: extended(base.get),
  };
});

function open() {
  const clock = new Clock();
  const controller = new Controller({ environment: clock.environment, sweep: false });
  const create = (title: string) => {
    const created = controller.fetch(Todos.create, { title });
    ignore(created);
    return { created, id: controller.get(new All(Todo))?.at(-1)?.id ?? '' };
  };
  const edit = (id: string, body: Partial<Todo>, endpoint = Todos.edit) => {
    const edited = controller.fetch(endpoint, { id }, body);
    ignore(edited);
    return edited;
  };
  return { clock, controller, create, edit };
}

describe('an edit that waits for a create', () => {
  it('is sent before the edits of a caller that awaited the create', async () => {
    const { create, edit } = open();
    const { created, id } = create('new');
    void edit(id, { title: 'first' });
    void edit(id, { title: 'second' });
    const then = created.then(({ id: real }) => {
      void edit(real, { title: 'third' });
      void edit(id, { title: 'fourth' });
      void edit(real, { title: 'fifth' });
    });
    await respond(0, { id: '7', title: 'new' });
    await then;
    const titles = ['first', 'second', 'third', 'fourth', 'fifth'];
    expect(log().slice(1)).toEqual(titles.map((title) => `PATCH /todos/7 ${title}`));
  });

  it('is sent before the edit of a reader that sees the key', async () => {
    const { controller, create, edit } = open();
    const { id } = create('new');
    void edit(id, { title: 'first' });
    const todos = controller.observeQuery(new All(Todo));
    const stop = todos.subscribe(() => {
      stop();
      void edit('7', { title: 'second' });
    });
    todos.getSnapshot();
    await respond(0, { id: '7', title: 'new' });
    expect(log().slice(1)).toEqual(['PATCH /todos/7 first', 'PATCH /todos/7 second']);
  });

  it('is sent with the last of several creates, among the others that wait', async () => {
    const { create, edit } = open();
    const a = create('a');
    const b = create('b');
    void edit(b.id, { title: 'before' });
    void edit(a.id, { parent: b.id });
    void edit(b.id, { title: 'after' });
    await respond(0, { id: '7', title: 'a' });
    expect(log()).toHaveLength(2);
    await respond(1, { id: '8', title: 'b' });
    expect(log().slice(2)).toEqual([
      'PATCH /todos/8 before',
      'PATCH /todos/7 8',
      'PATCH /todos/8 after',
    ]);
  });

  it('is not sent if it was aborted in the same step, and the others are', async () => {
    const { controller, create, edit } = open();
    const { created, id } = create('new');
    const abort = new AbortController();
    const aborted = edit(id, { title: 'aborted' }, Todos.edit.extend({ signal: abort.signal }));
    void edit(id, { title: 'first' });
    await flush();
    const responded = sent[0]?.respond({ id: '7', title: 'new' });
    abort.abort();
    await responded;
    await created;
    expect(log().slice(1)).toEqual(['PATCH /todos/7 first']);
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    expect(controller.get(Todo, { id: '7' })?.title).toBe('first');
  });

  it('is sent although the response to the create could not be stored', async () => {
    const { controller, create, edit } = open();
    const { created, id } = create('new');
    controller.set(Todo, { id: '7' }, { title: 'known' });
    const edited = edit(id, { title: 'first' });
    await respond(0, { id: '7', title: 'unreadable' });
    await expect(created).rejects.toThrow('unreadable');
    expect(log().slice(1)).toEqual(['PATCH /todos/7 first']);
    await respond(1, { id: '7', title: 'first' });
    expect((await edited).title).toBe('first');
  });
});

describe.each<[string, <E extends EndpointInterface>(endpoint: E) => E]>([
  ['serial', serial],
  ['coalesced', coalesced],
  ['undoable', (endpoint) => undoable(endpoint, 10)],
])('an edit that is %s and waits for a create', (_, queue) => {
  it('is sent before a plain edit of a caller that awaited the create', async () => {
    const { clock, create, edit } = open();
    const { created, id } = create('new');
    void edit(id, { title: 'first' }, queue(Todos.edit));
    await clock.pass(10);
    const then = created.then(() => void edit('7', { title: 'second' }));
    await respond(0, { id: '7', title: 'new' });
    await then;
    expect(log().slice(1)).toEqual(['PATCH /todos/7 first', 'PATCH /todos/7 second']);
  });
});

it('calls that join a waiting request can make it wait for another create', async () => {
  const { create, edit } = open();
  const [a, b] = [create('a'), create('b')];
  const endpoint = coalesced(Todos.edit);
  void edit(a.id, { title: 'joined' }, endpoint);
  void edit(a.id, { parent: b.id }, endpoint);
  await respond(0, { id: '7', title: 'a' });
  expect(log()).toHaveLength(2);
  await respond(1, { id: '8', title: 'b' });
  expect(log().slice(2)).toEqual(['PATCH /todos/7 joined 8']);
});
