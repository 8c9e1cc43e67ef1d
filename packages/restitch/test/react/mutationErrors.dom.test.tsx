/** Failures of mutations, where a component shows them. */
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Controller, RestEndpoint } from 'restitch';
import { DataProvider, useError } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { type Call, requests, watchConsole } from '../support/reactWorld.js';

watchConsole();

const { calls, send, respond, fail } = requests();
const rename = new RestEndpoint({
  path: '/users/:id',
  method: 'PATCH',
  body: {} as { name: string },
  // The cast: the test responds to the requests itself.
  fetch: send as never,
});
const ada = [{ id: '1' }, { name: 'Ada' }] as const;

function reading() {
  const controller = new Controller();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <DataProvider controller={controller}>{children}</DataProvider>
  );
  const { result } = renderHook(
    () => ({
      ada: useError(rename, ...ada),
      bob: useError(rename, { id: '1' }, { name: 'Bob' }),
      other: useError(rename, { id: '2' }, { name: 'Ada' }),
      none: useError(rename, null),
    }),
    { wrapper, reactStrictMode: true },
  );
  const call = (...args: Parameters<typeof rename>): Promise<void> =>
    act(async () => void controller.fetch(rename, ...args).catch(() => {}));
  return { controller, result, call };
}

describe('useError of a mutation', () => {
  it('is the last failure of a call with the same key, whatever its body, and of no other', async () => {
    const { result, call } = reading();
    await call(...ada);
    const error = new Error('no');
    await fail(error);
    expect([result.current.ada, result.current.bob]).toEqual([error, error]);
    expect([result.current.other, result.current.none]).toEqual([undefined, undefined]);
  });

  it('is cleared as soon as the call is repeated, and when it succeeds', async () => {
    const { result, call } = reading();
    await call(...ada);
    await fail(new Error('no'));
    await call(...ada);
    expect(result.current.ada).toBeUndefined();
    const again = new Error('again');
    await fail(again);
    expect(result.current.ada).toBe(again);
    await call(...ada);
    await respond({ id: '1', name: 'Ada' });
    expect(result.current.ada).toBeUndefined();
  });

  it('sends nothing', () => {
    const before: readonly Call[] = [...calls];
    reading();
    expect(calls).toEqual(before);
  });
});
