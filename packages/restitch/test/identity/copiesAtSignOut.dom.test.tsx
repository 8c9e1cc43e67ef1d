/** After a sign-out, a component that renders with another copy of its endpoint sends no request. */
import { act, screen } from '@testing-library/react';
import * as React from 'react';
import { createContext, type ReactNode, useContext, useState } from 'react';
import {
  byPage,
  Collection,
  Controller,
  Entity,
  hookifyResource,
  logout,
  resource,
} from 'restitch';
import {
  AsyncBoundary,
  useCancelling,
  useDLE,
  useFetch,
  useInfinite,
  useInfiniteDLE,
  useLive,
  useSuspense,
  useSuspenseAll,
  useWindow,
} from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import { remote } from '../support/screen.js';
import { hasUse, show, watchConsole } from '../support/reactWorld.js';

watchConsole();

class Todo extends Entity {
  id = '';
}

const sent: (string | null)[] = [];
const Todos = resource({
  path: '/todos/:id',
  schema: Todo,
  pollFrequency: 60_000,
  pagination: byPage({ param: 'page', total: 'total' }),
  send: async (_: string, { headers }: RequestInit) => {
    sent.push(new Headers(headers).get('authorization'));
    return Response.json({ results: [{ id: '1' }], total: 1 });
  },
}).extend('getList', { schema: { results: new Collection([Todo]), total: 0 } });

interface Session {
  readonly token: string;
  readonly renders: number;
  readonly how: 'token' | 'timeout' | 'signal';
}

const SessionContext = createContext<Session>({ token: '', renders: 0, how: 'token' });
const MyTodos = hookifyResource(Todos, () => {
  const { token } = useContext(SessionContext);
  return { headers: { authorization: token } };
});

function useCopy() {
  const { token, renders, how } = useContext(SessionContext);
  const mine = MyTodos.useGetList();
  if (how === 'token') return mine;
  return how === 'timeout'
    ? Todos.getList.extend({ timeout: token ? 9_000 : 8_000 })
    : Todos.getList.extend({ name: `render ${renders}`, signal: new AbortController().signal });
}

const readers: Readonly<Record<string, () => ReactNode>> = {
  useSuspense: function Reader() {
    return useSuspense(useCopy()).results.length;
  },
  useDLE: function Reader() {
    return useDLE(useCopy()).data?.results?.length ?? 'loading';
  },
  useSuspenseAll: function Reader() {
    return useSuspenseAll([[useCopy()]])[0].results.length;
  },
  useLive: function Reader() {
    return useLive(useCopy()).results.length;
  },
  useCancelling: function Reader() {
    return useSuspense(useCancelling(useCopy())).results.length;
  },
  useInfinite: function Reader() {
    return useInfinite(useCopy()).items.length;
  },
  useInfiniteDLE: function Reader() {
    const { items, loading } = useInfiniteDLE(useCopy());
    return loading ? 'loading' : items.length;
  },
  useWindow: function Reader() {
    const { length } = useWindow(useCopy(), [], { start: 0, end: 1 });
    return length || 'loading';
  },
  ...(hasUse && {
    useFetch: function Reader() {
      return React.use(useFetch(useCopy())).results.length;
    },
  }),
};

async function openPage(Reader: () => ReactNode, how: Session['how']) {
  const set = remote<[token: string]>();
  function Page() {
    const [session, change] = useState<Session>({ token: 'ada', renders: 0, how });
    set.connect((token) => change(({ renders }) => ({ token, renders: renders + 1, how })));
    return (
      <SessionContext.Provider value={session}>
        <AsyncBoundary fallback="loading">
          <p>
            <Reader />
          </p>
        </AsyncBoundary>
      </SessionContext.Provider>
    );
  }
  const clock = new Clock();
  const controller = new Controller({ environment: clock.environment });
  await act(async () => void show(<Page />, { controller }));
  return { clock, controller, set };
}

const shown = (): string => screen.queryAllByRole('paragraph').at(0)?.textContent ?? 'loading';

describe.each(['token', 'timeout', 'signal'] as const)('another %s after a sign-out', (how) => {
  // Strict Mode warns if `use()` gets another promise in each render.
  const named = Object.entries(readers).filter(([name]) => how !== 'signal' || name !== 'useFetch');
  it.each(named)('%s sends nothing', async (_, Reader) => {
    const { clock, controller, set } = await openPage(Reader, how);
    await expect.poll(shown).toBe('1');
    sent.length = 0;
    await act(async () => {
      logout(controller);
      set.call('');
    });
    await act(async () => set.call('guest'));
    await act(() => clock.pass(5_000));
    await act(async () => set.call(''));
    await act(() => clock.pass(100_000));
    expect(sent).toEqual([]);
    expect(shown()).toBe('loading');
    await act(async () => set.call('bob'));
    await act(async () => controller.resetEntireStore());
    await expect.poll(shown).toBe('1');
    expect(sent).toHaveLength(1);
    if (how === 'token') expect(sent).toEqual(['bob']);
  });
});

it('an infinite list of two copies, one of them with `invalidIfStale`, shows nothing after a sign-out', async () => {
  let isOpen = true;
  const strict = Todos.getList.extend({ invalidIfStale: true });
  const held = new Promise<Response>(() => {});
  const hold = { send: async () => (isOpen ? Response.json({ results: [{ id: '1' }] }) : held) };
  const [plainList, strictList] = [Todos.getList.extend(hold), strict.extend(hold)];
  function Plain() {
    return <p>{useInfinite(plainList).items.length}</p>;
  }
  function Strict() {
    const { items, loading } = useInfiniteDLE(strictList);
    return <i>{loading ? 'loading' : items?.length}</i>;
  }
  const set = remote<[]>();
  function Page() {
    const [, render] = useState(0);
    set.connect(() => render((count) => count + 1));
    return (
      <>
        <AsyncBoundary fallback="loading">
          <Plain />
        </AsyncBoundary>
        <Strict />
      </>
    );
  }
  const controller = new Controller();
  await act(async () => void show(<Page />, { controller }));
  await expect.poll(shown).toBe('1');
  isOpen = false;
  await act(async () => controller.expireAll(Todos.getList));
  expect(shown()).toBe('1');
  await act(async () => logout(controller));
  expect(shown()).toBe('loading');
  await act(async () => set.call());
  expect(shown()).toBe('loading');
});
