/** `useMutation`: the state of the calls of one endpoint. */
import { act, renderHook } from '@testing-library/react';
import { Activity, type ReactNode } from 'react';
import { Controller, type EndpointError, type Environment, RestEndpoint, undoable } from 'restitch';
import { DataProvider, type MutationOptions, useMutation } from 'restitch/react';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { collectUnhandled } from '../support/unhandled.js';
import { hasActivity, requests, User, watchConsole } from '../support/reactWorld.js';

watchConsole();
const unhandled = collectUnhandled();

/** Lets the host notice a rejection that is not handled. */
const turn = (): Promise<void> => act(() => new Promise<void>((resolve) => setImmediate(resolve)));

function setup(environment: Partial<Environment> = {}) {
  const server = requests();
  const rename = new RestEndpoint({
    path: '/users/:id',
    method: 'PATCH',
    schema: User,
    body: {} as { name: string },
    // The cast: the test responds to the requests itself.
    fetch: server.send as never,
  });
  const controller = new Controller({ environment });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <DataProvider controller={controller}>{children}</DataProvider>
  );
  const render = (options?: MutationOptions<typeof rename>) =>
    renderHook((given: MutationOptions<typeof rename> | undefined) => useMutation(rename, given), {
      wrapper,
      reactStrictMode: true,
      initialProps: options,
    });
  return { ...server, rename, controller, render };
}

const ada = [{ id: '1' }, { name: 'Ada' }] as const;
const bob = [{ id: '2' }, { name: 'Bob' }] as const;
const idle = { isPending: false, data: undefined, error: undefined, variables: undefined };

describe('useMutation', () => {
  it('returns the arguments of a call while it is in flight, and its data afterwards', async () => {
    const { render, respond } = setup();
    const { result } = render();
    expect(result.current).toMatchObject(idle);
    act(() => result.current.mutate(...ada));
    expect(result.current).toMatchObject({ ...idle, isPending: true, variables: ada });
    await respond({ id: '1', name: 'Ada L.' });
    expect(result.current).toMatchObject({ isPending: false, variables: ada, error: undefined });
    expect(result.current.data).toEqual(User.fromJS({ id: '1', name: 'Ada L.' }));
  });

  it('returns the error of the latest call, and clears it at the next one', async () => {
    const { render, respond, fail } = setup();
    const { result } = render();
    act(() => result.current.mutate(...ada));
    const error = new Error('no');
    await fail(error);
    expect(result.current).toMatchObject({ isPending: false, error, data: undefined });
    act(() => result.current.mutate(...bob));
    expect(result.current).toMatchObject({ isPending: true, error: undefined, variables: bob });
    await respond({ id: '2', name: 'Bob' });
    expect(result.current.data?.name).toBe('Bob');
  });

  it('shows the latest of overlapping calls, and is pending until all have ended', async () => {
    const { render, respond, fail } = setup();
    const { result } = render();
    act(() => result.current.mutate(...ada));
    act(() => result.current.mutate(...bob));
    await respond({ id: '2', name: 'Bob' }, 1);
    expect(result.current).toMatchObject({ isPending: true, variables: bob });
    await fail(new Error('no'), 0);
    expect(result.current).toMatchObject({ isPending: false, error: undefined });
    expect(result.current.data?.name).toBe('Bob');
  });

  it('never rejects from `mutate`, and rejects from `mutateAsync`', async () => {
    const { render, fail } = setup();
    const { result } = render();
    act(() => result.current.mutate(...ada));
    await fail(new Error('no'));
    await turn();
    expect(unhandled).toEqual([]);
    let call: Promise<User> | undefined;
    // Not returned: `act` would wait for it.
    act(() => void (call = result.current.mutateAsync(...ada)));
    const error = new Error('no');
    const rejected = expect(call).rejects.toBe(error);
    await fail(error);
    await rejected;
  });

  it('calls the newest callbacks once per call, after unmounting too', async () => {
    const { render, respond, fail, controller } = setup();
    const older = { onSuccess: vi.fn(), onError: vi.fn(), onSettled: vi.fn() };
    const newer = { onSuccess: vi.fn(), onError: vi.fn(), onSettled: vi.fn() };
    const { result, rerender, unmount } = render(older);
    act(() => result.current.mutate(...ada));
    act(() => result.current.mutate(...bob));
    rerender(newer);
    await respond({ id: '1', name: 'Ada' }, 0);
    unmount();
    const error = new Error('no');
    await fail(error, 1);
    const user = User.fromJS({ id: '1', name: 'Ada' });
    expect(newer.onSuccess.mock.calls).toEqual([[user, ada, controller]]);
    expect(newer.onError.mock.calls).toEqual([[error, bob, controller]]);
    expect(newer.onSettled.mock.calls).toEqual([
      [user, ada, controller],
      [error, bob, controller],
    ]);
    expect(older.onSuccess).not.toHaveBeenCalled();
  });

  it('forgets everything at `reset`, also of calls in flight', async () => {
    const { render, respond } = setup();
    const { result } = render();
    act(() => result.current.mutate(...ada));
    act(() => result.current.reset());
    expect(result.current).toMatchObject(idle);
    act(() => result.current.mutate(...bob));
    await respond({ id: '1', name: 'Ada' }, 0);
    expect(result.current).toMatchObject({ isPending: true, data: undefined, variables: bob });
    await respond({ id: '2', name: 'Bob' }, 1);
    expect(result.current).toMatchObject({ isPending: false });
    expect(result.current.data?.name).toBe('Bob');
  });

  it('forgets everything at a sign-out, so that the next user sees no data of the last one', async () => {
    const { render, respond, controller } = setup();
    const { result } = render();
    act(() => result.current.mutate(...ada));
    await respond({ id: '1', name: 'Ada' });
    act(() => controller.resetEntireStore({ refetch: false }));
    expect(result.current).toMatchObject(idle);
    act(() => result.current.mutate(...ada));
    await respond({ id: '1', name: 'Ada' }, 1);
    act(() => controller.resetEntireStore());
    expect(result.current).toMatchObject(idle);
  });

  it('forgets everything when its provider gets another controller', async () => {
    const { rename, respond } = setup();
    let controller = new Controller();
    const { result, rerender } = renderHook(() => useMutation(rename), {
      wrapper: ({ children }) => <DataProvider controller={controller}>{children}</DataProvider>,
    });
    act(() => result.current.mutate(...ada));
    await respond({ id: '1', name: 'Ada' });
    act(() => result.current.mutate(...bob));
    controller = new Controller();
    rerender();
    expect(result.current).toMatchObject(idle);
    await respond({ id: '2', name: 'Bob' }, 1);
    expect(result.current).toMatchObject(idle);
  });

  it('keeps its object and its functions while its state stays the same', async () => {
    const { render, respond } = setup();
    const { result, rerender } = render();
    const before = result.current;
    rerender(undefined);
    expect(result.current).toBe(before);
    act(() => before.mutate(...ada));
    await respond({ id: '1', name: 'Ada' });
    const { mutate, mutateAsync, reset } = result.current;
    expect([mutate, mutateAsync, reset]).toEqual([before.mutate, before.mutateAsync, before.reset]);
  });

  it('returns a promise with `cancel` for an undoable endpoint; a call taken back is no error', async () => {
    const { rename, controller, calls } = setup();
    controller.set(User, { id: '1' }, { name: 'Ada' });
    const options = { onSuccess: vi.fn(), onError: vi.fn(), onSettled: vi.fn() };
    const later = undoable(rename);
    const { result } = renderHook(() => useMutation(later, options), {
      wrapper: ({ children }: { children: ReactNode }) => (
        <DataProvider controller={controller}>{children}</DataProvider>
      ),
    });
    let call: ReturnType<typeof result.current.mutateAsync> | undefined;
    act(() => void (call = result.current.mutateAsync(...ada)));
    expect(result.current.isPending).toBe(true);
    let isCanceled: boolean | undefined;
    act(() => void (isCanceled = call?.cancel()));
    expect(isCanceled).toBe(true);
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    await turn();
    expect(result.current).toMatchObject({ isPending: false, error: undefined });
    expect([calls.length, options.onError.mock.calls.length]).toEqual([0, 0]);
    expect(options.onSettled).toHaveBeenCalledTimes(1);
    expectTypeOf(result.current.mutateAsync).returns.toEqualTypeOf<
      Promise<User> & { readonly cancel: () => boolean }
    >();
  });

  it.each<readonly [name: string, fail: (error: Error) => unknown]>([
    [
      'throws',
      (error) => {
        throw error;
      },
    ],
    ['rejects', (error) => Promise.reject(error)],
  ])('reports a callback that %s, calls onSettled, and keeps the outcome', async (_, throwing) => {
    const reported: unknown[] = [];
    const { render, respond, fail } = setup({ report: (error) => reported.push(error) });
    const mistakes = ['onSuccess', 'onError', 'onSettled'].map((name) => new Error(name));
    const [onSuccess, onError, onSettled] = mistakes.map((error) => vi.fn(() => throwing(error)));
    const { result } = render({ onSuccess, onError, onSettled });
    let call: Promise<User> | undefined;
    act(() => void (call = result.current.mutateAsync(...ada)));
    await respond({ id: '1', name: 'Ada' });
    await expect(call).resolves.toMatchObject({ name: 'Ada' });
    expect(result.current).toMatchObject({ isPending: false, error: undefined });
    expect(result.current.data?.name).toBe('Ada');
    const error = new Error('no');
    act(() => void (call = result.current.mutateAsync(...ada)));
    await fail(error);
    await expect(call).rejects.toBe(error);
    await turn();
    expect(result.current).toMatchObject({ isPending: false, error, data: undefined });
    expect(onSettled?.mock.calls).toHaveLength(2);
    const [success, failure, settled] = mistakes;
    expect(reported).toEqual([success, settled, failure, settled]);
    expect(unhandled).toEqual([]);
  });

  it('is typed by its endpoint', () => {
    const { render, rename } = setup();
    const { result } = render({
      onSuccess: (data, args) => {
        expectTypeOf(data).toEqualTypeOf<User>();
        expectTypeOf(args).toEqualTypeOf<Parameters<typeof rename>>();
      },
      onError: (error) => expectTypeOf(error).toEqualTypeOf<EndpointError>(),
    });
    expectTypeOf(result.current.data).toEqualTypeOf<User | undefined>();
    // @ts-expect-error -- the body is missing
    const wrong = () => result.current.mutate({ id: '1' });
    expect(wrong).toBeTypeOf('function');
  });
});

describe.runIf(hasActivity)('useMutation in a hidden <Activity>', () => {
  function open() {
    const { rename, controller, respond } = setup();
    let mode: 'visible' | 'hidden' = 'visible';
    const { result, rerender } = renderHook(() => useMutation(rename), {
      wrapper: ({ children }) => (
        <DataProvider controller={controller}>
          <Activity mode={mode}>{children}</Activity>
        </DataProvider>
      ),
    });
    const turnTo = (next: typeof mode): void => {
      mode = next;
      rerender();
    };
    return { result, respond, controller, turnTo };
  }

  it('notices the end of a call that ends meanwhile', async () => {
    const { result, respond, turnTo } = open();
    act(() => result.current.mutate(...ada));
    turnTo('hidden');
    await respond({ id: '1', name: 'Ada' });
    turnTo('visible');
    expect(result.current).toMatchObject({ isPending: false, data: { name: 'Ada' } });
  });

  it('forgets everything if the last user signs out meanwhile', async () => {
    const { result, respond, controller, turnTo } = open();
    act(() => result.current.mutate(...ada));
    await respond({ id: '1', name: 'Ada' });
    turnTo('hidden');
    act(() => controller.resetEntireStore({ refetch: false }));
    turnTo('visible');
    expect(result.current).toMatchObject(idle);
  });
});
