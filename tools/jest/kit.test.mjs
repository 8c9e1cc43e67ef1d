// @ts-check
// In an order that finds what depends on it: the first use of React is under fake timers.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Controller, Entity, resource } from 'restitch';
import { AsyncBoundary, useDLE, useLive, useSuspense } from 'restitch/react';
import { mockFixtures, MockProvider, renderDataHook } from 'restitch/testing';

class User extends Entity {
  id = '';
  name = '';
}
const Users = resource({
  urlPrefix: 'https://api.example.com',
  path: '/users/:id',
  schema: User,
  optimistic: true,
});
const ada = { id: '1', name: 'Ada' };

/** @type {(() => void)[]} */
const ends = [];
afterEach(() => {
  jest.useRealTimers();
  for (const end of ends.splice(0)) end();
});

describe('under jest with fake timers', () => {
  it('a hook waits for a delayed fixture', async () => {
    jest.useFakeTimers();
    const { result, waitForNextUpdate, cleanup } = renderDataHook(
      () => useSuspense(Users.get, { id: '1' }),
      { fixtures: [{ endpoint: Users.get, args: [{ id: '1' }], response: ada, delay: 700 }] },
    );
    ends.push(cleanup);
    const waiting = waitForNextUpdate();
    await jest.advanceTimersByTimeAsync(699);
    expect(result.isWaiting).toBe(true);
    await jest.advanceTimersByTimeAsync(1);
    await waiting;
    expect(result.current.name).toBe('Ada');
  });

  it('everything settles, one request after the other', async () => {
    jest.useFakeTimers();
    const { result, controller, allSettled, cleanup } = renderDataHook(
      () => useDLE(Users.get, { id: '1' }),
      {
        fixtures: [
          { endpoint: Users.get, response: () => ada, delay: 250 },
          {
            endpoint: Users.partialUpdate,
            response: ({ id }, body) => ({ id, ...body }),
            delay: 50,
          },
        ],
      },
    );
    ends.push(cleanup);
    expect(result.current.loading).toBe(true);
    let settled = allSettled();
    await jest.advanceTimersByTimeAsync(250);
    await settled;
    expect(result.current.data?.name).toBe('Ada');

    void controller.fetch(Users.partialUpdate, { id: '1' }, { name: 'Grace' });
    expect(controller.get(User, { id: '1' })?.name).toBe('Grace');
    settled = allSettled();
    await jest.advanceTimersByTimeAsync(50);
    await settled;
    expect(result.current.data?.name).toBe('Grace');
  });

  it('polling follows them', async () => {
    jest.useFakeTimers();
    let count = 0;
    const getUser = Users.get.extend({ pollFrequency: 1_000 });
    const { result, allSettled, cleanup } = renderDataHook(
      () => useLive(getUser, { id: '1' }).name,
      { fixtures: [{ endpoint: getUser, response: () => ({ id: '1', name: `${(count += 1)}` }) }] },
    );
    ends.push(cleanup);
    await allSettled();
    expect(result.current).toBe('1');
    await jest.advanceTimersByTimeAsync(1_200);
    await allSettled();
    expect(result.current).toBe('2');
  });

  it('components show their fixtures', async () => {
    jest.useFakeTimers();
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
    const Name = () => useSuspense(Users.get, { id: '1' }).name;
    const element = document.body.appendChild(document.createElement('main'));
    const root = createRoot(element);
    ends.push(() => act(() => root.unmount()));
    const fixtures = [{ endpoint: Users.get, args: [{ id: '1' }], response: ada, delay: 300 }];
    act(() =>
      root.render(
        createElement(
          MockProvider,
          { fixtures },
          createElement(AsyncBoundary, { fallback: 'loading' }, createElement(Name)),
        ),
      ),
    );
    expect(element.textContent).toBe('loading');
    await act(() => jest.advanceTimersByTimeAsync(300));
    expect(element.textContent).toBe('Ada');
  });
});

describe('under jest', () => {
  it('real timers work too', async () => {
    const { result, allSettled, cleanup } = renderDataHook(
      () => useSuspense(Users.get, { id: '1' }),
      { fixtures: [{ endpoint: Users.get, response: () => ada, delay: 5 }] },
    );
    ends.push(cleanup);
    await allSettled();
    expect(result.current.name).toBe('Ada');
  });

  it('a controller responds from fixtures without React', async () => {
    const controller = new Controller({
      managers: [mockFixtures([{ endpoint: Users.get, args: [{ id: '1' }], response: ada }])],
    });
    expect((await controller.fetch(Users.get, { id: '1' })).name).toBe('Ada');
    await expect(controller.fetch(Users.get, { id: '2' })).rejects.toMatchObject({
      code: 'no-fixture',
    });
  });
});
