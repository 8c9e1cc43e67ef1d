import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Controller, Endpoint } from 'restitch';
import { DataProvider, useIsFetching } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { requests, textEndpoint, watchConsole, write } from './support.js';

watchConsole();

function world() {
  const text = textEndpoint();
  const other = textEndpoint();
  const saving = requests();
  const save = new Endpoint(saving.send, { name: 'save', sideEffect: true });
  const controller = new Controller();
  const { result } = renderHook(
    () => ({
      all: useIsFetching(),
      texts: useIsFetching(text.getText),
      first: useIsFetching(text.getText, { id: '1' }),
      saves: useIsFetching(save),
      none: useIsFetching(text.getText, null),
    }),
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <DataProvider controller={controller}>{children}</DataProvider>
      ),
      reactStrictMode: true,
    },
  );
  return { text, other, saving, save, controller, result };
}

describe('useIsFetching', () => {
  it('counts all requests, those of an endpoint, and those for one key', async () => {
    const { text, other, saving, save, controller, result } = world();
    expect(result.current).toEqual({ all: 0, texts: 0, first: 0, saves: 0, none: 0 });
    await write(() => {
      void controller.fetch(text.getText, { id: '1' });
      void controller.fetch(text.getText, { id: '1' });
      void controller.fetch(text.getText, { id: '2' });
      void controller.fetch(other.getText, { id: '1' });
      void controller.fetch(save, { id: '1' });
      void controller.fetch(save, { id: '1' });
    });
    expect(result.current).toEqual({ all: 5, texts: 2, first: 1, saves: 2, none: 0 });
    await text.answer('a', 0);
    await saving.answer(null, 0);
    expect(result.current).toEqual({ all: 3, texts: 1, first: 0, saves: 1, none: 0 });
    await act(async () => controller.resetEntireStore());
    expect(result.current).toEqual({ all: 0, texts: 0, first: 0, saves: 0, none: 0 });
  });

  it('has its like in controller.countFetching and watchFetching, which tells once of what begins in one job', async () => {
    const { text, controller } = world();
    let told = 0;
    const stop = controller.watchFetching(() => {
      told += 1;
    });
    await write(() => {
      void controller.fetch(text.getText, { id: '1' });
      void controller.fetch(text.getText, { id: '2' });
    });
    expect([told, controller.countFetching(), controller.countFetching(text.getText)]).toEqual([
      1, 2, 2,
    ]);
    await text.answer('a');
    expect([told, controller.countFetching(text.getText, { id: '2' })]).toEqual([2, 0]);
    stop();
    await text.answer('a', 0);
    expect([told, controller.countFetching()]).toEqual([2, 0]);
  });
});
