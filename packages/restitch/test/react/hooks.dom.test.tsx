import { act, renderHook, screen } from '@testing-library/react';
import { type ReactNode, use } from 'react';
import { Controller, Endpoint } from 'restitch';
import {
  AsyncBoundary,
  DataProvider,
  useCache,
  useDLE,
  useError,
  useFetch,
  useLoading,
  useQuery,
  useSuspense,
} from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import {
  counter,
  hasUse,
  requests,
  show,
  textEndpoint,
  User,
  userEndpoint,
  watchConsole,
  write,
} from '../support/reactWorld.js';

watchConsole();

function provided(controller = new Controller()) {
  return {
    controller,
    wrapper: ({ children }: { children: ReactNode }) => (
      <DataProvider controller={controller}>
        <AsyncBoundary>{children}</AsyncBoundary>
      </DataProvider>
    ),
    reactStrictMode: true,
  };
}

describe('null as the only argument', () => {
  it('means no request and undefined, in every hook', async () => {
    const { getText, calls } = textEndpoint();
    const { result } = renderHook(
      () => ({
        suspense: useSuspense(getText, null),
        cache: useCache(getText, null),
        query: useQuery(User, null),
        error: useError(getText, null),
        promise: useFetch(getText, null),
        dle: useDLE(getText, null),
      }),
      provided(),
    );
    const { dle, ...rest } = result.current;
    expect(rest).toEqual({
      suspense: undefined,
      cache: undefined,
      query: undefined,
      error: undefined,
      promise: undefined,
    });
    expect([dle.data, dle.loading, dle.error]).toEqual([undefined, false, undefined]);
    expect(calls).toHaveLength(0);
  });
});

describe('null as the only argument of an endpoint whose schema is an object', () => {
  it('leaves the shape, with undefined records and lists, and the plain values of the schema', () => {
    const getPage = new Endpoint(
      async (_: { page: number }) => ({ results: [{ id: '1' }], next: '2', meta: { owner: {} } }),
      { name: 'getPage', schema: { results: [User], next: '', meta: { owner: User } } },
    );
    const { result, rerender } = renderHook(
      () => ({
        suspense: useSuspense(getPage, null),
        cache: useCache(getPage, null),
        query: useQuery(getPage.schema, null),
        dle: useDLE(getPage, null).data,
      }),
      provided(),
    );
    const before = result.current;
    const shape = { results: undefined, next: '', meta: { owner: undefined } };
    expect(before).toEqual({ suspense: shape, cache: shape, query: shape, dle: shape });
    rerender();
    expect(result.current.suspense).toBe(before.suspense);
  });
});

describe('useDLE', () => {
  it('returns loading, then data, without suspending, with one request', async () => {
    const { getUser, calls, respond } = userEndpoint();
    const { result, rerender } = renderHook(() => useDLE(getUser, { id: '1' }), provided());
    const loading = result.current;
    expect([loading.data, loading.loading, loading.error]).toEqual([undefined, true, undefined]);
    rerender();
    expect(result.current).toBe(loading);
    await respond({ id: '1', name: 'Ada' });
    const ready = result.current;
    expect([ready.data?.name, ready.loading, ready.error]).toEqual(['Ada', false, undefined]);
    rerender();
    expect(result.current).toBe(ready);
    expect(calls).toHaveLength(1);
  });

  it('goes back to loading without data when the parameters change', async () => {
    const { getText, respond } = textEndpoint();
    const { result, rerender } = renderHook(({ id }) => useDLE(getText, { id }), {
      ...provided(),
      initialProps: { id: '1' },
    });
    await respond('one');
    rerender({ id: '2' });
    expect([result.current.data, result.current.loading]).toEqual([undefined, true]);
    await respond('two');
    expect(result.current.data).toBe('two');
  });

  it('gives the error instead of throwing it, and the data after a refetch', async () => {
    const { getText, respond, fail } = textEndpoint();
    const { result } = renderHook(() => useDLE(getText, { id: '1' }), provided());
    const error = new Error('it broke');
    await fail(error);
    expect([result.current.data, result.current.loading]).toEqual([undefined, false]);
    expect(result.current.error).toBe(error);
    await act(async () => void result.current.refetch());
    await respond('there');
    expect([result.current.data, result.current.error]).toEqual(['there', undefined]);
  });

  it('says that data is stale while it is fetched again', async () => {
    const { getText, respond } = textEndpoint();
    const { controller, ...options } = provided();
    const { result } = renderHook(() => useDLE(getText, { id: '1' }), options);
    await respond('old');
    await write(() => controller.expireAll(getText));
    expect([result.current.data, result.current.isStale]).toEqual(['old', true]);
    await respond('new');
    expect([result.current.data, result.current.isStale]).toEqual(['new', false]);
  });
});

describe('useError', () => {
  it('is undefined until something failed, then that same error object', async () => {
    const { getText } = textEndpoint();
    const { controller, ...options } = provided();
    const { result } = renderHook(() => useError(getText, { id: '1' }), options);
    expect(result.current).toBeUndefined();
    const error = new Error('set by hand');
    await write(() => controller.setError(getText, { id: '1' }, error));
    expect(result.current).toBe(error);
    await write(() => controller.setResponse(getText, { id: '1' }, 'fine'));
    expect(result.current).toBeUndefined();
  });
});

describe.runIf(hasUse)('useFetch', () => {
  it('starts all requests of a component before the first one suspends', async () => {
    const first = textEndpoint();
    const second = textEndpoint();
    function Both() {
      const one = useFetch(first.getText, { id: '1' });
      const two = useFetch(second.getText, { id: '1' });
      return (
        <p>
          {use(one)} {use(two)}
        </p>
      );
    }
    await act(async () => void show(<Both />));
    expect([first.calls.length, second.calls.length]).toEqual([1, 1]);
    await second.respond('two');
    await first.respond('one');
    expect(screen.getByText('one two')).toBeDefined();
    expect([first.calls.length, second.calls.length]).toEqual([1, 1]);
  });

  it.each(['resolves', 'rejects'] as const)(
    'returns the promise on which the component suspended, once it %s',
    async (how) => {
      const { getText, respond, fail } = textEndpoint();
      const promises = new Set<unknown>();
      function Text() {
        const promise = useFetch(getText, { id: '1' });
        promises.add(promise);
        return <p>{use(promise)}</p>;
      }
      await act(async () => void show(<Text />, { strict: false }));
      await (how === 'resolves' ? respond('one') : fail(new Error('failed')));
      expect(screen.getByText(how === 'resolves' ? 'one' : /failed/i)).toBeDefined();
      expect(promises.size).toBe(1);
    },
  );

  it('renders cached data in one pass, and returns the same promise over renders', async () => {
    const { getText, calls } = textEndpoint();
    const controller = new Controller();
    controller.setResponse(getText, { id: '1' }, 'cached');
    const promises = new Set<unknown>();
    const renders = counter();
    const fallbacks = counter();
    const Fallback = () => {
      fallbacks.add();
      return null;
    };
    function Text() {
      renders.add();
      const promise = useFetch(getText, { id: '1' });
      promises.add(promise);
      return <p>{use(promise)}</p>;
    }
    const page = (
      <AsyncBoundary fallback={<Fallback />}>
        <Text />
      </AsyncBoundary>
    );
    const { rerender } = show(page, { controller, strict: false });
    expect([renders.count, fallbacks.count]).toEqual([1, 0]);
    rerender(
      <AsyncBoundary fallback={<Fallback />}>
        <Text />
      </AsyncBoundary>,
    );
    expect([renders.count, fallbacks.count, promises.size, calls.length]).toEqual([2, 0, 1, 0]);
    await write(() => controller.setResponse(getText, { id: '1' }, 'newer'));
    expect(screen.getByText('newer')).toBeDefined();
    expect([renders.count, fallbacks.count]).toEqual([3, 0]);
  });

  it('sends nothing because a render comes after the end of a lifetime', async () => {
    const clock = new Clock();
    const { getText, calls, respond } = textEndpoint();
    const controller = new Controller({ environment: clock.environment });
    const Text = () => <p>{use(useFetch(getText, { id: '1' }))}</p>;
    let rerender: (page: ReactNode) => void = () => {};
    await act(async () => {
      ({ rerender } = show(<Text key="text" />, { controller }));
    });
    await respond('old');
    await act(() => clock.pass(120_000));
    await act(async () => rerender(<Text key="text" />));
    expect(screen.getByText('old')).toBeDefined();
    expect(calls).toHaveLength(1);
  });

  it('rejects with the error, and tries again after a reset of the boundary', async () => {
    const { getText, calls, respond, fail } = textEndpoint();
    const Text = () => <p>{use(useFetch(getText, { id: '1' }))}</p>;
    await act(async () => void show(<Text />));
    await fail(new Error('it broke'));
    expect(screen.getByRole('alert').textContent).toContain('it broke');
    await act(async () => screen.getByText('Try again').click());
    await respond('there');
    expect(screen.getByText('there')).toBeDefined();
    expect(calls).toHaveLength(2);
  });
});

describe('useLoading', () => {
  it('is true until the last of overlapping calls ends', async () => {
    const { send, respond } = requests();
    const { result } = renderHook(() => useLoading(send, []), { reactStrictMode: true });
    const [run] = result.current;
    await act(async () => void run({ id: '1' }));
    await act(async () => void run({ id: '2' }));
    expect(result.current[1]).toBe(true);
    await respond('two', 1);
    expect(result.current[1]).toBe(true);
    await respond('one', 0);
    expect(result.current[1]).toBe(false);
    expect(result.current[0]).toBe(run);
  });

  it('keeps the error of the latest call, and clears it when the next one starts', async () => {
    const { send, respond, fail } = requests();
    const { result } = renderHook(() => useLoading(send, []), { reactStrictMode: true });
    const [run] = result.current;
    const start = (id: string): Promise<void> => act(async () => void run({ id }).catch(() => {}));
    await start('1');
    const error = new Error('it broke');
    await fail(error);
    expect(result.current.slice(1)).toEqual([false, error]);
    await start('2');
    expect(result.current.slice(1)).toEqual([true, undefined]);
    await start('3');
    await respond('three');
    await fail(new Error('an older one'), 1);
    expect(result.current.slice(1)).toEqual([false, undefined]);
  });

  it('ignores calls that end after unmounting', async () => {
    const { send, respond } = requests();
    const { result, unmount } = renderHook(() => useLoading(send, []), { reactStrictMode: true });
    await act(async () => void result.current[0]({ id: '1' }));
    unmount();
    await respond('late');
  });
});
