import { act, fireEvent, render, renderHook, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Controller } from 'restitch';
import { DataProvider, useDLE } from 'restitch/react';
import { describe, expect, it, vi } from 'vitest';
import { collectUnhandled } from '../support/unhandled.js';
import { userEndpoint, watchConsole } from '../support/reactWorld.js';

watchConsole();

const unhandled = collectUnhandled();

/** Lets a task pass, after which a promise counts as not handled. */
const task = (): Promise<void> => act(() => new Promise<void>((resolve) => setTimeout(resolve)));

describe('a refetch of useDLE that fails, whose promise nothing handles', () => {
  it.each([true, false])(
    'is no unhandled rejection: the hook shows the error (onError: %s)',
    async (isWatched) => {
      const { getUser, respond, fail } = userEndpoint();
      const report = vi.fn();
      const onError = vi.fn();
      const controller = new Controller({
        environment: { report },
        ...(isWatched && { onError }),
      });
      const User = (): ReactNode => {
        const dle = useDLE(getUser, { id: '1' });
        return (
          <button onClick={() => void dle.refetch()}>{dle.data?.name ?? dle.error?.message}</button>
        );
      };
      render(
        <DataProvider controller={controller}>
          <User />
        </DataProvider>,
      );
      await respond({ id: '1', name: 'Ada' });
      fireEvent.click(screen.getByText('Ada'));
      await fail(new Error('no'));
      await task();
      expect(screen.getByText('no')).toBeDefined();
      expect(unhandled).toEqual([]);
      expect(report).not.toHaveBeenCalled();
      expect(onError).toHaveBeenCalledTimes(isWatched ? 1 : 0);
    },
  );

  it('rejects for a caller that awaits it', async () => {
    const { getUser, respond, fail } = userEndpoint();
    const { result } = renderHook(() => useDLE(getUser, { id: '1' }), {
      wrapper: ({ children }: { children: ReactNode }) => <DataProvider>{children}</DataProvider>,
    });
    await respond({ id: '1', name: 'Ada' });
    const error = new Error('no');
    const expected = expect(result.current.refetch()).rejects.toBe(error);
    await fail(error);
    await expected;
  });
});
