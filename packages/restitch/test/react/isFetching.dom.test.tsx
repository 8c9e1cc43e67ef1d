import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Controller, countRequests, Endpoint, Entity, resource } from 'restitch';
import { DataProvider, useIsFetching, useIsMutating } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { requests, textEndpoint, watchConsole, write } from '../support/reactWorld.js';

watchConsole();

function world() {
  const text = textEndpoint();
  const other = textEndpoint();
  const saving = requests();
  const save = new Endpoint(saving.send, { name: 'save', sideEffect: true });
  const controller = new Controller();
  const { result } = renderHook(
    () => ({
      all: useIsFetching(),
      texts: useIsFetching(text.getText),
      first: useIsFetching(text.getText, { id: '1' }),
      saves: useIsFetching(save),
      none: useIsFetching(text.getText, null),
    }),
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <DataProvider controller={controller}>{children}</DataProvider>
      ),
      reactStrictMode: true,
    },
  );
  return { text, other, saving, save, controller, result };
}

describe('useIsFetching', () => {
  it('counts all requests, those of an endpoint, and those for one key', async () => {
    const { text, other, saving, save, controller, result } = world();
    expect(result.current).toEqual({ all: 0, texts: 0, first: 0, saves: 0, none: 0 });
    await write(() => {
      void controller.fetch(text.getText, { id: '1' });
      void controller.fetch(text.getText, { id: '1' });
      void controller.fetch(text.getText, { id: '2' });
      void controller.fetch(other.getText, { id: '1' });
      void controller.fetch(save, { id: '1' });
      void controller.fetch(save, { id: '1' });
    });
    expect(result.current).toEqual({ all: 5, texts: 2, first: 1, saves: 2, none: 0 });
    await text.respond('a', 0);
    await saving.respond(null, 0);
    expect(result.current).toEqual({ all: 3, texts: 1, first: 0, saves: 1, none: 0 });
    await act(async () => controller.resetEntireStore());
    expect(result.current).toEqual({ all: 0, texts: 0, first: 0, saves: 0, none: 0 });
  });

  it('has its like in controller.countFetching and watchFetching, which notifies once of requests that begin in one job', async () => {
    const { text, controller } = world();
    let notified = 0;
    const stop = controller.watchFetching(() => {
      notified += 1;
    });
    await write(() => {
      void controller.fetch(text.getText, { id: '1' });
      void controller.fetch(text.getText, { id: '2' });
    });
    expect([notified, controller.countFetching(), controller.countFetching(text.getText)]).toEqual([
      1, 2, 2,
    ]);
    await text.respond('a');
    expect([notified, controller.countFetching(text.getText, { id: '2' })]).toEqual([2, 0]);
    stop();
    await text.respond('a', 0);
    expect([notified, controller.countFetching()]).toEqual([2, 0]);
  });
});

class Task extends Entity {
  id = '';
  title = '';
  static override readonly key = 'Task';
}

/** Endpoints for tasks and others whose requests the test responds to itself. */
function tasks() {
  const server = requests();
  // The cast: the test responds to the requests itself.
  const fetch = server.send as never;
  const Tasks = resource({ path: '/tasks/:id', schema: Task, optimistic: true, fetch });
  const controller = new Controller();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <DataProvider controller={controller}>{children}</DataProvider>
  );
  return { ...server, Tasks, controller, wrapper };
}

describe('useIsMutating', () => {
  it('counts mutations only: all, of an endpoint, for one key, and of one record', async () => {
    const { Tasks, controller, wrapper, respond } = tasks();
    const { result } = renderHook(
      () => ({
        all: useIsMutating(),
        updates: useIsMutating(Tasks.partialUpdate),
        first: useIsMutating(Tasks.partialUpdate, { id: '1' }),
        record: useIsMutating({ entity: Task, pk: '1' }),
        reads: useIsMutating(Tasks.getList),
        none: useIsMutating(Tasks.partialUpdate, null),
      }),
      { wrapper, reactStrictMode: true },
    );
    await write(() => {
      void controller.fetch(Tasks.getList);
      void controller.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' });
      void controller.fetch(Tasks.partialUpdate, { id: '2' }, { title: 'b' });
      void controller.fetch(Tasks.delete, { id: '1' });
    });
    expect(result.current).toEqual({ all: 3, updates: 2, first: 1, record: 2, reads: 0, none: 0 });
    await respond({ id: '1', title: 'a' }, 1);
    expect(result.current).toEqual({ all: 2, updates: 1, first: 0, record: 1, reads: 0, none: 0 });
  });

  it('renders again only when the number changes', async () => {
    const { Tasks, controller, wrapper, respond } = tasks();
    let renders = 0;
    renderHook(
      () => {
        renders += 1;
        return useIsMutating({ path: '/tasks' });
      },
      { wrapper },
    );
    expect(renders).toBe(1);
    await write(() => void controller.fetch(Tasks.getList));
    await respond([]);
    expect(renders).toBe(1);
    await write(() => void controller.fetch(Tasks.delete, { id: '1' }));
    expect(renders).toBe(2);
  });
});

describe('a filter of useIsFetching and countRequests', () => {
  it('selects by endpoint, class, path, kind and a function, and all members must match', async () => {
    const { Tasks, controller, wrapper } = tasks();
    const other = textEndpoint();
    const { result } = renderHook(() => useIsFetching({ path: '/tasks', sideEffect: false }), {
      wrapper,
    });
    await write(() => {
      void controller.fetch(Tasks.getList);
      void controller.fetch(Tasks.get, { id: '1' });
      void controller.fetch(Tasks.getList.push, { title: 'new' });
      void controller.fetch(other.getText, { id: '1' });
    });
    expect(result.current).toBe(2);
    const count = (filter: Parameters<typeof countRequests>[1]) =>
      countRequests(controller, filter);
    expect(countRequests(controller)).toBe(4);
    expect(count({ entity: Task })).toBe(3);
    expect(count({ entity: Task, pk: 1 })).toBe(1);
    expect(count({ endpoint: Tasks.getList })).toBe(1);
    expect(count({ endpoint: Tasks.get, args: [{ id: '2' }] })).toBe(0);
    expect(count({ path: '/tasks/:id' })).toBe(1);
    expect(count({ path: '/task' })).toBe(0);
    expect(count({ match: ({ key }) => key.startsWith('POST') })).toBe(1);
    expect(count({ entity: Task, sideEffect: true, match: () => false })).toBe(0);
  });
});
