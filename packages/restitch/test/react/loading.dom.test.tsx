import { act, renderHook } from '@testing-library/react';
import type { EndpointError } from 'restitch';
import { useLoading } from 'restitch/react';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { requests, watchConsole, write } from '../support/reactWorld.js';
import { collectUnhandled } from '../support/unhandled.js';

watchConsole();

const unhandled = collectUnhandled();

/** Lets the host notice what was not handled. */
const turn = (): Promise<void> => act(() => new Promise<void>((resolve) => setImmediate(resolve)));

describe('a failed call of useLoading', () => {
  it('is not reported as unhandled where no caller handles it: the hook shows the error', async () => {
    const { send, fail } = requests();
    const { result } = renderHook(() => useLoading(() => send({ id: '1' })));
    const onClick: () => unknown = result.current[0];
    await write(onClick);
    await fail(new Error('no'));
    await turn();
    expect(result.current[2]?.message).toBe('no');
    expect(unhandled).toEqual([]);
  });

  it('rejects for a caller that awaits it', async () => {
    const { send, fail } = requests();
    const { result } = renderHook(() => useLoading(send));
    let run: Promise<unknown> | undefined;
    await write(() => (run = result.current[0]({ id: '1' })));
    const error = new Error('no');
    const expected = expect(run).rejects.toBe(error);
    await fail(error);
    await expected;
  });

  it('may fail before anything is sent', async () => {
    const { result } = renderHook(() =>
      useLoading((): Promise<void> => {
        throw new Error('at once');
      }),
    );
    await write(result.current[0]);
    await turn();
    expect(result.current[2]?.message).toBe('at once');
    expect(unhandled).toEqual([]);
  });
});

describe('the options of useLoading', () => {
  it('are called with the outcome and the arguments of each call, the newest ones', async () => {
    const { send, respond, fail } = requests();
    const older = { onSuccess: vi.fn(), onError: vi.fn() };
    const newer = { onSuccess: vi.fn(), onError: vi.fn() };
    const { result, rerender } = renderHook((options: typeof older) => useLoading(send, options), {
      initialProps: older,
    });
    const [first, second] = [{ id: '1' }, { id: '2' }];
    await write(() => result.current[0](first));
    await write(() => void result.current[0](second));
    rerender(newer);
    await respond('saved', 0);
    const error = new Error('no');
    await fail(error, 1);
    expect(older.onSuccess).not.toHaveBeenCalled();
    expect(newer.onSuccess.mock.calls).toEqual([['saved', first]]);
    expect(newer.onError.mock.calls).toEqual([[error, second]]);
    expect(unhandled).toEqual([]);
  });

  it('are called after the component is unmounted, too', async () => {
    const { send, respond } = requests();
    const onSuccess = vi.fn();
    const { result, unmount } = renderHook(() => useLoading(send, { onSuccess }));
    await write(() => result.current[0]({ id: '1' }));
    unmount();
    await respond('saved');
    expect(onSuccess).toHaveBeenCalledTimes(1);
  });

  it('leave loading and error alone when they throw, which is reported as unhandled', async () => {
    const { send, respond } = requests();
    const mistake = new Error('mistake');
    const onSuccess = (): void => {
      throw mistake;
    };
    const { result } = renderHook(() => useLoading(send, { onSuccess }));
    await write(() => result.current[0]({ id: '1' }));
    await respond('saved');
    await turn();
    expect(result.current.slice(1)).toEqual([false, undefined]);
    expect(unhandled).toEqual([mistake]);
  });

  it('may be a list of dependencies, which does nothing', async () => {
    const { send, respond } = requests();
    const { result } = renderHook(() => useLoading(send, [1]));
    await write(() => result.current[0]({ id: '1' }));
    await respond('saved');
    expect(result.current.slice(1)).toEqual([false, undefined]);
  });

  it('are typed by the function', () => {
    const save = async (id: string, count: number): Promise<Date> => new Date(count + id.length);
    renderHook(() =>
      useLoading(save, {
        onSuccess: (value, ...args) => {
          expectTypeOf(value).toEqualTypeOf<Date>();
          expectTypeOf(args).toEqualTypeOf<[id: string, count: number]>();
        },
        onError: (error, id) => {
          expectTypeOf(error).toEqualTypeOf<EndpointError>();
          expectTypeOf(id).toEqualTypeOf<string>();
        },
      }),
    );
  });
});
