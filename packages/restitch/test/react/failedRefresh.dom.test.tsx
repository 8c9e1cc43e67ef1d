import { act, render, renderHook, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Controller, Endpoint } from 'restitch';
import { DataProvider, useCache, useDLE, useError, useSuspense } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { counter, requests, show, watchConsole, write } from '../support/reactWorld.js';

watchConsole();

/** An endpoint whose failures are soft, with responses by the test. */
function softEndpoint(name: string) {
  const server = requests();
  const send: (params: { id: string }) => Promise<string> = server.send;
  const get = new Endpoint(send, { name, errorPolicy: () => 'soft' });
  return { ...server, get };
}

const args = { id: '1' };

describe('a refresh that failed softly', () => {
  it('is the error of useDLE and useError along with the data, until a response', async () => {
    const { get, respond, fail } = softEndpoint('readers');
    const controller = new Controller();
    const { result } = renderHook(
      () => ({ dle: useDLE(get, args), error: useError(get, args), cache: useCache(get, args) }),
      {
        wrapper: ({ children }: { children: ReactNode }) => (
          <DataProvider controller={controller}>{children}</DataProvider>
        ),
        reactStrictMode: true,
      },
    );
    await respond('a');
    const refetch = (): Promise<void> => write(() => result.current.dle.refetch().catch(() => {}));
    await refetch();
    const error = new Error('overloaded');
    await fail(error);
    expect(result.current).toMatchObject({
      dle: { data: 'a', error, loading: false },
      error,
      cache: 'a',
    });
    await refetch();
    expect(result.current.error).toBe(error);
    await respond('a');
    expect(result.current).toMatchObject({ dle: { data: 'a', error: undefined }, cache: 'a' });
    expect(result.current.error).toBeUndefined();
  });

  it('leaves a reader that suspends as it is: nothing is thrown, nothing renders', async () => {
    const { get, respond, fail } = softEndpoint('suspending');
    const renders = counter();
    function Reader(): ReactNode {
      renders.add();
      return useSuspense(get, args);
    }
    const { controller } = show(<Reader />, { strict: false });
    await respond('a');
    const before = renders.count;
    await write(() => controller.fetch(get, args).catch(() => {}));
    await fail(new Error('overloaded'));
    expect(screen.getByText('a')).toBeTruthy();
    expect(renders.count).toBe(before);
  });
});

describe('isFetching of useDLE', () => {
  it('is true while a request is under way, the first and a refresh', async () => {
    const { get, respond, fail } = softEndpoint('fetching');
    const renders = counter();
    function Reader(): ReactNode {
      renders.add();
      const { data, isFetching } = useDLE(get, args);
      return `${data} ${isFetching}`;
    }
    const controller = new Controller();
    const page = render(
      <DataProvider controller={controller}>
        <Reader />
      </DataProvider>,
    );
    const text = (): string | null => page.container.textContent;
    expect(text()).toBe('undefined true');
    await act(async () => {});
    expect(renders.count).toBe(1);
    await respond('a');
    expect([text(), renders.count]).toEqual(['a false', 2]);
    await write(() => controller.fetch(get, args).catch(() => {}));
    expect([text(), renders.count]).toEqual(['a true', 3]);
    await respond('a');
    expect([text(), renders.count]).toEqual(['a false', 4]);
    await write(() => controller.fetch(get, args).catch(() => {}));
    await fail(new Error('no'));
    expect(text()).toBe('a false');
  });

  it('renders no component that does not read it', async () => {
    const { get, respond } = softEndpoint('unread');
    const renders = counter();
    function Reader(): ReactNode {
      renders.add();
      const { data } = useDLE(get, args);
      return data;
    }
    const { controller } = show(<Reader />, { strict: false });
    await respond('a');
    const before = renders.count;
    await write(() => controller.fetch(get, args));
    await respond('a');
    expect(renders.count).toBe(before);
  });

  it('is known at once to a component that begins to read it, and follows its arguments', async () => {
    const { get, respond, calls } = softEndpoint('begins');
    function Reader({ id, reads }: { id: string; reads: boolean }): ReactNode {
      const state = useDLE(get, { id });
      return reads ? `${state.data} ${state.isFetching}` : state.data;
    }
    const page = show(<Reader id="1" reads={false} />);
    await respond('a');
    await write(() => page.controller.fetch(get, args));
    expect(page.container.textContent).toBe('a');
    page.rerender(<Reader id="1" reads />);
    await act(async () => {});
    expect(page.container.textContent).toBe('a true');
    page.rerender(<Reader id="2" reads />);
    expect(page.container.textContent).toBe('undefined true');
    await respond('b', 2);
    expect(page.container.textContent).toBe('b false');
    expect(calls).toHaveLength(3);
  });
});
