/** A deleted or unreadable record in an envelope is missing, as a record without an envelope is. */
import { Controller, Entity, resource, RestEndpoint, type Schema } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { follow } from './cases.js';

const server = await serverOfFile();

class Org extends Entity {
  id = '';
}
class Task extends Entity {
  id = '';
  title = '';
}
const urlPrefix = server.origin;
const Tasks = resource({ urlPrefix, path: '/tasks/:id', schema: Task });
const read = (schema: object) => new RestEndpoint({ urlPrefix, path: '/next', schema });
const schemas = [
  ['one record', { data: Task }, (task: object) => ({ data: task })],
  ['several records', { org: Org, next: Task }, (next: object) => ({ org: { id: 'o' }, next })],
  [
    'an object',
    { data: { next: Task }, total: 0 },
    (next: object) => ({ data: { next }, total: 1 }),
  ],
] as const;

let controller: Controller;
let isDeleted = false;
beforeEach(() => {
  controller = new Controller();
  server.seen.length = 0;
  isDeleted = false;
});

/** The server answers with the next task, which is another one after the delete. */
function open([, schema, wrap]: (typeof schemas)[number]) {
  const next = (): object => (isDeleted ? { id: '2', title: 'two' } : { id: '1', title: 'one' });
  server.respond(({ method }) => {
    isDeleted ||= method === 'DELETE';
    return method === 'DELETE' ? {} : wrap(next());
  });
  return { endpoint: read(schema), wrap };
}

describe.each(schemas.map((row) => [row[0], row] as const))('an envelope of %s', (_, row) => {
  it('is fetched by the next reader after its record was deleted', async () => {
    const { endpoint, wrap } = open(row);
    await controller.fetch(endpoint);
    await controller.fetch(Tasks.delete, { id: '1' });
    expect(controller.getResponse(endpoint)).toBeUndefined();
    expect(await controller.fetchIfStale(endpoint)).toMatchObject(wrap({ id: '2' }));
    expect(controller.getResponse(endpoint)).toMatchObject(wrap({ id: '2' }));
  });

  it('keeps the deleted record for a mounted reader', async () => {
    const { endpoint, wrap } = open(row);
    const view = controller.observe(endpoint);
    follow(view);
    await expect.poll(() => view.getSnapshot().status).toBe('ready');
    await controller.fetch(Tasks.delete, { id: '1' });
    const snapshot = view.getSnapshot();
    expect(snapshot).toMatchObject({ status: 'ready', data: wrap({ id: '1', title: 'one' }) });
    expect(view.getSnapshot()).toBe(snapshot);
    controller.expireAll(endpoint);
    await expect
      .poll(() => view.getSnapshot())
      .toMatchObject({ data: wrap({ id: '2' }), stale: false });
  });

  it('resolves with a record that was deleted while it was read', async () => {
    const { endpoint, wrap } = open(row);
    await controller.fetch(endpoint);
    const answers: (() => void)[] = [];
    server.respond(({ method }, response) => {
      if (method === 'DELETE') return {};
      answers.push(() =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(wrap({ id: '1', title: 'one' }))),
      );
      return undefined;
    });
    const promise = controller.fetch(endpoint);
    await expect.poll(() => answers.length).toBe(1);
    await controller.fetch(Tasks.delete, { id: '1' });
    answers[0]?.();
    expect(await promise).toMatchObject(wrap({ id: '1', title: 'one' }));
  });

  it('keeps null, and a field that the response omits', async () => {
    const { endpoint } = open(row);
    server.respond(() => row[2](null as never));
    expect(await controller.fetch(endpoint)).toEqual(row[2](null as never));
    expect(controller.getResponse(endpoint)).toEqual(row[2](null as never));
    server.respond(() => ({}));
    await controller.fetch(endpoint);
    expect(controller.observe(endpoint).getSnapshot().status).toBe('ready');
  });
});

it('an envelope whose record cannot be read is an error, not a loop', async () => {
  class Refused extends Task {
    static override createIfValid(): undefined {
      return undefined;
    }
  }
  server.respond(() => ({ data: { id: '1', title: 'one' } }));
  const view = controller.observe(read({ data: Refused }));
  follow(view);
  await expect.poll(() => view.getSnapshot().status).toBe('error');
  expect(view.getSnapshot()).toMatchObject({ error: { code: 'unreadable' } });
  expect(server.seen.length).toBeLessThan(3);
});

describe('an envelope of which one record is deleted', () => {
  const board = new RestEndpoint({
    urlPrefix,
    path: '/board',
    schema: { pinned: Task, other: { next: Task }, tasks: Tasks.getList.schema },
  });
  const row = (id: string, title = id) => ({ id, title });

  async function openBoard() {
    const tasks = ['1', '2'].map((id) => row(id));
    server.respond(() => ({ pinned: row('1'), other: { next: row('2') }, tasks }));
    const view = controller.observe(board);
    follow(view);
    await expect.poll(() => view.getSnapshot().status).toBe('ready');
    const shown = () => {
      const snapshot = view.getSnapshot();
      if (snapshot.status !== 'ready') return snapshot.status;
      const { pinned, other, tasks: list } = snapshot.data;
      return [pinned, other.next, ...list].map((task) => task?.title).join();
    };
    return { view, shown };
  }

  it('shows the changes of its other records and lists', async () => {
    const { shown } = await openBoard();
    server.respond(() => ({}));
    await controller.fetch(Tasks.delete, { id: '1' });
    expect(shown()).toBe('1,2,2');
    controller.set(Task, { id: '2' }, { title: 'two' });
    expect(shown()).toBe('1,two,two');
    controller.set(board.schema.tasks.push, {}, row('3') as never);
    expect(shown()).toBe('1,two,two,3');
  });

  it('shows the record again where the delete fails', async () => {
    const { shown } = await openBoard();
    server.respond((_, response) => {
      response.statusCode = 500;
      return {};
    });
    const remove = Tasks.delete.extend({ getOptimisticResponse: () => ({}) } as never);
    const promise = controller.fetch(remove, { id: '2' });
    expect(shown()).toBe('1,2,1');
    await expect(promise).rejects.toThrow('500');
    expect(shown()).toBe('1,2,1,2');
  });
});

describe('the record of an envelope that a mounted reader shows', () => {
  class Author extends Entity {
    id = '';
    name = '';
  }
  class Post extends Entity {
    id = '';
    title = '';
    author = Author.fromJS({});
    static override schema: Record<string, Schema> = { author: Author };
  }
  const Authors = resource({ urlPrefix, path: '/authors/:id', schema: Author });
  const wrapped = read({ data: Post });

  it('is fetched again when it requires a deleted record', async () => {
    let author = { id: '1', name: 'Ada' };
    server.respond(({ method }) => {
      if (method !== 'DELETE') return { data: { id: 'p', title: 'old', author } };
      author = { id: '2', name: 'Bob' };
      return {};
    });
    const view = controller.observe(wrapped);
    follow(view);
    await expect.poll(() => view.getSnapshot().status).toBe('ready');
    await controller.fetch(Authors.delete, { id: '1' });
    await expect
      .poll(() => view.getSnapshot())
      .toMatchObject({ status: 'ready', data: { data: { author: { name: 'Bob' } } } });
    controller.set(Post, { id: 'p' }, { title: 'new' });
    expect(view.getSnapshot()).toMatchObject({ data: { data: { title: 'new' } } });
  });

  it.each([
    ['alone', { data: Task }],
    ['with another field', { data: Task, total: 0 }],
  ])('is an error when the next response cannot be read: %s', async (_, schema) => {
    class Refused extends Task {
      static override createIfValid(fields: Readonly<Record<string, unknown>>): any {
        return 'bad' in fields ? undefined : super.createIfValid.call(this, fields);
      }
    }
    const endpoint = read({ ...schema, data: Refused });
    let extra = {};
    server.respond(() => ({ data: { id: '1', title: 'one', ...extra }, total: 1 }));
    const view = controller.observe(endpoint);
    follow(view);
    await expect.poll(() => view.getSnapshot().status).toBe('ready');
    extra = { bad: true };
    controller.expireAll(endpoint);
    await expect
      .poll(() => view.getSnapshot())
      .toMatchObject({ status: 'error', error: { code: 'unreadable' } });
  });

  it('is fetched by another reader that mounts after its delete', async () => {
    const { endpoint } = open(schemas[0]);
    const view = controller.observe(endpoint);
    follow(view);
    await expect.poll(() => view.getSnapshot().status).toBe('ready');
    await controller.fetch(Tasks.delete, { id: '1' });
    server.seen.length = 0;
    expect([view.needsLoad(true), view.needsLoad()]).toEqual([false, true]);
    expect(await controller.fetchIfStale(endpoint)).toMatchObject({ data: { id: '2' } });
    expect(view.needsLoad()).toBe(false);
  });
});
