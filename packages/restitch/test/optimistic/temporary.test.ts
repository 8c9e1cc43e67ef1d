/** Rows that are edited, moved and deleted before the server has named them. */
import {
  Collection,
  Controller,
  Entity,
  NetworkError,
  resource,
  RestEndpoint,
  type RestGenerics,
  undoable,
  Union,
} from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';

class Todo extends Entity {
  id: string | number = '';
  title = '';
  status = '';
  parent = '';
  static override key = 'Todo';
}

/** A request that was sent, whose response the test gives. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  respond(value: unknown): Promise<void>;
  fail(): Promise<void>;
  refuse(response: Response): Promise<void>;
}

let sent: Sent[] = [];
beforeEach(() => {
  sent = [];
});

/** Waits until everything that follows from a response has happened. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

class Held<O extends RestGenerics = any> extends RestEndpoint<O> {
  override fetchResponse(input: RequestInfo, { method = '', body, signal }: RequestInit) {
    return new Promise<Response>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
      sent.push({
        method,
        path: input as string,
        body: typeof body === 'string' ? JSON.parse(body) : body,
        respond: (value) => {
          const response =
            value === null ? new Response(null, { status: 204 }) : Response.json(value);
          resolve(response);
          return settle();
        },
        refuse: (response) => (reject(new NetworkError(response)), settle()),
        fail: () => (reject(new TypeError('the connection failed')), settle()),
      });
    });
  }
}

const Todos = resource({
  path: '/todos/:id',
  schema: Todo,
  searchParams: {} as { status?: string; parent?: string },
  Endpoint: Held,
  optimistic: true,
});

function open() {
  const controller = new Controller();
  controller.setResponse(Todos.getList, {}, [{ id: 1, title: 'one' }]);
  const titles = (params: { status?: string; parent?: string } = {}) =>
    controller.get(Todos.getList.schema, params)?.map(({ title }) => title);
  /** Creates a row and gives its temporary key, and the request that was sent. */
  const create = async (body: { title: string; status?: string }) => {
    const created = controller.fetch(Todos.getList.push, body);
    created.catch(() => {});
    const id = controller.getResponse(Todos.getList)?.at(-1)?.id ?? '';
    await settle();
    return { created, id, request: sent.at(-1) };
  };
  return { controller, titles, create };
}

describe('an edit of a row whose create is under way', () => {
  it('shows at once, and is sent under the real key when there is one', async () => {
    const { controller, titles, create } = open();
    const { id, request } = await create({ title: 'new' });
    const edited = controller.fetch(Todos.partialUpdate, { id }, { title: 'edited' });
    expect(titles()).toEqual(['one', 'edited']);
    expect(sent).toHaveLength(1);
    await request?.respond({ id: 7, title: 'new' });
    expect(titles()).toEqual(['one', 'edited']);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toMatchObject({ method: 'PATCH', path: '/todos/7', body: { title: 'edited' } });
    await sent[1]?.respond({ id: 7, title: 'edited', status: 'done' });
    expect(await edited).toBe(controller.get(Todo, { id: 7 }));
    expect(controller.getResponse(Todos.getList)?.[1]).toMatchObject({ id: 7, status: 'done' });
  });

  it('that fails leaves the created row as the server has it', async () => {
    const { controller, titles, create } = open();
    const { id, request } = await create({ title: 'new' });
    const edited = controller.fetch(Todos.partialUpdate, { id }, { title: 'edited' });
    await request?.respond({ id: 7, title: 'new' });
    void edited.catch(() => {});
    await sent[1]?.fail();
    await expect(edited).rejects.toThrow('the connection failed');
    expect(titles()).toEqual(['one', 'new']);
  });

  it('rejects when the create fails, and leaves no trace', async () => {
    const { controller, titles, create } = open();
    const { id, request } = await create({ title: 'new' });
    const edited = controller.fetch(Todos.partialUpdate, { id }, { title: 'edited' });
    edited.catch(() => {});
    await request?.fail();
    await expect(edited).rejects.toMatchObject({
      code: 'never-created',
      cause: new TypeError('the connection failed'),
    });
    expect(sent).toHaveLength(1);
    expect(titles()).toEqual(['one']);
    expect(controller.get(Todo, { id: String(id) })).toBeUndefined();
  });

  it.each(['while it waits', 'after it failed'])(
    'names the create that failed, when it is asked for %s',
    async (when) => {
      const { controller, create } = open();
      const { id, request } = await create({ title: 'new' });
      const response = new Response(null, { status: 422 });
      Object.defineProperty(response, 'url', { value: 'http://api/todos' });
      const edit = (): Promise<unknown> =>
        controller.fetch(Todos.partialUpdate, { id }, { title: 'edited' });
      const early = edit();
      early.catch(() => {});
      await request?.refuse(response);
      await expect(when === 'while it waits' ? early : edit()).rejects.toMatchObject({
        code: 'never-created',
        message: expect.stringContaining(
          'Its create failed, Todo.getList.push: http://api/todos: 422',
        ),
        cause: { name: 'NetworkError', status: 422 },
      });
    },
  );

  it.each(['while it waits', 'after that'])(
    'names the create that was canceled before it was sent, when it is asked for %s',
    async (when) => {
      const { controller } = open();
      const creation = controller.fetch(undoable(Todos.getList.push, 1_000), { title: 'new' });
      const id = controller.getResponse(Todos.getList)?.at(-1)?.id ?? '';
      const edit = (): Promise<unknown> =>
        controller.fetch(Todos.partialUpdate, { id }, { title: 'edited' });
      const early = edit();
      early.catch(() => {});
      creation.catch(() => {});
      creation.cancel();
      await expect(when === 'while it waits' ? early : edit()).rejects.toMatchObject({
        code: 'never-created',
        message: expect.stringContaining(
          'Its create was aborted, Todo.getList.push: The call was canceled.',
        ),
        cause: { name: 'AbortError' },
      });
      expect(sent).toEqual([]);
    },
  );

  it('rejects when the response to the create names no row', async () => {
    const { controller, create } = open();
    const { id, request } = await create({ title: 'new' });
    await request?.respond(null);
    await expect(controller.fetch(Todos.update, { id }, { title: 'x' })).rejects.toMatchObject({
      code: 'never-created',
    });
  });

  it('by a key that is remembered from before is sent under the real one', async () => {
    const { controller, create } = open();
    const { id, request } = await create({ title: 'new' });
    await request?.respond({ id: 7, title: 'new' });
    void controller.fetch(Todos.update, { id }, { title: 'x' });
    await settle();
    expect(sent[1]).toMatchObject({ method: 'PUT', path: '/todos/7' });
  });

  it('several edits keep their order', async () => {
    const { controller, titles, create } = open();
    const { id, request } = await create({ title: 'new' });
    void controller.fetch(Todos.partialUpdate, { id }, { title: 'second' });
    void controller.fetch(Todos.partialUpdate, { id }, { title: 'third' });
    expect(titles()).toEqual(['one', 'third']);
    await request?.respond({ id: 7, title: 'new' });
    expect(sent.slice(1).map(({ body }) => body)).toEqual([
      { title: 'second' },
      { title: 'third' },
    ]);
    await sent[2]?.respond({ id: 7, title: 'third' });
    await sent[1]?.respond({ id: 7, title: 'second' });
    expect(titles()).toEqual(['one', 'third']);
  });

  it('is known by its key, however many requests there were before', async () => {
    const { controller, create } = open();
    for (let count = 0; count < 20; count += 1) {
      controller.set(Todo, { id: 'other' }, { title: `written ${count} times` });
    }
    const { id, request } = await create({ title: 'new' });
    void controller.fetch(Todos.partialUpdate, { id }, { title: 'edited' });
    await settle();
    expect(sent).toHaveLength(1);
    await request?.respond({ id: 7, title: 'new' });
    expect(sent[1]).toMatchObject({ path: '/todos/7' });
  });

  it('is not waited for by a text that only mentions its key', async () => {
    const { controller, create } = open();
    const { id } = await create({ title: 'new' });
    const titles = [`see ${id}`, `${id} is new`];
    for (const title of titles) void controller.fetch(Todos.partialUpdate, { id: 1 }, { title });
    await settle();
    expect(sent.slice(1).map(({ body }) => body)).toEqual(titles.map((title) => ({ title })));
  });

  it('waits no longer when it is aborted', async () => {
    const { controller, titles, create } = open();
    const { id } = await create({ title: 'new' });
    const abort = new AbortController();
    const edit = Todos.partialUpdate.extend({ signal: abort.signal });
    const edited = controller.fetch(edit, { id }, { title: 'edited' });
    edited.catch(() => {});
    abort.abort();
    await settle();
    await expect(edited).rejects.toMatchObject({ name: 'AbortError' });
    expect(titles()).toEqual(['one', 'new']);
  });
});

describe('a deletion of a row whose create is under way', () => {
  it('shows at once, never shows the row again, and is sent under the real key', async () => {
    const { controller, titles, create } = open();
    const seen: unknown[] = [];
    const { id, request } = await create({ title: 'new' });
    const stop = controller.observe(Todos.getList).subscribe(() => seen.push(titles()));
    const deleted = controller.fetch(Todos.delete, { id });
    expect(titles()).toEqual(['one']);
    await request?.respond({ id: 7, title: 'new' });
    expect(titles()).toEqual(['one']);
    expect(sent[1]).toMatchObject({ method: 'DELETE', path: '/todos/7' });
    await sent[1]?.respond(null);
    await deleted;
    stop();
    expect(titles()).toEqual(['one']);
    expect(controller.get(Todo, { id: 7 })).toBeUndefined();
    expect(seen.every((list) => (list as string[]).length === 1)).toBe(true);
  });

  it('that fails brings the row back, in its place', async () => {
    const { controller, titles, create } = open();
    const { id, request } = await create({ title: 'new' });
    await create({ title: 'other' });
    const deleted = controller.fetch(Todos.delete, { id });
    deleted.catch(() => {});
    await request?.respond({ id: 7, title: 'new' });
    expect(titles()).toEqual(['one', 'other']);
    await sent[2]?.fail();
    expect(titles()).toEqual(['one', 'new', 'other']);
  });
});

describe('an edit of the lists that hold such a row', () => {
  it('a move takes it out of the old list and keeps it in the new one', async () => {
    const { controller, titles, create } = open();
    controller.setResponse(Todos.getList, { status: 'open' }, []);
    controller.setResponse(Todos.getList, { status: 'done' }, []);
    const { id, request } = await create({ title: 'new', status: 'open' });
    const moved = controller.fetch(Todos.getList.move, { id }, { status: 'done' });
    expect(titles({ status: 'open' })).toEqual([]);
    expect(titles({ status: 'done' })).toEqual(['new']);
    await request?.respond({ id: 7, title: 'new', status: 'open' });
    expect(titles({ status: 'open' })).toEqual([]);
    expect(titles({ status: 'done' })).toEqual(['new']);
    await sent[1]?.respond({ id: 7, title: 'new', status: 'done' });
    await moved;
    expect(titles({ status: 'open' })).toEqual([]);
    expect(titles({ status: 'done' })).toEqual(['new']);
  });

  it('a removal keeps it out when it has its real key', async () => {
    const { controller, titles, create } = open();
    controller.setResponse(Todos.getList, { status: 'open' }, []);
    const { id, request } = await create({ title: 'new', status: 'open' });
    void controller.fetch(Todos.getList.remove, { status: 'open' }, { id });
    expect(titles({ status: 'open' })).toEqual([]);
    await request?.respond({ id: 7, title: 'new', status: 'open' });
    expect(titles({ status: 'open' })).toEqual([]);
    expect(sent[1]).toMatchObject({ path: '/todos?status=open', body: { id: 7 } });
    expect(controller.get(Todo, { id: 7 })?.title).toBe('new');
  });
});

describe('a child of a row whose create is under way', () => {
  it('is created under the real key of its parent, and shows in its list all the time', async () => {
    const { controller, titles, create } = open();
    const { id, request } = await create({ title: 'parent' });
    const parent = String(id);
    controller.setResponse(Todos.getList, { parent }, []);
    void controller.fetch(Todos.getList.push, { parent }, { title: 'child', parent });
    expect(titles({ parent })).toEqual(['child']);
    expect(sent).toHaveLength(1);
    await request?.respond({ id: 7, title: 'parent' });
    expect(titles({ parent: '7' })).toEqual(['child']);
    expect(sent[1]).toMatchObject({
      path: '/todos?parent=7',
      body: { title: 'child', parent: 7 },
    });
    await sent[1]?.respond({ id: 8, title: 'child', parent: '7' });
    expect(titles({ parent: '7' })).toEqual(['child']);
    expect(titles({ parent })).toEqual(['child']);
  });

  it('in a form is sent with the real key as well', async () => {
    const { controller, create } = open();
    const { id, request } = await create({ title: 'parent' });
    const form = new FormData();
    form.set('parent', String(id));
    form.set('file', new Blob(['x']), 'x.txt');
    void controller.fetch(Todos.getList.push, form);
    await request?.respond({ id: 7, title: 'parent' });
    const { body } = sent[1] ?? {};
    expect(body).toBeInstanceOf(FormData);
    expect((body as FormData).get('parent')).toBe('7');
    expect((body as FormData).get('file')).toBeInstanceOf(Blob);
  });

  it('in URL-encoded fields is sent with the real key, while the create runs and later', async () => {
    const { controller, create } = open();
    const { id, request } = await create({ title: 'parent' });
    const attach = new Held({ path: '/attach', method: 'POST', body: {} as URLSearchParams });
    const fields = new URLSearchParams({ parent: String(id), title: 'a' });
    void controller.fetch(attach, fields);
    expect(sent).toHaveLength(1);
    await request?.respond({ id: 7, title: 'parent' });
    void controller.fetch(attach, fields);
    await settle();
    const bodies = sent.slice(1).map(({ body }) => body);
    expect(bodies).toEqual([expect.any(URLSearchParams), expect.any(URLSearchParams)]);
    expect(bodies.map(String)).toEqual(['parent=7&title=a', 'parent=7&title=a']);
  });
});

describe('names of fields that are keys of rows whose create is under way', () => {
  const act = () => new Held({ path: '/act', method: 'POST', body: {} as object });

  it.each<[string, (key: string) => object, object]>([
    ['an object', (key) => ({ [key]: 3, '1': 4 }), { '7': 3, '1': 4 }],
    [
      'a nested object',
      (key) => ({ rows: [{ at: { [key]: { [key]: key } } }] }),
      { rows: [{ at: { '7': { '7': 7 } } }] },
    ],
    [
      'an object without a prototype',
      (key) => Object.assign(Object.create(null) as object, { [key]: 3 }),
      { '7': 3 },
    ],
  ])('in %s wait and are replaced, also later', async (_, bodyOf, expected) => {
    const { controller, create } = open();
    const { id, request } = await create({ title: 'new' });
    const body = bodyOf(String(id));
    void controller.fetch(act(), body);
    await settle();
    expect(sent).toHaveLength(1);
    await request?.respond({ id: 7, title: 'new' });
    void controller.fetch(act(), body);
    await settle();
    expect(sent.slice(1).map((one) => one.body)).toEqual([expected, expected]);
  });

  it('that are numbers wait and are replaced', async () => {
    class Numbered extends Entity {
      id = 0;
      static override key = 'Numbered in the name of a field';
    }
    const all = new Collection([Numbered]);
    const controller = new Controller();
    controller.set(all, {}, []);
    const create = new Held({
      path: '/numbered',
      method: 'POST',
      body: {} as object,
      schema: all.push,
      getOptimisticResponse: (_: unknown, body: object) => body,
    });
    void controller.fetch(create, {});
    await settle();
    const [row] = controller.get(all, {}) ?? [];
    void controller.fetch(act(), { positions: { [String(row?.id)]: 1 } });
    await settle();
    expect(sent).toHaveLength(1);
    await sent[0]?.respond({ id: 7 });
    expect(sent[1]?.body).toEqual({ positions: { '7': 1 } });
  });

  it('in URL-encoded fields and parameters are replaced', async () => {
    const { controller, create } = open();
    const { id, request } = await create({ title: 'new' });
    void controller.fetch(act(), new URLSearchParams([[String(id), 'a']]));
    const find = new Held({ path: '/find', searchParams: {} as Record<string, number> });
    void controller.fetch(find, { [String(id)]: 1 });
    await settle();
    expect(sent).toHaveLength(1);
    await request?.respond({ id: 7, title: 'new' });
    await settle();
    expect(String(sent[1]?.body)).toBe('7=a');
    expect(sent[2]?.path).toBe('/find?7=1');
  });

  it('fail with the create', async () => {
    const { controller, create } = open();
    const { id, request } = await create({ title: 'new' });
    const waiting = controller.fetch(act(), { [String(id)]: 1 });
    const failed = expect(waiting).rejects.toMatchObject({ code: 'never-created' });
    await request?.fail();
    await failed;
    expect(sent).toHaveLength(1);
  });
});

describe('a list that such a row owns', () => {
  class Board extends Entity {
    id = '';
    title = '';
    todos: Todo[] | undefined = undefined;
    others: Todo[] | undefined = undefined;
    static override key = 'Board';
    static override schema = {
      todos: new Collection([Todo], { nestKey: ({ id }: { id: string }) => ({ parent: id }) }),
      others: new Collection([Todo]),
    };
  }
  const Boards = resource({ path: '/boards/:id', schema: Board, Endpoint: Held, optimistic: true });

  it('goes on under the real key', async () => {
    const controller = new Controller();
    controller.setResponse(Boards.getList, []);
    controller.set(Todo, { id: 5 }, { title: 'five' });
    const push = Boards.getList.push.extend({
      getOptimisticResponse: () => ({ title: 'new', others: [{ id: 5 }] }),
    });
    void controller.fetch(push, { title: 'new' });
    await settle();
    const board = () => controller.getResponse(Boards.getList)?.[0];
    const { others } = board() ?? {};
    expect(others).toHaveLength(1);
    await sent[0]?.respond({ id: 'b', title: 'new', others: [{ id: 5 }] });
    expect(board()?.id).toBe('b');
    expect(board()?.others).toBe(others);
  });

  it('is the same as the top-level list by the real key', async () => {
    const controller = new Controller();
    controller.setResponse(Boards.getList, []);
    controller.set(Todo, { id: 5 }, { title: 'five' });
    const push = Boards.getList.push.extend({
      getOptimisticResponse: () => ({ title: 'new', todos: [{ id: 5, title: 'first' }] }),
    });
    void controller.fetch(push, { title: 'new' });
    await settle();
    const board = () => controller.getResponse(Boards.getList)?.[0];
    expect(board()?.todos).toHaveLength(1);
    await sent[0]?.respond({ id: 'b', title: 'new' });
    controller.set(Todos.getList.schema.push, {}, { id: 6, title: 'second', parent: 'b' });
    expect(board()?.todos).toBe(controller.getResponse(Todos.getList, { parent: 'b' }));
  });
});

describe('a row of a union whose create is under way', () => {
  it('is deleted and stays in its place like any other', async () => {
    class Note extends Entity {
      id = '';
      type = 'note' as const;
      text = '';
      static override key = 'Note';
    }
    const Feed = resource({
      path: '/feed/:id',
      schema: new Union({ note: Note }, 'type'),
      Endpoint: Held,
      optimistic: true,
    });
    const controller = new Controller();
    controller.setResponse(Feed.getList, [{ id: '1', type: 'note', text: 'one' }]);
    const texts = () => controller.getResponse(Feed.getList)?.map(({ text }) => text);
    void controller.fetch(Feed.getList.push, { type: 'note', text: 'a' });
    void controller.fetch(Feed.getList.push, { type: 'note', text: 'b' });
    await settle();
    const id = controller.getResponse(Feed.getList)?.[1]?.id ?? '';
    void controller.fetch(Feed.delete, { id });
    expect(texts()).toEqual(['one', 'b']);
    await sent[0]?.respond({ id: '7', type: 'note', text: 'a' });
    await sent[1]?.respond({ id: '8', type: 'note', text: 'b' });
    expect(texts()).toEqual(['one', 'b']);
    expect(sent[2]).toMatchObject({ method: 'DELETE', path: '/feed/7' });
    await sent[2]?.respond(null);
    expect(texts()).toEqual(['one', 'b']);
  });
});

describe('a reader of such a row', () => {
  it('sees it without a request, and then the real one', async () => {
    const { controller, create } = open();
    const { id, request } = await create({ title: 'new' });
    const view = controller.observe(Todos.get, { id });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { title: 'new' } });
    const loaded = view.load();
    await request?.respond({ id: 7, title: 'named' });
    expect(sent[1]).toMatchObject({ method: 'GET', path: '/todos/7' });
    await sent[1]?.respond({ id: 7, title: 'read' });
    expect(await loaded).toMatchObject({ id: 7, title: 'read' });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { id: 7, title: 'read' } });
  });
});
