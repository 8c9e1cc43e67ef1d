/**
 * Creates, moves and deletes near the export of a windowed list: after `hydrate`, before anything
 * has read the list, and before an export, while the visible rows are being loaded again.
 */
import { byOffset, Collection, Controller, Entity, resource, windowed } from 'restitch';
import { applyChange, changes, getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import { readyData } from '../support/readyData.js';

class Row extends Entity {
  id = 0;
  static override key = 'HydratedWindowRow';
}

function serve(isSilent: boolean) {
  const server = { rows: [1, 2, 3, 4, 5, 6].map((id) => ({ id })), asked: 0 };
  const send = async (url: string, { method }: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(url);
    if (method === 'GET') {
      server.asked += 1;
      const start = Number(searchParams.get('offset') ?? 0);
      const results = server.rows.slice(start, start + 3);
      return Response.json({ total: server.rows.length, results });
    }
    const id = Number(pathname.split('/')[2]);
    if (method === 'POST') server.rows.unshift({ id: 100 });
    else server.rows = server.rows.filter((row) => row.id !== id);
    return isSilent ? new Response(null, { status: 204 }) : Response.json({ id: id || 100 });
  };
  const Rows = resource({
    urlPrefix: 'http://x',
    path: '/rows/:id',
    schema: Row,
    body: {} as object,
    pagination: byOffset({ param: 'offset', total: 'total' }),
    send,
  }).extend('getList', { schema: { results: new Collection([Row]), total: 0 } });
  return { server, Rows };
}

async function shown(controller: Controller, { Rows }: ReturnType<typeof serve>) {
  const view = windowed(controller, Rows.getList);
  const stop = view.subscribe(() => {});
  const range = view.open({ start: 0, end: 3 });
  await settle();
  const list = readyData(view);
  range.close();
  stop();
  return [list.length, ...[0, 1, 2].map((index) => list.at(index)?.id)];
}

it.each([
  ['a create', 'unshift', false, [7, 100, 1, 2]],
  ['a create with a 204', 'unshift', true, [7, 100, 1, 2]],
  ['a delete of a row that is not loaded', 'delete', false, [5, 1, 2, 3]],
  ['no mutation', 'nothing', false, [6, 1, 2, 3]],
] as const)('after %s, the rows are those of the server', async (_, how, isSilent, expected) => {
  const world = serve(isSilent);
  const { Rows, server } = world;
  const before = new Controller();
  expect(await shown(before, world)).toEqual([6, 1, 2, 3]);
  const controller = new Controller();
  hydrate(controller, JSON.parse(JSON.stringify(getState(before))));
  server.asked = 0;
  if (how === 'unshift') await controller.fetch(Rows.getList.unshift, {});
  if (how === 'delete') await controller.fetch(Rows.delete, { id: 6 });
  expect(await shown(controller, world)).toEqual(expected);
  expect(server.asked).toBe(how === 'nothing' ? 0 : 1);
});

const copied = <T>(state: T): T => JSON.parse(JSON.stringify(state));

/** A visit, in which requests can be held. */
function openTasks() {
  class Task extends Entity {
    id = 0;
    done = false;
    static override key = 'WindowTask';
  }
  const server = {
    rows: [1, 2, 3, 4].map((id) => ({ id, done: false })),
    asked: [] as string[],
    isSilent: false,
    /** The requests that get no response. */
    holds: (_: string): boolean => false,
  };
  const send = async (url: string, { method = 'GET', body }: RequestInit): Promise<Response> => {
    const { pathname, searchParams, search } = new URL(url);
    const id = Number(pathname.split('/')[2]);
    server.asked.push(`${method} ${pathname}${search}`);
    const given = typeof body === 'string' ? JSON.parse(body) : {};
    if (server.holds(method)) return new Promise(() => {});
    const respond = (row?: object): Response =>
      server.isSilent || !row ? new Response(null, { status: 204 }) : Response.json(row);
    if (method === 'POST') {
      const row = { id: 9, done: false };
      server.rows = [row, ...server.rows];
      return respond(row);
    }
    if (method === 'PATCH') {
      server.rows = server.rows.map((row) => (row.id === id ? { ...row, ...given } : row));
      return respond({ id, ...given });
    }
    if (method === 'DELETE') {
      server.rows = server.rows.filter((row) => row.id !== id);
      return respond();
    }
    const rows = server.rows.filter(({ done }) => String(done) === searchParams.get('done'));
    const start = Number(searchParams.get('offset') ?? 0);
    return Response.json({ total: rows.length, results: rows.slice(start, start + 2) });
  };
  const Tasks = resource({
    urlPrefix: 'http://x',
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { done: boolean; size: number },
    pagination: byOffset({ param: 'offset', limit: 'size', total: 'total' }),
    send,
  }).extend('getList', { schema: { results: new Collection([Task]), total: 0 } });
  const args = { done: false, size: 2 };
  /** Opens rows of the list, and returns a function for all rows. */
  const open = async (controller: Controller) => {
    const view = windowed(controller, Tasks.getList, args);
    view.subscribe(() => {});
    view.open({ start: 0, end: 6 });
    await settle();
    return () => {
      const list = readyData(view);
      return Array.from({ length: list.length }, (_, index) => list.at(index)?.id);
    };
  };
  const expected = () => server.rows.filter(({ done }) => !done).map(({ id }) => id);
  const edits = {
    'a create': (controller) => controller.fetch(Tasks.getList.unshift, args, { done: false }),
    'a create with a 204': (controller) => {
      server.isSilent = true;
      return controller.fetch(Tasks.getList.push, args, { done: false });
    },
    'a move': (controller) => controller.fetch(Tasks.getList.move, { id: 1 }, { done: true }),
    'a move with a 204': (controller) => {
      server.isSilent = true;
      return controller.fetch(Tasks.getList.move, { id: 1 }, { done: true });
    },
    'a delete of a loaded row': (controller) => controller.fetch(Tasks.delete, { id: 1 }),
    'a delete of a row that is not loaded': (controller) => {
      server.rows.push({ id: 5, done: true });
      return controller.fetch(Tasks.delete, { id: 5 });
    },
  } satisfies Record<string, (controller: Controller) => Promise<unknown>>;
  return { server, Tasks, args, open, expected, edits };
}

const edits = Object.keys(openTasks().edits) as (keyof ReturnType<typeof openTasks>['edits'])[];

describe.each(['exported', 'followed'])('a windowed list that is %s', (how) => {
  /** Returns the state of the controller at the time of each call. */
  const stateOf = (controller: Controller): (() => ReturnType<typeof getState>) => {
    if (how === 'exported') return () => copied(getState(controller));
    let state = getState(controller);
    changes(controller, (change) => (state = applyChange(state, copied(change))));
    return () => copied(state);
  };

  it.each(edits)('loads the visible rows again after %s', async (edit) => {
    const tasks = openTasks();
    const { server, open, expected } = tasks;
    const before = new Controller();
    const state = stateOf(before);
    await open(before);
    server.holds = (method) => method === 'GET';
    await tasks.edits[edit](before);
    await settle();
    server.holds = () => false;
    server.asked = [];
    const controller = new Controller();
    hydrate(controller, state());
    const ids = await open(controller);
    expect(ids()).toEqual(expected());
    const pages = Math.ceil(expected().length / 2);
    expect(server.asked).toHaveLength(edit === 'a delete of a loaded row' ? 0 : pages);
  });

  it.each(edits)('needs no request if its rows have arrived after %s', async (edit) => {
    const tasks = openTasks();
    const { server, open, expected } = tasks;
    const before = new Controller();
    const state = stateOf(before);
    await open(before);
    await tasks.edits[edit](before);
    await settle();
    server.asked = [];
    const controller = new Controller();
    hydrate(controller, state());
    const ids = await open(controller);
    expect(ids()).toEqual(expected());
    expect(server.asked).toEqual([]);
  });

  it.each(edits)('loads again after %s while a delete is in flight', async (edit) => {
    const tasks = openTasks();
    const { server, Tasks, open, expected } = tasks;
    const before = new Controller();
    const state = stateOf(before);
    await open(before);
    server.asked = [];
    server.holds = (method) => method === 'DELETE';
    void before.fetch(Tasks.delete, { id: 3 });
    await settle();
    server.holds = () => false;
    await tasks.edits[edit](before);
    await settle();
    expect(server.asked.filter((request) => request.startsWith('GET'))).toEqual([]);
    server.rows = server.rows.filter(({ id }) => id !== 3);
    const controller = new Controller();
    hydrate(controller, state());
    const ids = await open(controller);
    const isKnown = edit === 'a delete of a loaded row';
    expect(ids()).toEqual(isKnown ? [2, 3, 4] : expected());
  });

  it.each(edits)('loads again after %s, before which it was hydrated unread', async (edit) => {
    const tasks = openTasks();
    const { open, expected } = tasks;
    const before = new Controller();
    await open(before);
    const unread = new Controller();
    hydrate(unread, copied(getState(before)));
    const state = stateOf(unread);
    await tasks.edits[edit](unread);
    const controller = new Controller();
    hydrate(controller, state());
    const ids = await open(controller);
    expect(ids()).toEqual(expected());
  });
});
