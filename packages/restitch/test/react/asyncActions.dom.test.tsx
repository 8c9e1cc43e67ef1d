import { act } from '@testing-library/react';
import { Activity, startTransition, useLayoutEffect } from 'react';
import { Controller, Endpoint, Invalidate, logout } from 'restitch';
import {
  AsyncBoundary,
  useCache,
  useDLE,
  useLoading,
  useMutation,
  usePending,
  useQuery,
  useSuspense,
} from 'restitch/react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  hasActivity,
  hasUse,
  requests,
  show,
  User,
  userEndpoint,
  watchConsole,
} from '../support/reactWorld.js';

watchConsole();

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

/** Runs an async action that does not end before `finish`. React 18 has no async actions. */
async function begin(work: () => unknown): Promise<() => Promise<void>> {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  // React delays all later transitions until the action ends, in other tests too.
  onTestFinished(() => end());
  await act(async () => {
    startTransition(async () => {
      work();
      await ended;
    });
  });
  return () => act(async () => end());
}

/** Less than a tenth of a second: users see the change at once. */
const soon = (): Promise<void> => act(async () => void vi.advanceTimersByTime(60));

function application() {
  const { getUser, respond, calls } = userEndpoint();
  const server = requests();
  const rename = new Endpoint(
    ({ id }: { id: string }, { name }: { name: string }): Promise<{ id: string; name: string }> =>
      server.send({ id }).then(() => ({ id, name })),
    {
      name: 'renameInAction',
      sideEffect: true,
      schema: User,
      getOptimisticResponse: (_, { id }, body) => ({ id, ...body }),
    },
  );
  const remove = new Endpoint(({ id }: { id: string }) => server.send({ id }), {
    name: 'removeInAction',
    sideEffect: true,
    schema: new Invalidate(User),
    getOptimisticResponse: (_, { id }) => ({ id }),
  });
  const args = { id: '1' };
  const Suspending = () => <p>suspense: {useSuspense(getUser, args).name}</p>;
  const Loading = () => {
    const { data, loading } = useDLE(getUser, args);
    return <p>DLE: {loading ? 'loads' : data?.name}</p>;
  };
  const Cached = () => <p>cache: {useCache(getUser, args)?.name ?? 'none'}</p>;
  const Queried = () => {
    const user = useQuery(User, args);
    return (
      <p>
        query: {user?.name ?? 'none'}, {usePending(user).length} pending
      </p>
    );
  };
  const request = (): Promise<unknown> => server.send(args);
  const latest: { rename?: (name: string) => void; load?: () => void } = {};
  const Editor = () => {
    const { mutate, isPending, data } = useMutation(rename);
    const [load, loading] = useLoading(request);
    useLayoutEffect(() => {
      latest.rename = (name) => mutate(args, { name });
      latest.load = () => void load();
    });
    return (
      <p>
        mutation: {isPending ? 'pending' : 'idle'}, {data?.name ?? 'none'},{' '}
        {loading ? 'loading' : 'loaded'}
      </p>
    );
  };
  const controller = new Controller();
  const open = async (): Promise<void> => {
    show(
      <>
        <Loading />
        <Cached />
        <Queried />
        <Editor />
        <AsyncBoundary fallback={<p>suspense: waits</p>}>
          <Suspending />
        </AsyncBoundary>
      </>,
      { controller },
    );
    await respond({ id: '1', name: 'Ada' });
  };
  return { open, calls, respond, controller, server, rename, remove, latest, args, getUser };
}

const texts = (): string[] =>
  [...document.querySelectorAll('p')]
    .filter(({ style }) => style.display !== 'none')
    .map(({ textContent }) => textContent ?? '');

describe.runIf(hasUse)('in an async action', () => {
  it('an optimistic update and `isPending` show before the action ends', async () => {
    const { open, latest, server } = application();
    await open();
    const finish = await begin(() => latest.rename?.('Bob'));
    await soon();
    const shown = [
      'DLE: Bob',
      'cache: Bob',
      'query: Bob, 1 pending',
      'mutation: pending, none, loaded',
      'suspense: Bob',
    ];
    expect(texts()).toEqual(shown);
    await server.respond(null);
    await finish();
    expect(texts().slice(2, 4)).toEqual(['query: Bob, 0 pending', 'mutation: idle, Bob, loaded']);
  });

  it('a failed optimistic update disappears before the action ends', async () => {
    const { open, latest, server } = application();
    await open();
    const finish = await begin(() => latest.rename?.('Bob'));
    await soon();
    await server.fail(new Error('no'));
    expect(texts()).toContain('query: Ada, 0 pending');
    expect(texts()).toContain('mutation: idle, none, loaded');
    await finish();
    expect(texts()).toContain('query: Ada, 0 pending');
  });

  it('an optimistic delete without a hook shows before the action ends', async () => {
    const { open, controller, remove, args, server } = application();
    await open();
    const finish = await begin(() => void controller.fetch(remove, args));
    await soon();
    expect(texts()).toContain('query: none, 0 pending');
    await server.respond(null);
    await finish();
    expect(texts()).toContain('query: none, 0 pending');
  });

  it('`useLoading` shows its call before the action ends', async () => {
    const { open, latest, server } = application();
    await open();
    const finish = await begin(() => latest.load?.());
    expect(texts()).toContain('mutation: idle, none, loading');
    await server.respond(null);
    await finish();
    expect(texts()).toContain('mutation: idle, none, loaded');
  });

  it('a plain write shows at the end of the action', async () => {
    const { open, controller } = application();
    await open();
    const finish = await begin(() => controller.set(User, { id: '1' }, { name: 'Bob' }));
    await soon();
    expect(texts()).toContain('query: Ada, 0 pending');
    await finish();
    expect(texts()).toContain('query: Bob, 0 pending');
  });

  it.each<[string, (controller: Controller) => void]>([
    ['a sign-out', logout],
    ['a sign-out in a batch', (controller) => controller.batch(() => logout(controller))],
  ])('%s removes the data of the last user from the screen at once', async (_, signOut) => {
    const { open, controller, latest, server } = application();
    await open();
    act(() => latest.rename?.('Ada B.'));
    await server.respond(null);
    expect(texts()).toContain('mutation: idle, Ada B., loaded');
    const finish = await begin(() => signOut(controller));
    const empty = [
      'DLE: loads',
      'cache: none',
      'query: none, 0 pending',
      'mutation: idle, none, loaded',
      'suspense: waits',
    ];
    expect(texts()).toEqual(empty);
    await finish();
    expect(texts()).toEqual(empty);
  });

  it('a reset that refetches removes the data of the last user at once', async () => {
    const { open, controller, calls, respond } = application();
    await open();
    const finish = await begin(() => controller.resetEntireStore());
    expect(texts().slice(0, 3)).toEqual(['DLE: loads', 'cache: none', 'query: none, 0 pending']);
    expect(texts().at(-1)).toBe('suspense: waits');
    expect(calls).toHaveLength(2);
    await respond({ id: '1', name: 'Bob' });
    expect(texts().at(-1)).toBe('suspense: Bob');
    await finish();
    expect(texts().at(-1)).toBe('suspense: Bob');
  });
});

/** The end of the action shows the state that it has delayed, also in what was hidden meanwhile. */
describe.runIf(hasActivity)('a reader that is hidden while an action delays its state', () => {
  it.each([
    ['a success', 200, 'Bea'],
    ['a failure', 500, 'Ada'],
  ])('shows the newest state after the action: %s', async (_, status, name) => {
    const { controller, server, rename, args } = application();
    controller.set(User, args, { id: '1', name: 'Ada' });
    const Queried = () => {
      const user = useQuery(User, args);
      return (
        <p>
          {user?.name}, {usePending(user).length} pending
        </p>
      );
    };
    const tab = (mode: 'visible' | 'hidden') => (
      <Activity mode={mode}>
        <Queried />
      </Activity>
    );
    const { rerender } = show(tab('visible'), { controller });
    const finish = await begin(() =>
      controller.fetch(rename, args, { name: 'Bea' }).catch(() => {}),
    );
    await act(async () => rerender(tab('hidden')));
    await act(async () => (status === 200 ? server.respond({}) : server.fail(new Error('500'))));
    await act(async () => rerender(tab('visible')));
    await finish();
    expect(texts()).toEqual([`${name}, 0 pending`]);
  });
});

describe('after an invalidation in a transition, which keeps the old data on the screen', () => {
  it.each<[string, (controller: Controller) => void]>([
    ['a sign-out', logout],
    ['a reset', (controller) => controller.resetEntireStore()],
    ['a sign-out in a transition', (controller) => startTransition(() => logout(controller))],
  ])('%s removes this data at once', async (_, signOut) => {
    const { open, controller, getUser, args } = application();
    await open();
    await act(async () => {
      startTransition(() => void controller.invalidate(getUser, args));
    });
    expect(texts().at(-1)).toBe('suspense: Ada');
    await act(async () => signOut(controller));
    expect(texts().at(-1)).toBe('suspense: waits');
  });
});
