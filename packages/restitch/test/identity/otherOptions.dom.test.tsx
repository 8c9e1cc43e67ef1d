import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { byPage, Collection, Controller, Entity, resource, RestEndpoint } from 'restitch';
import {
  useCache,
  useDLE,
  useInfinite,
  useLive,
  useSuspense,
  useSuspenseAll,
} from 'restitch/react';
import { describe, expect, it, vi } from 'vitest';
import { show, watchConsole } from '../support/reactWorld.js';

watchConsole();

class Todo extends Entity {
  id = '';
}

function open() {
  const tokens: unknown[] = [];
  class TodoEndpoint extends RestEndpoint {
    override async fetchResponse(_: string, { headers }: RequestInit): Promise<Response> {
      tokens.push(new Headers(headers).get('authorization'));
      return Response.json([{ id: '1' }]);
    }
  }
  const Todos = resource({ path: '/todos/:id', schema: Todo, Endpoint: TodoEndpoint as never });
  return { Todos, tokens, controller: new Controller() };
}

describe('a reader with a token beside `useCache` without one', () => {
  it.each([false, true])('fetches with its token, rendered first: %j', async (isFirst) => {
    const { Todos, tokens, controller } = open();
    const mine = Todos.getList.extend({ requestInit: { headers: { authorization: 'mine' } } });
    const List = () => <p>{`list ${useSuspense(mine).length}`}</p>;
    const Badge = () => <p>{`badge ${useCache(Todos.getList)?.length}`}</p>;
    show(
      isFirst ? (
        <>
          <List />
          <Badge />
        </>
      ) : (
        <>
          <Badge />
          <List />
        </>
      ),
      { controller },
    );
    await screen.findByText('badge 1');
    await act(async () => controller.expireAll(Todos.getList));
    await expect.poll(() => tokens).toEqual(['mine', 'mine']);
    expect(screen.getByText('list 1')).toBeDefined();
  });
});

it('an endpoint that each render extends fetches once, and later with its newest token', async () => {
  const { Todos, tokens, controller } = open();
  function List() {
    const [token, set] = useState('old');
    const getList = Todos.getList.extend({ getHeaders: () => ({ authorization: token }) });
    return <button onClick={() => set('new')}>{`${token} ${useSuspense(getList).length}`}</button>;
  }
  show(<List />, { controller });
  await screen.findByText('old 1');
  await act(async () => screen.getByRole('button').click());
  expect(screen.getByText('new 1')).toBeDefined();
  expect(tokens).toEqual(['old']);
  await act(async () => controller.expireAll(Todos.getList));
  await expect.poll(() => tokens).toEqual(['old', 'new']);
});

describe('a copy with a new signal in each render', () => {
  const { Todos } = open();
  const list = () => Todos.getList.extend({ signal: new AbortController().signal });
  const paged = new RestEndpoint({
    path: '/todos',
    searchParams: {} as { page?: number },
    schema: new Collection([Todo]),
    pagination: byPage({ param: 'page' }),
    send: async () => Response.json([{ id: '1' }]),
  });
  const hooks: Readonly<Record<string, () => number | undefined>> = {
    useSuspense: () => useSuspense(list()).length,
    useSuspenseAll: () => useSuspenseAll([[list()]])[0].length,
    useLive: () => useLive(list().extend({ pollFrequency: 60_000 })).length,
    useCache: () => useCache(list())?.length,
    useDLE: () => {
      const { data, isFetching } = useDLE(list());
      return isFetching ? undefined : data?.length;
    },
    useInfinite: () =>
      useInfinite(paged.extend({ signal: new AbortController().signal })).items.length,
  };

  it.each(Object.entries(hooks))('is read by %s', async (name, useLength) => {
    const renders = vi.fn();
    function Reader() {
      const [count, set] = useState(0);
      renders();
      const length = useLength();
      return <button onClick={() => set(count + 1)}>{`${count} ${length}`}</button>;
    }
    const controller = new Controller();
    if (name === 'useCache') await controller.fetch(Todos.getList);
    show(<Reader />, { controller });
    await screen.findByText('0 1');
    await act(async () => screen.getByRole('button').click());
    expect(screen.getByText('1 1')).toBeDefined();
    expect(renders.mock.calls.length).toBeLessThan(12);
  });
});
