/** A copy of an instance contains the defaults of the fields that the server has not sent. */
import { Collection, Controller, Entity, resource, type Snapshot } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();
const urlPrefix = server.origin;

class Note extends Entity {
  id = '';
  text = '';
}
class User extends Entity {
  id = '';
  name = '';
  bio = '';
  tags: readonly string[] = [];
  friend: User | undefined = undefined;
  notes: readonly Note[] = [];
  static override readonly key = 'CopiedUser';
  static override readonly schema: Record<string, unknown> = {};
}
Object.assign(User.schema, { friend: User, notes: new Collection([Note]) });

const complete = {
  id: '1',
  name: 'Ada',
  bio: 'real',
  tags: ['a'],
  friend: { id: '2', name: 'Bob' },
  notes: [{ id: 'n', text: 't' }],
};

const Users = resource({ urlPrefix, path: '/users/:id', schema: User, body: {} as object });
type Props = { readonly id: string | number };
const update = Users.partialUpdate.extend({
  getOptimisticResponse: (snapshot, { id }: Props, body: object) => ({
    ...snapshot.get(User, { id }),
    ...body,
  }),
});

let controller: Controller;
beforeEach(() => {
  controller = new Controller();
  controller.setResponse(Users.getList, [{ id: '1', name: 'Ada' }]);
  server.respond(({ method }, response) => {
    if (method === 'GET') return complete;
    response.writeHead(204).end();
    return undefined;
  });
});

describe.each<[string, () => unknown]>([
  [
    'set with a function',
    () => controller.set(User, { id: '1' }, (one) => ({ ...one, name: 'Eve' })),
  ],
  ['an optimistic update', () => controller.fetch(update, { id: '1' }, { name: 'Eve' })],
])('a copied record that is written by %s', (_, write) => {
  it('stays incomplete, so that its page fetches it', async () => {
    await write();
    expect(controller.get(User, { id: '1' })).toMatchObject({ name: 'Eve', bio: '', tags: [] });
    const view = controller.observe(Users.get, { id: '1' });
    expect(view.getSnapshot().status).toBe('pending');
    const user = await controller.fetchIfStale(Users.get, { id: '1' });
    expect(user).toMatchObject({ bio: 'real', tags: ['a'] });
    expect(user.friend?.name).toBe('Bob');
    expect(user.notes.map(({ text }) => text)).toEqual(['t']);
  });
});

describe('a copied record', () => {
  it('keeps the fields that the copy changes, also to the default', async () => {
    await controller.fetch(Users.get, { id: '1' });
    controller.set(User, { id: '1' }, (one) => ({ ...one, bio: '', tags: [], notes: [] }));
    expect(controller.get(User, { id: '1' })).toMatchObject({ bio: '', tags: [], notes: [] });
    expect(controller.observe(Users.get, { id: '1' }).getSnapshot()).toMatchObject({
      status: 'ready',
    });
  });

  it('keeps a related record that the prediction adds, also when it runs again', async () => {
    controller.set(User, { id: '2' }, { name: 'Bob' });
    let release = (): void => {};
    server.respond(({ method }, response) => {
      if (method === 'GET') return [{ id: '1', name: 'Ada', bio: 'b' }];
      release = () => response.writeHead(204).end();
      return undefined;
    });
    const befriend = Users.partialUpdate.extend({
      getOptimisticResponse: (snapshot, { id }: Props) => ({
        ...snapshot.get(User, { id }),
        friend: snapshot.get(User, { id: '2' }),
      }),
    });
    const request = controller.fetch(befriend, { id: '1' }, {});
    await expect.poll(() => server.seen.at(-1)?.method).toBe('PATCH');
    expect(controller.get(User, { id: '1' })?.friend?.name).toBe('Bob');
    await controller.fetch(Users.getList);
    controller.set(User, { id: '2' }, { name: 'Bobby' });
    expect(controller.get(User, { id: '1' })).toMatchObject({
      bio: 'b',
      friend: { name: 'Bobby' },
    });
    release();
    await request;
    expect(controller.get(User, { id: '1' })?.friend?.name).toBe('Bobby');
  });
});

class Task extends Entity {
  id = '';
  org = '';
  title = '';
  status = 'open';
}

describe.each([200, 204])('a field of the path that the server does not send (%i)', (status) => {
  const Tasks = resource({
    urlPrefix,
    path: '/orgs/:org/tasks/:id',
    schema: Task,
    searchParams: {} as { status?: string },
    body: {} as { title?: string; status?: string },
    optimistic: true,
  });
  const { move } = Tasks.getList;
  const predict = {
    getOptimisticResponse: (snapshot: Snapshot, { id }: Props, body: object) => ({
      ...snapshot.get(Task, { id }),
      ...body,
    }),
  };

  it.each([
    ['the default prediction', Tasks.partialUpdate, move],
    ['a copy', Tasks.partialUpdate.extend(predict), move.extend(predict)],
  ])('keeps a record in its lists with %s', async (_, edit, moveTask) => {
    const held: (() => void)[] = [];
    let task = { id: '1', title: 'a', status: 'open' };
    server.respond(({ method, body }, response) => {
      if (method === 'GET') return [task];
      held.push(() => {
        task = { ...task, ...(JSON.parse(body) as object) };
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(status === 204 ? undefined : JSON.stringify(task));
      });
      return undefined;
    });
    controller.setResponse(Tasks.getList, { org: 'o' }, [task]);
    controller.setResponse(Tasks.getList, { org: 'o', status: 'open' }, [task]);
    controller.setResponse(Tasks.getList, { org: 'o', status: 'closed' }, []);
    const lists = () =>
      [{}, { status: 'open' }, { status: 'closed' }].map((filter) =>
        controller
          .getResponse(Tasks.getList, { org: 'o', ...filter })
          ?.map(({ title }) => title)
          .join(),
      );
    const edited = controller.fetch(edit, { org: 'o', id: '1' }, { title: 'b' });
    const moved = controller.fetch(moveTask, { org: 'o', id: '1' }, { status: 'closed' });
    expect(lists()).toEqual(['b', '', 'b']);
    for (const request of [edited, moved]) {
      await expect.poll(() => held.length).toBeGreaterThan(0);
      held.shift()?.();
      await request;
      expect(lists()).toEqual(['b', '', 'b']);
    }
  });
});
