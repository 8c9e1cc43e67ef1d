import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createContext, StrictMode, use, useContext, useEffect, useState } from 'react';
import { Entity, resource, RestEndpoint } from 'restitch';
import { useController, useDLE, useFetch, useLive, useQuery, useSuspense } from 'restitch/react';
import { renderDataHook, type RenderedDataHook } from 'restitch/testing';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasUse, watchConsole } from '../support/reactWorld.js';
import { Clock } from '../support/clock.js';

watchConsole();

class User extends Entity {
  id = '';
  name = '';
  teamId = '';
}

const Users = resource({
  urlPrefix: 'http://127.0.0.1:9',
  path: '/users/:id',
  schema: User,
  optimistic: true,
});
const ada = { id: '1', name: 'Ada', teamId: '7' };
const getTeam = new RestEndpoint({ urlPrefix: 'http://127.0.0.1:9', path: '/teams/:id' });

const hooks: RenderedDataHook<unknown, never>[] = [];
afterEach(() => {
  for (const hook of hooks.splice(0)) hook.cleanup();
});
/** Ends a hook with its test. */
function kept<Result, Props>(
  hook: RenderedDataHook<Result, Props>,
): RenderedDataHook<Result, Props> {
  // The cast: all that is called is `cleanup`.
  hooks.push(hook as unknown as RenderedDataHook<unknown, never>);
  return hook;
}

function useFakeTimers(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

describe('renderDataHook', () => {
  it('has its data from the start, in the first render', () => {
    const { result, controller } = kept(
      renderDataHook(() => useSuspense(Users.get, { id: '1' }), {
        fixtures: [{ endpoint: Users.get, args: [{ id: '1' }], response: ada }],
      }),
    );
    expect(result.current).toBeInstanceOf(User);
    expect(result.current.name).toBe('Ada');
    expect(controller.get(User, { id: '1' })).toBe(result.current);
    expect([result.isWaiting, result.error]).toEqual([false, undefined]);
  });

  it('waits for its data; reading it before says what to do', async () => {
    const { result, waitForNextUpdate } = kept(
      renderDataHook(() => useSuspense(Users.get, { id: '1' }), {
        fixtures: [{ endpoint: Users.get, response: ({ id }) => ({ ...ada, id }) }],
      }),
    );
    expect(result.isWaiting).toBe(true);
    expect(() => result.current).toThrow(
      expect.objectContaining({ code: 'hook-waits', message: expect.stringContaining('await') }),
    );
    await waitForNextUpdate();
    expect(result.current.name).toBe('Ada');
  });

  it('waits on fake timers, installed before or after', async () => {
    useFakeTimers();
    const { result, waitForNextUpdate, allSettled } = kept(
      renderDataHook(() => useSuspense(Users.get, { id: '1' }), {
        fixtures: [
          { endpoint: Users.get, response: ada, delay: 700 },
          { endpoint: Users.partialUpdate, response: ada },
        ],
      }),
    );
    const waiting = waitForNextUpdate();
    await vi.advanceTimersByTimeAsync(699);
    expect(result.isWaiting).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(result.current.name).toBe('Ada');
    vi.useRealTimers();
    await allSettled();
    expect(result.current.name).toBe('Ada');
  });

  it('settles when everything has a response, also requests that a response caused', async () => {
    const { result, allSettled } = kept(
      renderDataHook(
        () => {
          const user = useSuspense(Users.get, { id: '1' });
          const team = useSuspense(getTeam, { id: user.teamId });
          return `${user.name} of ${String(team.title)}`;
        },
        {
          fixtures: [
            { endpoint: Users.get, response: () => ada, delay: 5 },
            { endpoint: getTeam, response: ({ id }) => ({ title: `team ${id}` }), delay: 5 },
          ],
        },
      ),
    );
    await allSettled();
    expect(result.current).toBe('Ada of team 7');
  });

  it('settles on fake timers that other code advances', async () => {
    useFakeTimers();
    const { result, allSettled } = kept(
      renderDataHook(() => useDLE(Users.get, { id: '1' }), {
        fixtures: [{ endpoint: Users.get, response: () => ada, delay: 250 }],
      }),
    );
    expect(result.current.loading).toBe(true);
    const settled = allSettled();
    await vi.advanceTimersByTimeAsync(250);
    await settled;
    expect(result.current.data?.name).toBe('Ada');
  });

  it('has the error of a fixture, and throws it to readers of the value', async () => {
    const error = new Error('gone');
    const { result, rerender, waitForNextUpdate } = kept(
      renderDataHook(({ id }) => useSuspense(Users.get, { id }), {
        initialProps: { id: '2' },
        fixtures: [
          { endpoint: Users.get, args: [{ id: '1' }], response: ada, delay: 0 },
          { endpoint: Users.get, args: [{ id: '2' }], error },
        ],
      }),
    );
    expect(result.error).toBe(error);
    expect(() => result.current).toThrow('gone');
    rerender({ id: '1' });
    expect([result.isWaiting, result.error]).toEqual([true, undefined]);
    await waitForNextUpdate();
    expect(result.current.name).toBe('Ada');
  });

  it('fails where no fixture matches', async () => {
    const { result, waitForNextUpdate } = kept(
      renderDataHook(() => useSuspense(Users.get, { id: '3' }), { fixtures: [] }),
    );
    await waitForNextUpdate();
    expect(result.error).toMatchObject({ code: 'no-fixture' });
    expect(result.error?.message).toContain('GET http://127.0.0.1:9/users/3');
  });

  it('renders again with other props, or with the same', () => {
    const { result, rerender } = kept(
      renderDataHook(({ id }: { id: string }) => useSuspense(Users.get, { id }).name, {
        initialProps: { id: '1' },
        fixtures: [
          { endpoint: Users.get, args: [{ id: '1' }], response: ada },
          { endpoint: Users.get, args: [{ id: '2' }], response: { id: '2', name: 'Grace' } },
        ],
      }),
    );
    rerender({ id: '2' });
    expect(result.current).toBe('Grace');
    rerender();
    expect(result.current).toBe('Grace');
  });

  it('shows a mutation at once, and its response afterwards', async () => {
    useFakeTimers();
    const { result, controller, allSettled } = kept(
      renderDataHook(() => ({ user: useQuery(User, { id: '1' }), fetch: useController().fetch }), {
        fixtures: [
          { endpoint: Users.get, args: [{ id: '1' }], response: ada },
          {
            endpoint: Users.partialUpdate,
            response: ({ id }, body) => ({ id, name: `${String(body.name)}!` }),
            delay: 50,
          },
        ],
      }),
    );
    expect(result.current.fetch).toBe(controller.fetch);
    void controller.fetch(Users.partialUpdate, { id: '1' }, { name: 'Grace' });
    const settled = allSettled();
    await vi.advanceTimersByTimeAsync(0);
    expect(controller.get(User, { id: '1' })?.name).toBe('Grace');
    await vi.advanceTimersByTimeAsync(50);
    await settled;
    expect(result.current.user?.name).toBe('Grace!');
  });

  it('renders updates that come from the hook’s own state', async () => {
    const { result, waitForNextUpdate } = kept(
      renderDataHook(() => {
        const [count, set] = useState(0);
        useEffect(() => {
          const timer = setTimeout(() => set(1), 5);
          return () => clearTimeout(timer);
        }, []);
        return count;
      }),
    );
    expect(result.current).toBe(0);
    await waitForNextUpdate();
    expect(result.current).toBe(1);
  });

  it('takes what a controller takes: a clock, lifetimes, managers', async () => {
    const clock = new Clock();
    let count = 0;
    const getUser = Users.get.extend({ pollFrequency: 1_000 });
    const { result, allSettled } = kept(
      renderDataHook(() => useLive(getUser, { id: '1' }).name, {
        environment: clock.environment,
        fixtures: [{ endpoint: getUser, response: () => ({ id: '1', name: `${(count += 1)}` }) }],
      }),
    );
    await allSettled();
    expect(result.current).toBe('1');
    await clock.pass(1_000);
    await allSettled();
    expect(result.current).toBe('2');
  });

  it('renders inside of a wrapper', () => {
    const Id = createContext('');
    const { result } = kept(
      renderDataHook(() => useSuspense(Users.get, { id: useContext(Id) }).name, {
        wrapper: ({ children }) => (
          <StrictMode>
            <Id.Provider value="1">{children}</Id.Provider>
          </StrictMode>
        ),
        fixtures: [{ endpoint: Users.get, args: [{ id: '1' }], response: ada }],
      }),
    );
    expect(result.current).toBe('Ada');
  });

  it.runIf(hasUse)('renders hooks that use a promise', async () => {
    const { result, allSettled } = kept(
      renderDataHook(() => use(useFetch(Users.get, { id: '1' })).name, {
        fixtures: [{ endpoint: Users.get, args: [{ id: '1' }], response: ada }],
      }),
    );
    await allSettled();
    expect(result.current).toBe('Ada');
  });

  it('really sends requests where it is given no fixtures', async () => {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      // The page of the test has another origin.
      response.setHeader('access-control-allow-origin', '*');
      response.end(JSON.stringify(ada));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const getUser = Users.get.extend({ urlPrefix: `http://127.0.0.1:${port}` });
    const { result, allSettled } = kept(
      renderDataHook(() => useSuspense(getUser, { id: '1' }).name),
    );
    await allSettled();
    expect(result.current).toBe('Ada');
  });

  it('leaves nothing behind', async () => {
    const before: unknown = Reflect.get(globalThis, 'IS_REACT_ACT_ENVIRONMENT');
    const clock = new Clock();
    const getUser = Users.get.extend({ pollFrequency: 1_000 });
    const { controller, unmount, cleanup, allSettled } = renderDataHook(
      () => useLive(getUser, { id: '1' }),
      {
        environment: clock.environment,
        fixtures: [{ endpoint: getUser, response: () => ada }],
      },
    );
    await allSettled();
    expect(clock.timers).toBe(1);
    unmount();
    expect([clock.timers, clock.listeners]).toEqual([0, 0]);
    expect((await controller.fetch(getUser, { id: '1' })).name).toBe('Ada');
    cleanup();
    expect(Reflect.get(globalThis, 'IS_REACT_ACT_ENVIRONMENT')).toBe(before);
  });
});
