/** A PATCH of a record that is not in the store: it shows once a read returns the record. */
import type { ServerResponse } from 'node:http';
import { Controller, Entity, resource, Union } from 'restitch';
import { beforeEach, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

class Todo extends Entity {
  id: number | undefined = undefined;
  title = '';
  done = false;
}

const record = { id: 1, title: 'old', done: false };
let arrival: Promise<ServerResponse>;

beforeEach(() => {
  arrival = new Promise((resolve) => {
    server.respond(({ method }, response) => {
      if (method === 'GET') return record;
      resolve(response);
      return undefined;
    });
  });
});

function open() {
  const reports: unknown[] = [];
  const controller = new Controller({ environment: { report: (error) => reports.push(error) } });
  const Todos = resource({
    urlPrefix: server.origin,
    path: '/todos/:id',
    schema: Todo,
    optimistic: true,
    body: {} as object,
    searchParams: {} as { title?: string | undefined } | undefined,
  });
  const show = () => controller.get(Todo, { id: 1 });
  return { controller, Todos, show, reports };
}

it('shows over a read that starts after it, and stays after an empty response', async () => {
  const { controller, Todos, show } = open();
  const edit = controller.fetch(Todos.partialUpdate, { id: '1' }, { title: 'new' });
  expect(show()).toBeUndefined();
  await controller.fetch(Todos.get, { id: '1' });
  expect(show()).toMatchObject({ ...record, title: 'new' });
  (await arrival).writeHead(204).end();
  await edit;
  expect(show()).toMatchObject({ ...record, title: 'new' });
});

it('leaves no trace after a failure', async () => {
  const { controller, Todos, show } = open();
  const edit = controller.fetch(Todos.partialUpdate, { id: '1' }, { title: 'new' });
  await controller.fetch(Todos.get, { id: '1' });
  (await arrival).writeHead(500).end();
  await expect(edit).rejects.toThrow();
  expect(show()).toMatchObject(record);
});

it.each(['search', undefined])('shows no search parameter, such as %s', async (title) => {
  const { controller, Todos, show } = open();
  const params = { id: '1', title };
  void controller.fetch(Todos.partialUpdate, params, { done: true }).catch(() => {});
  await controller.fetch(Todos.get, { id: '1' });
  expect(show()).toMatchObject({ ...record, done: true });
});

it('shows nothing, and reports nothing, where the class or the key of the record is unknown', async () => {
  const { controller, Todos, reports } = open();
  class Keyed extends Todo {
    org = '';
    override pk() {
      return this.org && `${this.org}-${this.id}`;
    }
  }
  const keyed = resource({ ...options(Keyed), path: '/keyed/:id' });
  const either = new Union({ todo: Todo }, () => 'todo');
  const union = resource({ ...options(either), path: '/union/:id' });
  void controller.fetch(keyed.partialUpdate, { id: '1' }, { title: 'new' }).catch(() => {});
  void controller.fetch(union.partialUpdate, { id: '1' }, { title: 'new' }).catch(() => {});
  void controller.fetch(Todos.getList.move, { id: '1' }, { title: 'new' }).catch(() => {});
  expect(reports).toEqual([]);
});

function options<S>(schema: S) {
  return { urlPrefix: server.origin, schema, optimistic: true, body: {} as object };
}

class Team extends Entity {
  slug = '';
  name = '';
  override pk() {
    return this.slug;
  }
}

it.each(['partialUpdate', 'update', 'move'] as const)(
  'an empty response to %s of a record that is not in the store is null',
  async (how) => {
    const send = () => Promise.resolve(new Response(null, { status: 204 }));
    const common = { urlPrefix: 'http://x', send, body: {} as object };
    const controller = new Controller();
    for (const optimistic of [true, false]) {
      const Todos = resource({ ...common, path: '/todos/:id', schema: Todo, optimistic });
      const Teams = resource({ ...common, path: '/teams/:slug', schema: Team, optimistic });
      const todo = how === 'move' ? Todos.getList.move : Todos[how];
      const team = how === 'move' ? Teams.getList.move : Teams[how];
      expect(await controller.fetch(todo, { id: 5 }, { title: 'new' })).toBeNull();
      expect(await controller.fetch(team, { slug: 'core' }, { name: 'new' })).toBeNull();
    }
  },
);
