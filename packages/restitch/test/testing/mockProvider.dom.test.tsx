import { act, fireEvent, render } from '@testing-library/react';
import { Activity, type ReactNode, StrictMode } from 'react';
import { type Action, Entity, type Manager, resource } from 'restitch';
import { AsyncBoundary, useController, useLive, useSuspense } from 'restitch/react';
import { MockProvider } from 'restitch/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasActivity, watchConsole } from '../support/reactWorld.js';

watchConsole();

class User extends Entity {
  id = '';
  name = '';
}

const Users = resource({
  urlPrefix: 'http://127.0.0.1:9',
  path: '/users/:id',
  schema: User,
  optimistic: true,
});
const ada = { id: '1', name: 'Ada' };

function Name({ id }: { id: string }): ReactNode {
  const user = useSuspense(Users.get, { id });
  const { fetch } = useController();
  const rename = (): void => {
    fetch(Users.partialUpdate, { id }, { name: 'Grace' }).catch(() => {});
  };
  return <button onClick={rename}>{user.name}</button>;
}

const text = (): string => document.body.textContent ?? '';
const shownNow = (children: ReactNode): void => {
  render(children, { wrapper: StrictMode });
};

function useFakeTimers(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

describe('MockProvider', () => {
  it('shows its fixtures in the first render: nothing waits', () => {
    const fallback = vi.fn(() => null);
    const Fallback = fallback;
    render(
      <MockProvider fixtures={[{ endpoint: Users.get, args: [{ id: '1' }], response: ada }]}>
        <AsyncBoundary fallback={<Fallback />}>
          <Name id="1" />
        </AsyncBoundary>
      </MockProvider>,
    );
    expect(text()).toBe('Ada');
    expect(fallback).not.toHaveBeenCalled();
  });

  it('lets readers wait for a fixture with a delay, on fake timers too', async () => {
    useFakeTimers();
    shownNow(
      <MockProvider
        fixtures={[{ endpoint: Users.get, args: [{ id: '1' }], response: ada, delay: 700 }]}
      >
        <AsyncBoundary fallback="loading">
          <Name id="1" />
        </AsyncBoundary>
      </MockProvider>,
    );
    expect(text()).toBe('loading');
    await act(() => vi.advanceTimersByTimeAsync(699));
    expect(text()).toBe('loading');
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(text()).toBe('Ada');
  });

  it('responds to mutations, after their optimistic update was visible', async () => {
    useFakeTimers();
    shownNow(
      <MockProvider
        fixtures={[
          { endpoint: Users.get, args: [{ id: '1' }], response: ada },
          {
            endpoint: Users.partialUpdate,
            response: ({ id }, { name }) => ({ id, name: `${name}!` }),
            delay: 100,
          },
        ]}
      >
        <Name id="1" />
      </MockProvider>,
    );
    fireEvent.click(document.querySelector('button') ?? document.body);
    expect(text()).toBe('Grace');
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(text()).toBe('Grace!');
  });

  it('shows at the error boundary which request no fixture matches', async () => {
    render(
      <MockProvider fixtures={[{ endpoint: Users.get, args: [{ id: '1' }], response: ada }]}>
        <AsyncBoundary fallback="loading">
          <Name id="2" />
        </AsyncBoundary>
      </MockProvider>,
      { onCaughtError: () => {} },
    );
    await act(async () => {});
    expect(document.querySelector('[role=alert]')?.textContent).toContain(
      'GET http://127.0.0.1:9/users/2: no fixture matches this request',
    );
  });

  it('polls, as a DataProvider does', async () => {
    useFakeTimers();
    let count = 0;
    const getUser = Users.get.extend({ pollFrequency: 1_000 });
    const Live = (): ReactNode => useLive(getUser, { id: '1' }).name;
    shownNow(
      <MockProvider
        fixtures={[{ endpoint: getUser, response: ({ id }) => ({ id, name: `${(count += 1)}` }) }]}
      >
        <AsyncBoundary>
          <Live />
        </AsyncBoundary>
      </MockProvider>,
    );
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(text()).toBe('1');
    await act(() => vi.advanceTimersByTimeAsync(1_200));
    expect(text()).toBe('2');
  });

  it('reads its props once: a new list of equal fixtures keeps the store, another key begins anew', async () => {
    const Page = ({ name, id }: { name: string; id: string }): ReactNode => (
      <MockProvider
        key={id}
        fixtures={[{ endpoint: Users.get, args: [{ id: '1' }], response: { id: '1', name } }]}
      >
        <Name id="1" />
      </MockProvider>
    );
    const { rerender } = render(<Page name="Ada" id="a" />);
    rerender(<Page name="Grace" id="a" />);
    expect(text()).toBe('Ada');
    rerender(<Page name="Grace" id="b" />);
    expect(text()).toBe('Grace');
  });

  it('lets other managers see each request before its response arrives', async () => {
    const actions: Action['type'][] = [];
    const log: Manager = {
      middleware: () => (next) => (action) => {
        actions.push(action.type);
        next(action);
      },
    };
    shownNow(
      <MockProvider managers={[log]} fixtures={[{ endpoint: Users.get, response: () => ada }]}>
        <AsyncBoundary>
          <Name id="1" />
        </AsyncBoundary>
      </MockProvider>,
    );
    await act(async () => {});
    expect(text()).toBe('Ada');
    expect(actions).toEqual(['fetch', 'receive']);
  });

  it.runIf(hasActivity)('responds again after it was hidden and shown', async () => {
    const page = (mode: 'visible' | 'hidden'): ReactNode => (
      <Activity mode={mode}>
        <MockProvider fixtures={[{ endpoint: Users.get, args: [{ id: '1' }], response: ada }]}>
          <Name id="1" />
        </MockProvider>
      </Activity>
    );
    const { rerender } = render(page('visible'));
    await act(async () => rerender(page('hidden')));
    await act(async () => rerender(page('visible')));
    expect(text()).toBe('Ada');
  });
});
