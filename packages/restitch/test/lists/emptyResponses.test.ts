/** Creates and other edits of lists that get a 204, without an optimistic update. */
import {
  Collection,
  Controller,
  Entity,
  resource,
  RestEndpoint,
  type Snapshot,
  Union,
  Values,
} from 'restitch';
import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Todo extends Entity {
  id = '';
  title = '';
  status = '';
}

const server = await serverOfFile();
beforeEach(() => {
  server.respond((_, response) => void response.writeHead(204).end());
});

function open(optimistic = false) {
  const controller = new Controller();
  const Todos = resource({
    urlPrefix: server.origin,
    path: '/todos/:id',
    schema: Todo,
    searchParams: {} as { status?: string },
    optimistic,
  });
  const banned = Todos.getList.extend({ path: '/todos/banned' });
  const lists = { all: {}, open: { status: 'open' }, done: { status: 'done' } } as const;
  for (const args of Object.values(lists)) {
    controller.setResponse(Todos.getList, args, [{ id: '1', status: 'open' }]);
    controller.setResponse(banned, args, []);
  }
  /** The lists whose readers fetch again. */
  const expired = () => [
    ...Object.entries(lists).flatMap(([name, args]) =>
      controller.observe(Todos.getList, args).needsLoad(true) ? [name] : [],
    ),
    ...(controller.observe(banned, {}).needsLoad(true) ? ['banned'] : []),
  ];
  // A result that was never read would expire with any of them.
  expired();
  return { controller, Todos, expired };
}

describe('an empty response to an edit without an optimistic update', () => {
  it.each(['push', 'unshift'] as const)(
    'expires the lists that the record sent by %s enters',
    async (action) => {
      const { controller, Todos, expired } = open();
      expect(await controller.fetch(Todos.getList[action], { title: 'a', status: 'open' })).toBe(
        null,
      );
      expect(expired()).toEqual(['all', 'open']);
    },
  );

  it.each([false, true])(
    'expires lists that the created record may enter, optimistic: %s',
    async (optimistic) => {
      const { controller, Todos, expired } = open(optimistic);
      await controller.fetch(Todos.getList.push, { title: 'a' });
      expect(expired()).toEqual(['all', 'open', 'done']);
    },
  );

  it('expires the lists of a record in a form, of an array and of path parameters', async () => {
    const form = new FormData();
    form.set('status', 'done');
    const inForm = open();
    await inForm.controller.fetch(inForm.Todos.getList.push, form);
    expect(inForm.expired()).toEqual(['all', 'done']);
    const inArray = open();
    const bodies = [{ status: 'open' }, { status: 'done' }];
    await inArray.controller.fetch(inArray.Todos.getList.push, bodies as never);
    expect(inArray.expired()).toEqual(['all', 'open', 'done']);
    const inArgs = open();
    await inArgs.controller.fetch(inArgs.Todos.getList.push, { status: 'done' }, { title: 'a' });
    expect(inArgs.expired()).toEqual(['all', 'done']);
  });

  it('expires the list of a removal, and the lists that show the old status', async () => {
    const { controller, Todos, expired } = open();
    await controller.fetch(Todos.getList.remove, { status: 'open' }, { id: '1' } as never);
    expect(expired()).toEqual(['all', 'open', 'done']);
  });

  it('expires no list again that an optimistic update shows already', async () => {
    const { controller, Todos, expired } = open(true);
    await controller.fetch(Todos.getList.push, { id: '2', status: 'open' });
    expect(controller.getResponse(Todos.getList, { status: 'open' })).toHaveLength(2);
    expect(expired()).toEqual([]);
  });

  it('expires the lists where the optimistic function gave nothing', async () => {
    const { controller, Todos, expired } = open();
    const push = Todos.getList.push.extend({
      getOptimisticResponse(snapshot: Snapshot, ..._: readonly unknown[]): never {
        throw snapshot.abort;
      },
    });
    await controller.fetch(push, { status: 'done' });
    expect(expired()).toEqual(['all', 'done']);
  });

  it('expires the list in an envelope, of a union and of a map', async () => {
    const controller = new Controller();
    const either = new Union({ todo: Todo }, () => 'todo');
    const endpoint = (path: string, schema: any) =>
      new RestEndpoint({ urlPrefix: server.origin, path, schema });
    const envelope = endpoint('/a', { results: new Collection([Todo]), total: 0 });
    const union = endpoint('/b', new Collection([either]));
    const map = endpoint('/c', new Collection(new Values(Todo)));
    controller.setResponse(envelope, {}, { results: [], total: 0 } as never);
    controller.setResponse(union, {}, [] as never);
    controller.setResponse(map, {}, {} as never);
    const getAll = [envelope, union, map] as any[];
    await controller.fetch(getAll[0].push, { title: 'a' });
    await controller.fetch(getAll[1].push, { title: 'a' });
    await controller.fetch(getAll[2].assign, { key: { title: 'a' } });
    expect(getAll.map((list) => controller.observe(list, {}).needsLoad(true))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('expires a list whose request began before it and ends after it', async () => {
    const { Todos } = open();
    const controller = new Controller();
    let reading: ServerResponse | undefined;
    server.respond((request, response) => {
      if (request.method === 'GET') reading = response;
      else response.writeHead(204).end();
    });
    const view = controller.observe(Todos.getList, { status: 'open' });
    const read = view.load();
    await vi.waitFor(() => expect(reading).toBeDefined());
    await controller.fetch(Todos.getList.push, { status: 'open' });
    reading?.setHeader('content-type', 'application/json').end('[]');
    await read;
    expect(view.needsLoad(true)).toBe(true);
    server.respond(() => [{ id: '7', status: 'open' }]);
    await view.load();
    expect(view.getSnapshot()).toMatchObject({ data: [{ id: '7' }], stale: false });
    expect(view.needsLoad(true)).toBe(false);
  });

  it('expires each list with a custom filter, which may read fields that were not sent', async () => {
    const controller = new Controller();
    const getList: any = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/filtered',
      searchParams: {} as { status: string },
      schema: new Collection([Todo], {
        createCollectionFilter: () => (list, record) => list['status'] === record['status'],
      }),
    });
    controller.setResponse(getList, { status: 'open' }, []);
    await controller.fetch(getList.push, { title: 'a' });
    expect(controller.observe(getList, { status: 'open' }).needsLoad(true)).toBe(true);
  });

  it('reports the error of a filter that throws, and does not fail', async () => {
    const reports: unknown[] = [];
    const controller = new Controller({ environment: { report: (error) => reports.push(error) } });
    const getList: any = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/throwing',
      schema: new Collection([Todo], {
        createCollectionFilter: () => () => {
          throw new Error('no');
        },
      }),
    });
    controller.setResponse(getList, {}, []);
    expect(await controller.fetch(getList.push, { title: 'a' })).toBe(null);
    expect(reports).toMatchObject([{ code: 'callback-failed' }]);
  });
});
